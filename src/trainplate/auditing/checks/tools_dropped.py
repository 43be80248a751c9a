"""A model that is not told which tools there are learns to call them all the same."""

import json
from collections.abc import Iterator

from trainplate.auditing.audit import Severity
from trainplate.auditing.examples import CALLS
from trainplate.auditing.registry import Example, Seen, audit_check
from trainplate.auditing.subject import Subject
from trainplate.conversations import Answer


@audit_check(
    severity=Severity.NOTE,
    cure="describe the tools in a system message of your own",
    passes=Example(CALLS),
    fails=Example(CALLS.replace("{{ tools | tojson if tools }}", "")),
)
def tools_dropped(subject: Subject) -> Iterator[Seen]:
    """Tools that are given are printed.

    It is a warning where the template prints calls, and so is made for tools.
    """
    if subject.support.answers["tools"] is Answer.DROPPED:
        conversation = subject.in_form("tools-no-call")
        severity = Severity.WARNING if subject.support.prints("calls") else Severity.NOTE
        text = subject.tell(conversation) or ""
        yield Seen(
            "tools that are given are not printed",
            conversation=conversation.name,
            before=json.dumps(conversation.tools),
            after=text,
            severity=severity,
        )
