"""Two tokens that begin a text are one more than the model has ever seen."""

from collections.abc import Iterator

from trainplate.auditing.audit import Severity
from trainplate.auditing.examples import MARKED, tokenizer_of_letters
from trainplate.auditing.registry import Example, Seen, audit_check, speech
from trainplate.auditing.subject import Subject

BOS = {"bos_token": "<s>"}


def unknown(subject: Subject) -> str:
    """Need a tokenizer, where the template prints BOS once."""
    if not subject.facts.bos or times_printed(subject) > 1:
        return speech(subject)
    return "" if subject.encoder else "there is no tokenizer at hand to say whether it adds BOS by itself"


@audit_check(
    severity=Severity.WARNING,
    cure="encode rendered texts with add_special_tokens=False, as apply_chat_template(tokenize=True) does",
    passes=Example("{{ bos_token }}" + MARKED, BOS, tokenizer_of_letters),
    fails=Example("{{ bos_token }}" + MARKED, BOS, lambda: tokenizer_of_letters(adds_bos=True)),
    missing=unknown,
)
def bos_printed_twice(subject: Subject) -> Iterator[Seen]:
    """A text begins with BOS once, also where it is rendered first and encoded in a second step.

    Taking BOS out of the template is no cure: then a text that is rendered and encoded in one step has none.
    """
    bos, conversation = subject.facts.bos, subject.in_form("one-turn")
    if not bos:
        return
    if (times := times_printed(subject)) > 1:
        yield Seen(
            f"the template itself prints {bos} {times} times",
            subject.writer_of(conversation, bos),
            conversation.name,
            after=subject.tell(conversation) or "",
            cure="let it be printed once",
            severity=Severity.ERROR,
        )
    elif subject.encoder and subject.encoder.id_of(bos) in subject.encoder.added()[:1]:
        message = f"the template prints {bos}, and tokenizer(text) puts another in front"
        yield Seen(
            message, subject.writer_of(conversation, bos), conversation.name, bos, bos * 2, ("printed", "encoded")
        )


def times_printed(subject: Subject) -> int:
    """Count BOS in a conversation of one question and one answer."""
    text = subject.tell(subject.in_form("one-turn")) if subject.support.speaks else None
    return (text or "").count(subject.facts.bos) if subject.facts.bos else 0
