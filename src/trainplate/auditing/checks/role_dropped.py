"""A message that is left out without a word is an answer trained on a question that was never asked."""

from collections.abc import Iterator

from trainplate.auditing.audit import Severity
from trainplate.auditing.examples import MARKED
from trainplate.auditing.registry import Example, Seen, audit_check
from trainplate.auditing.subject import Subject
from trainplate.auditing.telling import printed_near
from trainplate.conversations import FEATURES, Answer, text_of

ROLES = {
    "system": (Severity.ERROR, "a system message"),
    "late-system": (Severity.WARNING, "a system message in the middle"),
    "developer": (Severity.WARNING, "a developer message"),
}
FAILS = MARKED.replace("{% for m in messages %}", "{% for m in messages if m.role != 'developer' %}")


@audit_check(
    severity=Severity.WARNING,
    cure="put what it says where the template prints it, a system or user message; no patch invents a place for it",
    passes=Example(MARKED),
    fails=Example(FAILS),
)
def role_dropped(subject: Subject) -> Iterator[Seen]:
    """A message of any role is printed, or the conversation is declined; it is never left out without a word."""
    for feature, (severity, what) in ROLES.items():
        if subject.support.answers[feature] is Answer.DROPPED:
            conversation = subject.in_form(FEATURES[feature].probe)
            number = next(i for i, m in enumerate(conversation.messages) if m["role"] in ("system", "developer"))
            yield Seen(
                f"{what} is left out without a word",
                conversation=conversation.name,
                before=text_of(conversation.messages[number]["content"]),
                after=printed_near(subject.tell(conversation) or "", conversation, number),
                severity=severity,
            )
