"""What markers are placed by: renderings of conversations in which the sampled text is known."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Sample:
    """One rendering of a whole conversation, without a generation prompt, and the sampled span of each turn.

    A turn that contradicts its prompt may begin anywhere from the start of its span up to its latest start.
    """

    messages: Sequence[Mapping[str, Any]]
    tools: Sequence[Mapping[str, Any]] | None
    options: Mapping[str, Any]
    text: str
    spans: tuple[tuple[int, int], ...]
    latest_starts: tuple[int, ...] = ()
    """One for each span, or none where all begin at their starts."""

    @property
    def begins(self) -> tuple[int, ...]:
        """Where each span begins at the latest."""
        return self.latest_starts or tuple(start for start, _ in self.spans)

    @property
    def reaches(self) -> tuple[tuple[int, int], ...]:
        """The spans, those of turns in which nothing is visible with the white space behind them: it is free too."""
        return tuple(with_white_space(self.text, *span) for span in self.spans)


def with_white_space(text: str, start: int, end: int) -> tuple[int, int]:
    """Let a span without a visible character reach over the white space behind it."""
    return (start, end) if text[start:end].strip() else (start, len(text) - len(text[start:].lstrip()))


@dataclass(frozen=True)
class Unmarkable:
    """Why markers cannot be placed readably; another way has to be found."""

    reason: str
