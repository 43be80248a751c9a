"""What users, tools and the system say belongs to the original: training leaves it alone."""

import re
from collections.abc import Iterator

from trainplate.checks.registry import Example, check
from trainplate.checks.trial import Pair, Trial
from trainplate.verdict import COMPARED, Finding

STOP_TOKEN = re.compile(r"<[^<>\s]+>$")
ORIGINAL = (
    "{% for m in messages %}<{{ m.role }}>{{ m.content }}</s>{% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)
FAILS = Example(ORIGINAL, ORIGINAL.replace("<{{ m.role }}>", "{{ '\n' if not loop.first }}<{{ m.role }}>"))


def several_turns(trial: Trial) -> bool:
    """Concern conversations with a prompt behind a turn."""
    return len(trial.conversation.turns) > 1


@check(passes=Example(ORIGINAL, ORIGINAL), fails=FAILS, concerns=several_turns)
def between_turns(trial: Trial) -> Iterator[Finding]:
    """From the end of one turn to the next prompt stands what the original prints there, whole and once."""
    for pair in trial.told:
        if pair.before is None or not pair.before.told or not pair.before.training.told:
            continue
        prompt, earlier = pair.training.prompt or "", pair.before.training.text or ""
        if not prompt.startswith(earlier):
            yield trial.finding(
                "between-turns", "the turn before is rewritten in the next prompt", pair, earlier, prompt
            )
            return
        if not is_between(prompt[len(earlier) :], pair, pair.before):
            word = pair.before.last_word
            theirs, mine = tail(pair.original.prompt or "", word), tail(prompt, word)
            yield trial.finding(
                "between-turns", "the text behind the turn before differs", pair, theirs, mine, COMPARED
            )
            return


def is_between(between: str, pair: Pair, before: Pair) -> bool:
    """Whether `between` is all that the original prints behind the turn before, but for the stop token taken over."""
    theirs = pair.original.prompt or ""
    if not theirs.endswith(between):
        return False
    cut = len(theirs) - len(between)
    last, last_original = before.training.text or "", before.original.text or ""
    if theirs.startswith(last_original):
        if last.startswith(last_original.rstrip()):
            return continues_alike(last + between, theirs, last_original.rstrip(), last)
        taken, twice = theirs[len(last_original) : cut], theirs[cut : len(last_original)]
        return not twice.strip() and (not taken.strip() or last.rstrip().endswith(taken.strip()))
    return behind_last_word(theirs, cut, before)


def continues_alike(mine: str, theirs: str, kept: str, last: str) -> bool:
    """Whether both go on alike behind the text that both keep, but for a stop token that only training has.

    A stop token that the original prints next is taken over and stands there once; white space in front may go.
    """
    rest, expected, stop = mine[len(kept) :], theirs[len(kept) :], last[len(kept) :].strip()
    if rest == expected:
        return True
    if not stop:
        return False
    if expected.lstrip().startswith(stop):
        return rest.lstrip() == expected.lstrip()
    return rest.lstrip()[len(stop) :].lstrip() == expected.lstrip()


def behind_last_word(theirs: str, cut: int, before: Pair) -> bool:
    """The same where the original rewrites the turn before: what is left out there must be that turn's own end."""
    word = before.last_word
    if not word or word not in theirs:
        return True
    start = theirs.rfind(word) + len(word)
    gap = theirs[start:cut]
    if cut < start:
        return False
    tails = [tail(text, word) for text in (before.training.text or "", before.original.text or "")]
    if gap.strip() == tails[0].strip():
        return True
    stop = STOP_TOKEN.search(tails[0].rstrip())
    if stop and theirs[cut:].lstrip().startswith(stop.group()) and not gap.rstrip().endswith(stop.group()):
        return False
    # The original ends a turn in another way when something follows: an end no longer than the one kept.
    return len(gap) <= max(map(len, tails))


def tail(text: str, word: str) -> str:
    """Return what stands behind the last occurrence of a word."""
    return text[text.rfind(word) + len(word) :] if word in text else ""
