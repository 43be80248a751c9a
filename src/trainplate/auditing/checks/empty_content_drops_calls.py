"""Most data sets give an empty text beside a call; a template that asks for null takes the text for an answer."""

import json
from collections.abc import Iterator

from trainplate.auditing.audit import Severity
from trainplate.auditing.examples import CALLS
from trainplate.auditing.registry import Example, Seen, audit_check
from trainplate.auditing.subject import Subject
from trainplate.auditing.telling import beside_empty_text, patch_prints, printed_near, prints_call

FAILS = CALLS.replace(
    "m.tool_calls or []", "(m.tool_calls or [] if m.content is undefined or m.content is none else [])"
)

LEAVE_OUT = "leave the key content out of such messages, as trainplate.normalise_messages does"
KEEP_OUT = "keep such turns out of the data"


@audit_check(
    severity=Severity.ERROR,
    cure=LEAVE_OUT,
    passes=Example(CALLS),
    fails=Example(FAILS),
)
def empty_content_drops_calls(subject: Subject) -> Iterator[Seen]:
    """A tool call that is printed beside no content, or beside null, is printed beside an empty text too.

    One that is never printed has a check of its own.
    """
    conversation = beside_empty_text(subject, "call")
    text = subject.tell(conversation)
    if text is None or prints_call(text, conversation):
        return
    without = beside_empty_text(subject, "call-missing-content")
    missing = prints_call(subject.tell(without), without)
    if missing or subject.support.prints("calls"):
        other = "without the key content" if missing else "with null as content"
        after_patch = "" if missing else f"trainplate patch (missing-content), then {LEAVE_OUT}"
        yield Seen(
            f"a tool call with an empty text as content is left out without a word; {other} it is printed",
            conversation=conversation.name,
            before=json.dumps({key: conversation.messages[-1][key] for key in ("content", "tool_calls")}),
            after=printed_near(text, conversation, len(conversation.messages) - 1),
            cure=after_patch if missing or patch_prints(subject, "call-missing-content") else KEEP_OUT,
        )
