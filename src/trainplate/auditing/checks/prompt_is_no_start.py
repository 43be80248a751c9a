"""What a model is asked with is not what it was trained behind, where turns do not begin like their prompts."""

from collections.abc import Iterator

from trainplate.auditing.audit import Severity
from trainplate.auditing.examples import MARKED
from trainplate.auditing.registry import Example, Seen, audit_check
from trainplate.auditing.subject import Subject
from trainplate.checks.mask_is_sampled_text import LONGEST_PREFILL
from trainplate.checks.telling import Turn
from trainplate.conversations import words
from trainplate.rendering.common_start import common_start

FAILS = MARKED.replace("<assistant>{% endif %}", "<assistant><think>{% endif %}")


@audit_check(
    severity=Severity.WARNING,
    cure="trainplate patch trains such a turn from the assistant's first word on",
    passes=Example(MARKED),
    fails=Example(FAILS),
)
def prompt_is_no_start(subject: Subject) -> Iterator[Seen]:
    """The generation prompt is the start of the turn that follows.

    Reasoning models often supply `<think>` in the prompt and leave it out of finished turns.
    """
    found = [
        (one.heard, turn)
        for one in subject.heard()
        if not one.irregular
        for turn in one.telling.turns[-1:]
        if turn.told and not turn.continues and is_prefill(own_end(turn))
    ]
    if found:
        told, turn = min(found, key=lambda each: len(each[1].prompt or ""))
        prompt, text, own = turn.prompt or "", turn.text or "", own_end(turn)
        shared, label = len(prompt) - len(own), f"{told.label}[:{turn.index + 1}]"
        place = subject.writers.place(told, shared, end=turn.index, prompt=True)
        message = f"the generation prompt ends with {own!r}, and the finished turn does not go on from there"
        yield Seen(message, place, label, prompt, text, ("prompt", "turn"), conversations=len(found))


def own_end(turn: Turn) -> str:
    """Return the end of the prompt that the finished turn does not have."""
    prompt, text = turn.prompt or "", turn.text or ""
    return prompt[common_start(prompt, text) :]


def is_prefill(text: str) -> bool:
    """Say whether a text is what a prompt supplies; where earlier messages stand in it, they were rewritten."""
    return len(text) <= LONGEST_PREFILL and not words(text)
