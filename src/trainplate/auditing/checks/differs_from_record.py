"""A copy that was changed by hand may say other things than the original whose name it bears."""

from collections.abc import Iterator

from trainplate.auditing.audit import Place, Severity
from trainplate.auditing.examples import MARKED
from trainplate.auditing.registry import Example, Seen, audit_check
from trainplate.auditing.subject import Subject
from trainplate.families.drift import unexpected_deviations
from trainplate.families.identification import Match, Rung


def unknown(subject: Subject) -> str:
    """Need a family that the template comes from."""
    return "" if subject.match else "the template resembles no known original"


@audit_check(
    severity=Severity.NOTE,
    cure="take the publisher's own template, if this one was not changed on purpose",
    passes=Example(MARKED),
    fails=Example(MARKED),
    missing=unknown,
)
def differs_from_record(subject: Subject) -> Iterator[Seen]:
    """A template that comes from a known original says what that says.

    It is a warning where a conversation is told otherwise, and a note where only the writing differs.
    """
    match = subject.match
    if match is None or match.how is Rung.BYTES:
        return
    yield from changed(match)
    if subject.patch is not None:
        reasons = (deviation.reason for deviation in subject.patch.deviations)
        for reason in unexpected_deviations(match, reasons):
            yield Seen(f"its patch needs what that of {match.family} does not: {reason}")


def changed(match: Match) -> Iterator[Seen]:
    """Yield what sets a template apart from its original."""
    apart, name = match.difference, f"{match.family} {match.revision}"
    first = apart.lines[0] if apart.lines else None
    place = Place(first.number, 1, first.text) if first else None
    if match.how is Rung.NEAREST:
        lines = f"{len(apart.lines)} lines of its own, {apart.missing} pieces missing"
        told = f"; {apart.conversation} is told otherwise" if apart.conversation else ""
        severity = Severity.WARNING if apart.conversation else Severity.NOTE
        yield Seen(f"it comes from {name}, with {lines}{told}", place, apart.conversation or "", severity=severity)
    elif apart:
        manners = ", ".join(apart.manners) or "lines of its own"
        yield Seen(f"it says what {name} says, and differs in {manners}", place)
