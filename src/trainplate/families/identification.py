"""Recognition as a ladder: same bytes, normal form or behaviour, or nearest; the answer says which rung decided."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from trainplate.errors import LimitExceeded
from trainplate.families.behaviour import DECLINED, Behaviour, answers_in, behaviour_of
from trainplate.families.difference import Difference, difference
from trainplate.families.known_bytes import digest
from trainplate.families.likeness import SURELY_NEAR, likeness, near, weighed
from trainplate.families.pieces import Form, Piece, pieces
from trainplate.families.references import Reference, by_bytes, references
from trainplate.rendering import Limits, budget
from trainplate.syntax import normal_form, with_newlines
from trainplate.template import Template

LIMITS = Limits(seconds=10.0, characters=1_000_000)
"""For all questions together. A known original answers them in a tenth of a second; what is cut short is none."""


class Rung(StrEnum):
    """What decided that a template is known, the strictest first."""

    BYTES = "same bytes"
    NORMAL_FORM = "same normal form"
    BEHAVIOUR = "same behaviour"
    NEAREST = "nearest"


@dataclass(frozen=True)
class Match:
    """The known original that a template is, or is a copy of, and how that was decided."""

    family: str
    revision: str
    how: Rung
    also: tuple[str, ...] = ()
    """Other known originals that say the same to every conversation: `family revision`."""
    difference: Difference = field(default_factory=Difference)
    likeness: float = 1.0
    """The share of pieces that both have."""

    @property
    def is_known_original(self) -> bool:
        """Whether the template is a known original byte for byte, so that what is recorded of it holds as it is."""
        return self.how is Rung.BYTES


def known_original(template: Template | str) -> Match | None:
    """Return the known original that a template is byte for byte: the first rung alone, in a millisecond or two."""
    source = template.source if isinstance(template, Template) else template
    reference = by_bytes().get(digest(source))
    return Match(reference.family, reference.revision, Rung.BYTES, alike(reference)) if reference else None


def identify(template: Template | str, *, seconds: float = LIMITS.seconds) -> Match | None:
    """Return the known original that a template comes from, or None where it resembles none.

    To ask it all questions may take as many seconds; what is cut short resembles none by what it says. Raises
    SyntaxFault where the text is no template.
    """
    if known := known_original(template):
        return known
    source = template.source if isinstance(template, Template) else template
    found = pieces(source)
    form = digest(normal_form(source))
    if same := [one for one in references() if one.fingerprint.normal_form == form]:
        return match(source, found, same, Rung.NORMAL_FORM)
    with budget(replace(LIMITS, seconds=seconds)):
        return by_what_it_says(source, found)


def by_what_it_says(source: str, found: Sequence[Piece]) -> Match | None:
    """Ask a template the recognition set; return what it behaves like, or what it is a near copy of."""
    said = behaviour(source)
    if said and (same := [one for one in references() if said.agrees(one.fingerprint.behaviour)]):
        return match(source, found, same, Rung.BEHAVIOUR)
    copied = [one for share, one in near(found, source, references()) if share >= SURELY_NEAR or agreement(said, one)]
    return match(source, found, copied, Rung.NEAREST, said) if copied else None


def behaviour(source: str) -> Behaviour | None:
    """Compile a template to be asked; None where that alone takes longer than any known original does."""
    try:
        return behaviour_of(with_newlines(source))
    except LimitExceeded:
        return None


def match(
    source: str, found: Sequence[Piece], candidates: Iterable[Reference], how: Rung, said: Behaviour | None = None
) -> Match:
    """Decide between candidates by the pieces that they share with a template, and say what sets it apart."""
    ours = weighed(found)
    ranked = [
        (likeness(ours, one.fingerprint.weighed), agreement(said, one), written_alike(found, one), one)
        for one in candidates
    ]
    best = max(ranked, key=lambda rank: (rank[0] + rank[1], rank[2]))
    share, reference = best[0], best[-1]
    apart = difference(source, found, reference, said)
    return Match(reference.family, reference.revision, how, alike(reference), apart, share)


def agreement(said: Behaviour | None, reference: Reference) -> float:
    """Return the share of a reference's answers that a template gives too; declined questions are no answers."""
    if said is None:
        return 0.0
    answers = answers_in(reference.fingerprint.behaviour)
    given = [index for index, answer in enumerate(answers) if answer != DECLINED]
    return sum(said.answer(index) == answers[index] for index in given) / max(len(given), 1)


def written_alike(found: Sequence[Piece], reference: Reference) -> int:
    """Count the pieces that are written in the reference just as they are here."""
    return sum(reference.fingerprint.has(piece, Form.WRITTEN) for piece in found)


def alike(reference: Reference) -> tuple[str, ...]:
    """Name the other references that behave like one."""
    behaviour = reference.fingerprint.behaviour
    others = (one for one in references() if one is not reference and one.fingerprint.behaviour == behaviour)
    return tuple(other.label for other in others)
