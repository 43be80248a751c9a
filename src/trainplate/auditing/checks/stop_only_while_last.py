"""A turn that ends with its stop token only while nothing follows teaches to stop once in a conversation."""

from collections.abc import Iterator

from trainplate.auditing.audit import Severity
from trainplate.auditing.examples import MARKED
from trainplate.auditing.registry import Example, Seen, audit_check
from trainplate.auditing.subject import Subject
from trainplate.checks.stop_trained import plain_end

FAILS = MARKED.replace("{{ m.content }}</s>", "{{ m.content }}{{ '</s>' if loop.last }}")


@audit_check(
    severity=Severity.ERROR,
    cure="trainplate patch lets every turn end alike, or refuses",
    passes=Example(MARKED),
    fails=Example(FAILS),
)
def stop_only_while_last(subject: Subject) -> Iterator[Seen]:
    """What ends a turn while it is the last ends it in history too."""
    conversation = subject.in_form("two-turns")
    message, whole = conversation.messages[1], subject.tell(conversation)
    alone = subject.say(conversation.messages[:2])
    if whole is None or alone is None:
        return
    answer = (
        whole[: whole.find(str(conversation.messages[2]["content"])[:6])]
        if isinstance(message["content"], str)
        else whole
    )
    last, later = plain_end(message, alone), plain_end(message, answer)
    if last is not None and later is not None and last.strip() and not later.strip().startswith(last.strip()):
        at = len(alone) - len(last.lstrip())
        message_text = f"{last.strip()!r} ends a turn only while it is the last"
        place = subject.writers.place(conversation, at, end=2)
        yield Seen(message_text, place, f"{conversation.name}[:2]", alone, whole)
