"""A model that always sees keys in the order of the alphabet learns an order that nobody wrote."""

from collections.abc import Iterator

from trainplate.auditing.audit import Severity
from trainplate.auditing.examples import CALLS
from trainplate.auditing.registry import Example, Seen, audit_check
from trainplate.auditing.subject import Subject
from trainplate.auditing.telling import call_with

ARGUMENTS = {"zenith": "Coral1", "azimuth": "Coral2", "meridian": "Coral3"}


@audit_check(
    severity=Severity.WARNING,
    cure="know that the model learns this order; a patch keeps it, as the model was trained with it",
    passes=Example(CALLS),
    fails=Example(
        CALLS.replace("else c.function.arguments | tojson", "else c.function.arguments | tojson(sort_keys=true)")
    ),
)
def arguments_reordered(subject: Subject) -> Iterator[Seen]:
    """The arguments of a tool call are printed in the order in which they are given."""
    conversation = call_with(subject, ARGUMENTS)
    text = subject.tell(conversation) or ""
    places = [text.find(key) for key in ARGUMENTS]
    if min(places) >= 0 and places != sorted(places):
        order = ", ".join(sorted(ARGUMENTS, key=text.find))
        message = f"arguments are printed in another order: {order}"
        yield Seen(message, subject.writer_of(conversation, "azimuth"), "call", ", ".join(ARGUMENTS), order)
