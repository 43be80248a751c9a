"""An answer whose facts came from a tool teaches to make them up, where the result is not printed."""

from collections.abc import Iterator

from trainplate.auditing.audit import Severity
from trainplate.auditing.examples import CALLS
from trainplate.auditing.registry import Example, Seen, audit_check
from trainplate.auditing.subject import Subject
from trainplate.auditing.telling import printed_near
from trainplate.conversations import text_of, words

FAILS = CALLS.replace("{% for m in messages %}", "{% for m in messages if m.role != 'tool' %}")


@audit_check(
    severity=Severity.WARNING,
    cure="leave tool results out of the data, or use a template with a format for them; no patch invents one",
    passes=Example(CALLS),
    fails=Example(FAILS),
)
def tool_results_dropped(subject: Subject) -> Iterator[Seen]:
    """The result of a tool is printed, or the conversation is declined."""
    conversation = subject.in_form("tool-cycle")
    text = subject.tell(conversation)
    number = next(i for i, message in enumerate(conversation.messages) if message["role"] == "tool")
    result = text_of(conversation.messages[number]["content"])
    if text is not None and not all(word in text for word in words(result)):
        severity = Severity.ERROR if subject.support.prints("calls") else Severity.WARNING
        yield Seen(
            "the result of a tool is left out without a word",
            conversation=conversation.name,
            before=result,
            after=printed_near(text, conversation, number),
            severity=severity,
        )
