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


@dataclass(frozen=True)
class Unmarkable:
    """Why markers cannot be placed readably; another way has to be found."""

    reason: str
