"""How alike a template and a known original are, by the pieces that they share."""

from collections import Counter
from collections.abc import Iterable, Iterator

from trainplate.families.pieces import Form, Piece
from trainplate.families.references import Reference

NEAR = 0.5
"""The share of pieces from which on a template is a near copy, if it also says the same to some conversation."""
SURELY_NEAR = 0.6
"""The share from which on that is no longer asked.

Measured on 931 published templates with `scripts/measure_recognition.py`: the highest share of a template that speaks
another format around the same control tokens is 0.53, and that one answers nothing as its nearest reference does.
"""

Weighed = Counter[tuple[str, int]]


def weighed(found: Iterable[Piece]) -> Weighed:
    """Count the pieces of a template in their plainest form, those that weigh nothing aside."""
    return Counter((piece.hashes[Form.NAMELESS], piece.weight) for piece in found if piece.weight)


def likeness(ours: Weighed, theirs: Weighed) -> float:
    """Return the weight of the pieces in both as a share of the weight of all: 1 for the same pieces, 0 for none."""
    shared = sum(min(count, theirs[piece]) * piece[1] for piece, count in ours.items())
    total = weight(ours) + weight(theirs) - shared
    return shared / total if total else 0.0


def weight(pieces: Weighed) -> int:
    """Return how much a template weighs."""
    return sum(count * piece[1] for piece, count in pieces.items())


def near(found: Iterable[Piece], source: str, known: Iterable[Reference]) -> Iterator[tuple[float, Reference]]:
    """Yield the references that a template is a near copy of, with the likeness.

    The same loop around other control tokens is another format: those that open and stop a turn must be there too.
    """
    ours = weighed(found)
    for reference in known:
        if all(token in source for token in reference.tokens):
            share = likeness(ours, reference.fingerprint.weighed)
            if share >= NEAR:
                yield share, reference
