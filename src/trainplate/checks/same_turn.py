"""What is trained is what the original would have the model say."""

from collections.abc import Iterator
from itertools import chain

from trainplate.checks.endings import endings, may_be_added
from trainplate.checks.registry import Example, check
from trainplate.checks.trial import THINK_CLOSE, Pair, Trial, reasoning_and_content
from trainplate.conversations import text_of
from trainplate.verdict import COMPARED, Finding

ORIGINAL = (
    "{% for m in messages %}<{{ m.role }}>{{ m.content }}</s>{% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)
FAILS = Example(ORIGINAL, ORIGINAL.replace("m.content", "m.content | upper"))


@check(passes=Example(ORIGINAL, ORIGINAL), fails=FAILS)
def same_turn(trial: Trial) -> Iterator[Finding]:
    """What a turn adds to its prompt is what the original's turn adds, but for stated deviations.

    They are: a stop token behind a turn that has none, reasoning kept where the original drops it, and shedding what
    the original prints only while nothing follows (an end-of-document token, a generation prompt nobody asked for).
    White space behind the turn's last visible character is free.
    """
    for pair in trial.told:
        if not is_same_turn(pair, trial):
            start = len(pair.original.prompt or "") if pair.original.continues else 0
            yield trial.finding(
                "same-turn", "the turn differs", pair, (pair.original.text or "")[start:], pair.new, COMPARED
            )
            return


def is_same_turn(pair: Pair, trial: Trial) -> bool:
    """Whether the turn in training equals the original's, or one of the allowed forms of it."""
    both = pair.original.continues and pair.training.continues
    text = pair.original.text or ""
    if pair.silent and not pair.new.strip() and not added_by_original(pair).strip():
        return True
    if both and pair.new == text[len(pair.original.prompt or "") :]:
        return True
    # The text as it is comes first: to know how else it may end, the original has to be asked for more.
    return any(
        matches(pair, ending, trial, both=both) or keeps_reasoning(pair, ending, trial)
        for ending in chain([text], (other for other in endings(pair, trial)[1:]))
    )


def added_by_original(pair: Pair) -> str:
    """Return what the original's turn adds to its prompt, or to the turn before where it contradicts its prompt."""
    text, prompt = pair.original.text or "", pair.original.prompt or ""
    if text.startswith(prompt):
        return text[len(prompt) :]
    return "" if prompt.startswith(text.rstrip()) else text


def matches(pair: Pair, ending: str, trial: Trial, *, both: bool) -> bool:
    """Whether the new text is the original's, with at most a stop token more."""
    mine, theirs = pair.new.rstrip(), ending.rstrip()
    if both or (pair.before is None and not pair.training.continues):
        theirs = theirs[len(pair.original.prompt or "") :] if both else theirs
        return mine.startswith(theirs) and may_be_added(mine[len(theirs) :], pair, trial)
    if not mine or any(word not in mine for word in pair.words):
        return False
    shortest = max(1, len(mine) - 41)
    return any(
        theirs.endswith(mine[:cut]) and may_be_added(mine[cut:], pair, trial) for cut in range(len(mine), shortest, -1)
    )


def keeps_reasoning(pair: Pair, ending: str, trial: Trial) -> bool:
    """Whether the new text is the original's with the think block in front that the original drops."""
    reasoning, content = reasoning_and_content(pair.message)
    reasoning, new = reasoning.strip(), pair.new
    theirs = ending[len(pair.original.prompt or "") if pair.original.continues else 0 :]
    if not reasoning and THINK_CLOSE not in text_of(pair.message.get("content")):
        return False
    if reasoning and (reasoning in theirs or new.count(reasoning) != 1):
        return False
    answer = next(iter(content.split()), "") or next((word for word in pair.words if word not in reasoning), "")
    if not answer:
        return bool(reasoning)
    block, found, rest = new.partition(answer)
    if not found or answer not in theirs or reasoning not in block:
        return False
    mine, same = (answer + rest).rstrip(), theirs[theirs.find(answer) :].rstrip()
    return mine.startswith(same) and may_be_added(mine[len(same) :], pair, trial)
