"""transformers drops keys that are null, so a call without text has no content at all."""

from collections.abc import Iterator

from trainplate.auditing.audit import Severity
from trainplate.auditing.examples import CALLS
from trainplate.auditing.registry import Example, Seen, audit_check
from trainplate.auditing.subject import Subject
from trainplate.auditing.telling import beside_empty_text, patch_prints, prints_call

PATCH = "trainplate patch (missing-content)"
KEEP_OUT = "keep such turns out of the data, as beside an empty text the call is left out"
PROBES = {"call-missing-content": "without the key content", "call-content-none": "with null as content"}


@audit_check(
    severity=Severity.WARNING,
    cure="give an empty text as content; trainplate.normalise_messages fills it in",
    passes=Example(CALLS),
    fails=Example(CALLS.replace("{{ m.content }}", "{{ m.content + '' }}")),
)
def missing_content_declined(subject: Subject) -> Iterator[Seen]:
    """A tool call is printed whether its content is an empty text, null, or missing."""
    empty = beside_empty_text(subject, "call")
    text = subject.tell(empty)
    if text is None or not (prints_call(text, empty) or subject.support.prints("calls")):
        return  # calls are declined or left out whatever stands beside them, which other checks say
    lost = [name for name in PROBES if declines(subject, name)]
    if lost:
        what = " or ".join(PROBES[name] for name in lost)
        patched = all(patch_prints(subject, name) for name in lost)
        cure = PATCH if patched else "" if prints_call(text, empty) else KEEP_OUT
        yield Seen(f"a tool call {what} is declined", conversation=lost[0], cure=cure)


def declines(subject: Subject, name: str) -> bool:
    """Say whether a conversation is declined as transformers hands it over, without keys that are null."""
    return subject.tell(beside_empty_text(subject, name)) is None
