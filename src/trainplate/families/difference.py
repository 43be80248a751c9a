"""What sets a template apart from the reference it was recognised by, told without the reference's text."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from trainplate.families.behaviour import Behaviour, answers_in
from trainplate.families.fingerprint import Fingerprint, parted
from trainplate.families.pieces import Form, Piece
from trainplate.families.references import Reference
from trainplate.syntax import line_of, with_newlines

MANNERS = {
    Form.UNSIGNED: "white space control",
    Form.SPELLED: "quotes or spaces within tags",
    Form.NAMELESS: "names",
}
"""What two pieces differ in that are the same in this form and not in the one before."""


@dataclass(frozen=True)
class OwnLine:
    """A line of the user's template that the reference does not have; `number` counts from 1."""

    number: int
    text: str


@dataclass(frozen=True)
class Difference:
    """How a template differs from a reference; nothing of it is set where they are the same."""

    manners: tuple[str, ...] = ()
    """What only the writing differs in: `line ends`, `comments`, `white space control`, `names`, ..."""
    lines: tuple[OwnLine, ...] = ()
    """The user's own lines."""
    missing: int = 0
    """How many pieces of the reference are not there."""
    conversation: str | None = None
    """A conversation of the recognition set that the two tell differently; None where all are told alike."""

    def __bool__(self) -> bool:
        """Say whether there is any difference."""
        return bool(self.manners or self.lines or self.missing or self.conversation)


def difference(source: str, found: Sequence[Piece], reference: Reference, said: Behaviour | None) -> Difference:
    """Compare a template with a reference; `said` is None where both are known to say the same."""
    theirs = reference.fingerprint
    written = tuple(dict.fromkeys(manners(source, found, theirs)))
    lines, lost = tuple(own_lines(source, found, theirs)), missing(found, theirs)
    return Difference(
        manners=written if written or lines or lost else ("white space between tags",),
        lines=lines,
        missing=lost,
        conversation=told_apart(said, theirs.behaviour) if said else None,
    )


def manners(source: str, found: Sequence[Piece], theirs: Fingerprint) -> Iterator[str]:
    """Yield what the writing differs in; pieces that differ in more are own lines."""
    if ("\r" in source) != theirs.returns:
        yield "line ends"
    if with_newlines(source[len(source.rstrip()) :]) != with_newlines(theirs.ending):
        yield "white space at the end"
    comments = [piece.hashes[Form.WRITTEN] for piece in found if piece.is_comment]
    if sorted(comments) != sorted(parted(theirs.comments)):
        yield "comments"
    for piece in found:
        if not piece.is_comment and (form := first_shared_form(piece, theirs)) in MANNERS:
            yield MANNERS[form]


def first_shared_form(piece: Piece, theirs: Fingerprint) -> Form | None:
    """Return the first form in which the reference has the piece too."""
    return next((form for form in Form if theirs.has(piece, form)), None)


def own_lines(source: str, found: Sequence[Piece], theirs: Fingerprint) -> Iterator[OwnLine]:
    """Yield the lines with a piece that the reference has in no form."""
    source = with_newlines(source)
    lines = source.split("\n")
    numbers = {
        number
        for piece in found
        if not piece.is_comment and first_shared_form(piece, theirs) is None
        for number in range(line_of(source, piece.start)[0], line_of(source, max(piece.start, piece.end - 1))[0] + 1)
    }
    yield from (OwnLine(number, lines[number - 1].strip()) for number in sorted(numbers))


def missing(found: Sequence[Piece], theirs: Fingerprint) -> int:
    """Count the reference's pieces that a template has in no form."""
    ours = {piece.hashes[Form.NAMELESS] for piece in found}
    return sum(count for (piece, _), count in theirs.weighed.items() if piece not in ours)


def told_apart(said: Behaviour, behaviour: str) -> str | None:
    """Name the first question to which the answers differ."""
    for index, answer in enumerate(answers_in(behaviour)):
        if said.answer(index) != answer:
            return said.asked.questions[index].label
    return None
