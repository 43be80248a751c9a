"""What markers are placed by: renderings of conversations in which the sampled text is known."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Sample:
    """One rendering of a whole conversation, without a generation prompt, and the sampled span of each turn."""

    messages: Sequence[Mapping[str, Any]]
    tools: Sequence[Mapping[str, Any]] | None
    options: Mapping[str, Any]
    text: str
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Unmarkable:
    """Why markers cannot be placed readably; another way has to be found."""

    reason: str
