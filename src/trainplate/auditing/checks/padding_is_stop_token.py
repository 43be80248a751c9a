"""Where padding is the stop token, a collator that hides padding from the loss hides the stop token too."""

from collections.abc import Iterator

from trainplate.auditing.audit import Severity
from trainplate.auditing.examples import MARKED
from trainplate.auditing.registry import Example, Seen, audit_check, nothing
from trainplate.auditing.subject import Subject


def unknown(subject: Subject) -> str:
    """Need the tokenizer's padding and EOS."""
    tokens = subject.template.known_tokens
    return nothing(subject) if {"pad_token", "eos_token"} <= tokens.keys() else "the tokenizer's padding is not known"


@audit_check(
    severity=Severity.NOTE,
    cure="pad with a token that no turn ends with, or mask by position and not by id",
    passes=Example(MARKED, {"eos_token": "</s>", "pad_token": "<pad>"}),
    fails=Example(MARKED, {"eos_token": "</s>", "pad_token": "</s>"}),
    missing=unknown,
)
def padding_is_stop_token(subject: Subject) -> Iterator[Seen]:
    """The padding token is neither EOS nor a token that ends turns.

    It is a warning where turns end with it: hidden from the loss, it is never learnt.
    """
    pad, eos = (subject.template.special_tokens[name] for name in ("pad_token", "eos_token"))
    if pad in subject.facts.stop_tokens:
        yield Seen(f"padding is {pad}, with which turns end", severity=Severity.WARNING)
    elif pad == eos:
        yield Seen(f"padding is {pad}, and so is EOS")
