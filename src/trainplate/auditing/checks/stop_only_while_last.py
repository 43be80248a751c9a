"""A turn that ends with its stop token only while nothing follows teaches to stop once in a conversation."""

from collections.abc import Iterator

from trainplate.auditing.audit import Severity
from trainplate.auditing.examples import MARKED
from trainplate.auditing.facts import TOKEN, TOKEN_BEGUN
from trainplate.auditing.registry import Example, Seen, audit_check
from trainplate.auditing.subject import Subject
from trainplate.checks.stop_trained import plain_end
from trainplate.conversations import words
from trainplate.rendering.common_start import common_start

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
    conversation = subject.in_form("two-turns")
    answer, following = conversation.messages[1:3]
    alone, whole = subject.say(conversation.messages[:2]), subject.tell(conversation)
    if whole is None or alone is None:
        return
    last, later = plain_end(answer, alone), plain_end(answer, whole[: whole.find(words(following)[0])])
    if last is None or later is None or later.strip().startswith(last.strip()):
        return
    lost = last[len(TOKEN_BEGUN.sub("", last[: common_start(last, later)])) :]
    yield Seen(
        f"{lost.strip()!r} stands behind a turn only while it is the last",
        subject.writers.place(conversation, len(alone) - len(lost.lstrip()), end=2),
        f"{conversation.name}[:2]",
        alone,
        whole,
        severity=Severity.WARNING if TOKEN.match(later.strip()) else Severity.ERROR,
    )
