"""A turn that ends with its stop token only while nothing follows teaches to stop once in a conversation."""

from collections.abc import Iterator

from trainplate.auditing.audit import Severity
from trainplate.auditing.examples import MARKED
from trainplate.auditing.facts import TOKEN
from trainplate.auditing.registry import Example, Seen, audit_check
from trainplate.auditing.subject import Subject
from trainplate.auditing.telling import end_that_goes, is_prompt

FAILS = MARKED.replace("{{ m.content }}</s>", "{{ m.content }}{{ '</s>' if loop.last }}")


@audit_check(
    severity=Severity.ERROR,
    cure="trainplate patch lets every turn end alike, or refuses",
    passes=Example(MARKED),
    fails=Example(FAILS),
)
def stop_only_while_last(subject: Subject) -> Iterator[Seen]:
    """What ends a turn while it is the last ends it in history too.

    It is a warning where turns in history end with a token of their own.
    """
    found = end_that_goes(subject)
    if found is None or is_prompt(subject, found.lost):
        return
    yield Seen(
        f"{found.lost.strip()!r} stands behind a turn only while it is the last",
        subject.writers.place(found.conversation, found.start, end=2),
        f"{found.conversation.name}[:2]",
        found.alone,
        found.whole,
        ("as last", "in history"),
        severity=Severity.WARNING if TOKEN.match(found.later.strip()) else Severity.ERROR,
    )
