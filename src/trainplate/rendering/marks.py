"""Marks that a render puts around generation blocks, to tell afterwards which of the text stands in them."""

from dataclasses import dataclass
from typing import Protocol

from trainplate.errors import TrainplateError
from trainplate.rendering.limits import Meter

Span = tuple[int, int]

NONCHARACTERS = [chr(code) for code in range(0xFDD0, 0xFDF0)]
"""Code points that Unicode keeps out of every text; they pass through all that a template does to one."""
PAIRS = tuple(zip(NONCHARACTERS[::2], NONCHARACTERS[1::2], strict=True))
"""Opening and closing marks: a pair that a conversation already contains gives way to the next."""


class TornMarkers(TrainplateError):
    """Raised where a template works on the text of a generation block, so that nobody can tell what stands in it."""


@dataclass(frozen=True)
class Marked:
    """A rendered text, and the spans of it that stand in generation blocks, in order and apart."""

    text: str
    spans: tuple[Span, ...]


class Marks(Protocol):
    """What a render does with the text of each generation block."""

    def around(self, text: str, caught: bool) -> str:
        """Return what is printed for the block; `caught` where it goes through a macro or capture first."""
        ...


class Sentinels:
    """Marks that travel with the text through macros, captures and filters."""

    def __init__(self, opening: str, closing: str) -> None:
        self.opening, self.closing = opening, closing
        self.blocks = 0
        self.caught = False

    def around(self, text: str, caught: bool) -> str:
        """Return the text between an opening and a closing mark."""
        self.blocks += 1
        self.caught = self.caught or caught
        return f"{self.opening}{text}{self.closing}"

    def certain(self, text: str) -> bool:
        """Say whether a text holds just the marks of blocks that were printed once, as they were, and no others."""
        return not self.caught and text.count(self.opening) == self.blocks == text.count(self.closing)


class Tracker:
    """Counts as transformers does: from what the template as a whole has printed when the block ends.

    That is right where a block prints to the text itself, and wrong where a macro, a capture, a filter or a recursive
    loop collects it first.
    """

    def __init__(self, meter: Meter) -> None:
        self.meter = meter
        self.spans: list[Span] = []

    def around(self, text: str, caught: bool) -> str:
        """Return the text, and note where transformers believes it stands."""
        start = self.meter.written
        self.spans.append((start, start + len(text)))
        return text


def blocks_in(text: str, sentinels: Sentinels) -> tuple[Span, ...]:
    """Return where each generation block stands in a text without its marks, empty ones included.

    This is what transformers counts, where the marks are certain: every block printed to the text itself.
    """
    found: list[Span] = []
    position = start = 0
    for piece in text.replace(sentinels.closing, sentinels.opening + sentinels.closing).split(sentinels.opening):
        closes = piece.startswith(sentinels.closing)
        if closes:
            found.append((start, position))
        else:
            start = position
        position += len(piece) - closes
    return tuple(found)


def unmarked(text: str, sentinels: Sentinels) -> Marked:
    """Take the marks out of a text; blocks within blocks count as one.

    Raises `TornMarkers` where an opening or a closing mark stands alone.
    """
    spans: list[Span] = []
    parts: list[str] = []
    position = depth = start = 0
    opening, closing = sentinels.opening, sentinels.closing
    for index, piece in enumerate(text.replace(closing, opening + closing).split(opening)):
        closes = piece.startswith(closing)
        if closes:
            depth -= 1
            if depth == 0 and position > start:
                spans.append((start, position))
        elif index:
            start = position if depth == 0 else start
            depth += 1
        if depth < 0:
            break
        parts.append(piece[1:] if closes else piece)
        position += len(parts[-1])
    if depth:
        raise TornMarkers(f"the template cuts a generation block in two, near {''.join(parts)[-40:]!r}")
    return Marked("".join(parts), tuple(spans))
