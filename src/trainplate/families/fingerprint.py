"""What is kept of a known original: hashes enough to recognise it and to see where a near copy differs."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from trainplate.families.behaviour import behaviour_of
from trainplate.families.known_bytes import digest
from trainplate.families.pieces import HEX_DIGITS, Form, Piece, pieces
from trainplate.syntax import normal_form

WEIGHT_DIGITS = 3


@dataclass(frozen=True)
class Fingerprint:
    """The hashes of one original; each is of our own making, none can be turned back into text."""

    sha256: str
    normal_form: str
    behaviour: str
    forms: tuple[str, ...] = field(repr=False)
    """For each `Form`, the hashes of the pieces in order, joined; in the plainest form each with its weight."""
    comments: str = field(repr=False)
    ending: str
    """The white space at the end of the source."""
    returns: bool
    """Whether its lines end in `\\r`."""

    @cached_property
    def weighed(self) -> Counter[tuple[str, int]]:
        """The pieces in their plainest form with their weights, each as often as it comes."""
        return Counter((piece[:HEX_DIGITS], int(piece[HEX_DIGITS:])) for piece in parted(self.forms[-1], WEIGHT_DIGITS))

    def has(self, piece: Piece, form: Form) -> bool:
        """Say whether the original has a piece that is the same in this form."""
        return piece.hashes[form] in self._known[form]

    @cached_property
    def _known(self) -> tuple[frozenset[str], ...]:
        plainest = frozenset(piece for piece, _ in self.weighed)
        return (*(frozenset(parted(form)) for form in self.forms[:-1]), plainest)

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain values, ready for JSON."""
        return {
            "sha256": self.sha256,
            "normal_form": self.normal_form,
            "behaviour": self.behaviour,
            "forms": list(self.forms),
            "comments": self.comments,
            "ending": self.ending,
            "returns": self.returns,
        }


def fingerprint_from(stored: Mapping[str, Any]) -> Fingerprint:
    """Return the fingerprint that `as_dict` made the values from."""
    return Fingerprint(
        stored["sha256"],
        stored["normal_form"],
        stored["behaviour"],
        tuple(stored["forms"]),
        stored["comments"],
        stored["ending"],
        stored["returns"],
    )


def fingerprint_of(source: str) -> Fingerprint:
    """Take the fingerprint of an original; raises SyntaxFault where the text is no template."""
    found = pieces(source)
    said = [piece for piece in found if not piece.is_comment]
    plainest = "".join(f"{piece.hashes[Form.NAMELESS]}{piece.weight:0{WEIGHT_DIGITS}}" for piece in said)
    return Fingerprint(
        sha256=digest(source),
        normal_form=digest(normal_form(source)),
        behaviour=behaviour_of(source).fingerprint(),
        forms=(*("".join(piece.hashes[form] for piece in said) for form in Form if form != Form.NAMELESS), plainest),
        comments="".join(piece.hashes[Form.WRITTEN] for piece in found if piece.is_comment),
        ending=source[len(source.rstrip()) :],
        returns="\r" in source,
    )


def parted(joined: str, more: int = 0) -> list[str]:
    """Return the hashes that were joined, each with so many digits more behind it."""
    width = HEX_DIGITS + more
    return [joined[at : at + width] for at in range(0, len(joined), width)]
