"""Reasoning that is dropped from history, or cut from the turn itself, is reasoning the model never learns."""

import re
from collections.abc import Iterator

from trainplate.checks.registry import Example, check
from trainplate.checks.trial import Pair, Trial, reasoning_and_content
from trainplate.conversations import text_of
from trainplate.rendering.common_start import common_start
from trainplate.verdict import SAID, Finding

ORIGINAL = "{% for m in messages %}<{{ m.role }}>{{ m.content }}</s>{% endfor %}"
CUT = ORIGINAL.replace("m.content", "m.content.split('</think>')[-1]")


def reasons(trial: Trial) -> bool:
    """Concern conversations in which the assistant reasons."""
    return any(reasoning_and_content(trial.conversation.messages[turn])[0].strip() for turn in trial.conversation.turns)


LEAD = 40
"""Characters that are shown in front of where reasoning should stand, from the start of a line or token on."""
OPENED = re.compile(r"\n|(?=[<\[])")


@check(passes=Example(ORIGINAL, ORIGINAL), fails=Example(CUT, CUT), concerns=reasons)
def reasoning_kept(trial: Trial) -> Iterator[Finding]:
    """Reasoning is printed, and so trained, at every position.

    Reasoning that stands in the content always; reasoning as a field wherever the original prints it while the turn is
    the last.
    """
    if trial.training is None:
        return
    for pair in trial.told:
        reasoning = reasoning_and_content(pair.message)[0].strip()
        if not reasoning or reasoning in trial.training.text:
            continue
        if must_be_kept(pair, reasoning):
            yield trial.finding("reasoning-kept", *loss(trial.training.text, pair, reasoning), SAID)
            return


def must_be_kept(pair: Pair, reasoning: str) -> bool:
    """Whether the template prints what the reasoning stands in, or prints it as long as nothing follows."""
    content = text_of(pair.message.get("content"))
    if reasoning in content:
        answer = reasoning_and_content(pair.message)[1].split()[:1]
        return bool(answer) and answer[0] in (pair.training.text or "")
    return reasoning in (pair.original.text or "")


def loss(whole: str, pair: Pair, reasoning: str) -> tuple[str, Pair, str, str]:
    """Say when the reasoning of a turn is dropped, with what is printed in its place."""
    alone, prompt = pair.training.text or "", pair.training.prompt or ""
    later = reasoning in alone
    text = whole if later else alone
    place = common_start(prompt, text)
    opened = OPENED.search(text, max(0, place - LEAD), place)
    shown = text[opened.end() if opened else place :]
    return f"the reasoning of this turn is dropped{' once messages follow' if later else ''}", pair, reasoning, shown
