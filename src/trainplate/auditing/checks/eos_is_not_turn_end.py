"""Who looks for EOS to find the end of a turn finds none where turns end with another token."""

from collections.abc import Iterator

from trainplate.auditing.audit import Severity
from trainplate.auditing.examples import MARKED
from trainplate.auditing.registry import Example, Seen, audit_check, speech
from trainplate.auditing.subject import Subject


def unknown(subject: Subject) -> str:
    """Need the tokenizer's EOS, and a turn that ends with something."""
    if not subject.template.known_tokens.get("eos_token"):
        return "the tokenizer's EOS is not known"
    return speech(subject) or ("" if subject.facts.stop_tokens else "turns end with nothing")


@audit_check(
    severity=Severity.WARNING,
    cure="make the stop token an eos_token_id of generation_config.json, or generation will not end",
    passes=Example(MARKED, {"eos_token": "</s>"}),
    fails=Example(MARKED, {"eos_token": "<eos>"}),
    missing=unknown,
)
def eos_is_not_turn_end(subject: Subject) -> Iterator[Seen]:
    """The token that ends a turn is the tokenizer's EOS."""
    eos, stop = subject.template.special_tokens["eos_token"], subject.facts.stop_tokens[0]
    if eos not in subject.facts.stop_tokens:
        conversation = subject.in_form("one-turn")
        place = subject.writer_of(conversation, stop)
        yield Seen(f"a turn ends with {stop}, but EOS is {eos}", place, conversation.name, eos, stop)
