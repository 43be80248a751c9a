"""Text may stay in place while tokens do not: the last token of a turn may join with what follows."""

from collections.abc import Iterator

from trainplate.auditing.audit import Severity
from trainplate.auditing.examples import ENDING_IN_A_SIGN, tokenizer_of_letters
from trainplate.auditing.registry import Example, Seen, audit_check
from trainplate.auditing.subject import Subject
from trainplate.auditing.telling import tokens_needed
from trainplate.checks.telling import voice
from trainplate.verdict import AS_IT_GROWS


@audit_check(
    severity=Severity.WARNING,
    cure="mask and cut whole conversations, and never the tokens of a shorter one",
    passes=Example(ENDING_IN_A_SIGN, {}, tokenizer_of_letters),
    fails=Example(ENDING_IN_A_SIGN, {}, lambda: tokenizer_of_letters("#$")),
    missing=tokens_needed,
)
def token_prefix_broken(subject: Subject) -> Iterator[Seen]:
    """With this tokenizer, appending messages leaves every earlier token in place wherever it leaves the text in place.

    Of the training template where there is one, else of the template as it is.
    """
    encoder, shown = subject.encoder, None
    count = 0
    for one in subject.heard():
        told = one.conversation
        say = voice(subject.training or subject.original, told)
        whole = say(told.messages)
        for turn in told.turns[:-1] if told.turns and told.turns[-1] + 1 == len(told.messages) else told.turns:
            text = say(told.messages[: turn + 1])
            if encoder is None or whole is None or text is None or not whole.startswith(text):
                continue
            shorter, longer = encoder.offsets(text), encoder.offsets(whole)
            if longer[: len(shorter)] != shorter or encoder.ids(whole)[: len(shorter)] != encoder.ids(text):
                count += 1
                shown = shown or (f"{told.label}[:{turn + 1}]", text, whole, parting(shorter, longer))
                break
    if shown:
        label, text, whole, at = shown
        ends = whole[at : at + 12]
        message = f"text stays in place, but tokens do not: they join across the end of a turn, at {ends!r}"
        yield Seen(
            message,
            conversation=label,
            before=text[at:],
            after=whole[at : at + 24],
            labels=AS_IT_GROWS,
            conversations=count,
        )


def parting(shorter: list[tuple[int, int]], longer: list[tuple[int, int]]) -> int:
    """Return where in the text two sequences of tokens part."""
    same = next((i for i, (a, b) in enumerate(zip(shorter, longer, strict=False)) if a != b), len(shorter))
    return shorter[same][0] if same < len(shorter) else 0
