"""A lone file does not say what `bos_token` is; with a tokenizer the template prints something else than without."""

from collections.abc import Iterator

from trainplate.auditing.audit import Severity
from trainplate.auditing.examples import MARKED
from trainplate.auditing.registry import Example, Seen, audit_check, nothing
from trainplate.auditing.special_tokens import tokens_read
from trainplate.auditing.subject import Subject

FAILS = Example("{{ bos_token }}" + MARKED, {"eos_token": "</s>"})


@audit_check(
    severity=Severity.NOTE,
    cure="name the model's folder or Hub id in place of the file, or pass special_tokens={...}",
    passes=Example("{{ bos_token }}" + MARKED, {"bos_token": "<s>"}),
    fails=FAILS,
    missing=nothing,
)
def special_tokens_missing(subject: Subject) -> Iterator[Seen]:
    """Every special token that the template prints is known.

    Where the template is a known original, its family's tokens are assumed; of others the audit knows that a text is
    printed, not which. Where a tokenizer has no such token, nothing is printed in its place.
    """
    known = subject.template.special_tokens
    for name, node in tokens_read(subject.tree).items():
        if name in subject.assumed_tokens:
            message = f"the source does not tell {name}; {subject.assumed_tokens[name]} is assumed"
            yield Seen(message, subject.place(node))
        elif name in subject.template.stand_ins:
            yield Seen(f"the source does not tell {name}; {known[name]} stands for it", subject.place(node))
        elif name not in known and not subject.support.speaks:
            yield Seen(f"the source does not tell {name}", subject.place(node), severity=Severity.WARNING)
        elif name not in known:
            yield Seen(f"the source does not tell {name}; the audit does without it", subject.place(node))
