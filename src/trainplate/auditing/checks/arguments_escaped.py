"""A model that sees letters outside of ASCII as escapes alone learns to write escapes."""

from collections.abc import Iterator

from trainplate.auditing.audit import Severity
from trainplate.auditing.examples import CALLS
from trainplate.auditing.registry import Example, Seen, audit_check
from trainplate.auditing.subject import Subject
from trainplate.auditing.telling import call_with

ARGUMENTS = {"city": "Coral1 Tromsø"}
ESCAPED = "Coral1 Troms\\u00f8"


@audit_check(
    severity=Severity.WARNING,
    cure="know that the model learns to write escapes; a patch keeps them, as the model was trained with them",
    passes=Example(CALLS),
    fails=Example(
        CALLS.replace("else c.function.arguments | tojson", "else c.function.arguments | tojson(ensure_ascii=true)")
    ),
)
def arguments_escaped(subject: Subject) -> Iterator[Seen]:
    """Letters outside of ASCII are printed as they are in the arguments of a tool call."""
    conversation = call_with(subject, ARGUMENTS)
    text = subject.tell(conversation) or ""
    if ESCAPED in text:
        message = "letters outside of ASCII are escaped in arguments"
        yield Seen(message, subject.writer_of(conversation, ESCAPED), "call", ARGUMENTS["city"], ESCAPED)
