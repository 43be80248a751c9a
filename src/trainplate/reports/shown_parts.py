"""The parts of a shown conversation cut at their tokens, for outlining each."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from trainplate.auditing import Part


@dataclass(frozen=True)
class Piece:
    """A stretch of text that is one token, or the rest of one that began in the part before."""

    text: str
    is_token: bool = True
    """False where no tokenizer says how the text is cut."""
    continues: bool = False
    """Whether the token began in the part before: it crosses the edge."""


@dataclass(frozen=True)
class CutPart:
    """A part with its pieces, which join to its text."""

    kind: str
    pieces: tuple[Piece, ...]
    tokens: int
    """How many tokens start in it; several may share one character."""


def cut(parts: Iterable[Part]) -> Iterator[CutPart]:
    """Yield each part cut at its tokens; a token that reaches into the next part goes on there."""
    reaching = 0
    for part in parts:
        pieces = tuple(pieces_of(part, reaching))
        yield CutPart(part.kind, pieces, len(part.tokens))
        reaching = max(0, reaching + sum(part.tokens) - len(part.text))


def pieces_of(part: Part, reaching: int) -> Iterator[Piece]:
    """Yield the pieces of one part, into which the last token before reaches so many characters."""
    if reaching and part.text:
        yield Piece(part.text[:reaching], continues=True)
    position = reaching
    for length in part.tokens:
        if text := part.text[position : position + length]:
            yield Piece(text)
        position += length
    if position < len(part.text):
        yield Piece(part.text[position:], is_token=False)
