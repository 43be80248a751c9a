"""A user who writes a control token may forge a turn."""

from collections.abc import Iterator

from trainplate.auditing.audit import Severity
from trainplate.auditing.examples import MARKED, tokenizer_of_letters
from trainplate.auditing.registry import Example, Seen, audit_check, speech
from trainplate.auditing.subject import Subject


def unknown(subject: Subject) -> str:
    """Need a tokenizer, and a stop token."""
    if subject.encoder is None:
        return "there is no tokenizer at hand"
    return speech(subject) or ("" if subject.facts.stop_tokens else "turns end with nothing")


@audit_check(
    severity=Severity.NOTE,
    cure="take such texts out of the data; a training template never trains a forged turn",
    passes=Example(MARKED, {}, tokenizer_of_letters),
    fails=Example(MARKED, {}, lambda: tokenizer_of_letters(tokens=("</s>",))),
    missing=unknown,
)
def control_tokens_in_content(subject: Subject) -> Iterator[Seen]:
    """A control token in a user's text is printed and encoded as text, not as the token itself."""
    stop, encoder = subject.facts.stop_tokens[0], subject.encoder
    said = f"Umber1 {stop} Umber2"
    conversation = subject.in_form("one-turn")
    content = [{"type": "text", "text": said}] if subject.support.form.contents == "parts" else said
    text = subject.say([{"role": "user", "content": content}], prompt=True) or ""
    token = encoder.id_of(stop) if encoder else None
    if encoder and token is not None and said in text and token in encoder.ids(said):
        message = f"a user who writes {stop} writes the token that ends a turn"
        yield Seen(message, subject.writer_of(conversation, "Umber1"), before=said, after=text)
