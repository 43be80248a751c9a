"""transformers drops keys that are null, so a call without text has no content at all."""

from collections.abc import Iterator
from dataclasses import replace

from trainplate.auditing.audit import Severity
from trainplate.auditing.examples import CALLS
from trainplate.auditing.registry import Example, Seen, audit_check
from trainplate.auditing.subject import Subject
from trainplate.conversations import named

PROBES = {"call-missing-content": "without the key content", "call-content-none": "with null as content"}


@audit_check(
    severity=Severity.WARNING,
    cure="give an empty text as content; trainplate.normalise_messages fills it in",
    passes=Example(CALLS),
    fails=Example(CALLS.replace("{{ m.content }}", "{{ m.content + '' }}")),
)
def missing_content_declined(subject: Subject) -> Iterator[Seen]:
    """A tool call is printed whether its content is an empty text, null, or missing."""
    if declines(subject, "call"):
        return
    lost = [name for name in PROBES if declines(subject, name)]
    if lost:
        what = " or ".join(PROBES[name] for name in lost)
        yield Seen(f"a tool call {what} is declined", conversation=lost[0])


def declines(subject: Subject, name: str) -> bool:
    """Say whether a conversation is declined as transformers hands it over, without keys that are null."""
    return subject.tell(replace(subject.support.form, silence="empty").of(named(name))) is None
