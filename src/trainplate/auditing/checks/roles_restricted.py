"""Some templates turn conversations down by the order of their roles; a data set may be full of such."""

from collections.abc import Iterator

from trainplate.auditing.audit import Severity
from trainplate.auditing.examples import MARKED
from trainplate.auditing.registry import Example, Seen, audit_check
from trainplate.auditing.subject import Subject
from trainplate.conversations import FEATURES, Answer

ROLES = ("system", "late-system", "developer", "assistant-first", "answers-in-a-row", "user-twice", "tool")
FAILS = "{% if messages[0].role != 'user' %}{{ raise_exception('begin with a question') }}{% endif %}" + MARKED


@audit_check(
    severity=Severity.NOTE,
    cure="leave such conversations out of the data; trainplate data says which they are",
    passes=Example(MARKED),
    fails=Example(FAILS),
)
def roles_restricted(subject: Subject) -> Iterator[Seen]:
    """Every role is taken, in every order."""
    declined = [role for role in ROLES if subject.support.answers[role] is Answer.DECLINED]
    if declined:
        what = ", ".join(FEATURES[role].meaning for role in declined)
        yield Seen(f"the template declines: {what}", conversation=FEATURES[declined[0]].probe)
