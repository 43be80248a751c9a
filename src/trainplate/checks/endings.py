"""How a turn may end: as the original ends it, or with one of the stated differences."""

import re
from collections.abc import Iterator

from trainplate.checks.trial import FOLLOWING, Pair, Trial
from trainplate.rendering.common_start import common_start

LONGEST_STOP = 40
NEAR = 80
"""Characters in front of a place that are looked at for the beginning of a token."""
TOKEN_BEGUN = re.compile(r"<[^<>\s]*$")
WHOLE_TOKEN = re.compile(r"<[^<>\s]+>$")
HALF_A_TOKEN = re.compile(r"(<[|\uff5c]?|\[|\{|[#@])$")


def may_be_added(extra: str, pair: Pair, trial: Trial) -> bool:
    """Whether `extra` may stand behind what the original prints: EOS, or the start of what the original prints next."""
    extra = extra.strip()
    if extra in ("", trial.eos):
        return True
    if len(extra) > LONGEST_STOP or TOKEN_BEGUN.search(extra):
        return False
    return any(begins_with(follows.lstrip(), extra) for follows in nexts(pair, trial))


def begins_with(text: str, start: str) -> bool:
    """Whether a text begins with another that does not end inside a word."""
    return text.startswith(start) and not (start[-1].isalnum() and text[len(start) : len(start) + 1].isalnum())


def nexts(pair: Pair, trial: Trial) -> Iterator[str]:
    """Yield what the original prints behind a turn, for each kind of message that may come next.

    Where it rewrites the turn, that is what stands behind the turn's last word and its ending; where that word is gone,
    the token that ends the next message's header.
    """
    word, known = pair.last_word, endings(pair, trial)
    for longer in trial.longer(pair):
        yield from (longer[len(ending) :] for ending in known if longer.startswith(ending))
        if word and word in longer:
            behind = longer[longer.rfind(word) + len(word) :]
            tails = [ending[ending.rfind(word) + len(word) :] for ending in known if word in ending]
            yield from (behind[len(tail) :] for tail in tails if behind.startswith(tail))
        else:
            header = WHOLE_TOKEN.search(longer[: longer.rfind(FOLLOWING)].rstrip())
            yield header.group() if header else ""


def endings(pair: Pair, trial: Trial) -> tuple[str, ...]:
    """Return the original's turn text, then what is left of it without what is printed only while nothing follows.

    They are the original's alone, and remembered for all candidates.
    """
    index = pair.original.index
    if index not in trial.known_endings:
        trial.known_endings[index] = tuple(found_endings(pair, trial))
    return trial.known_endings[index]


def found_endings(pair: Pair, trial: Trial) -> Iterator[str]:
    """Yield the original's turn text, then what is left of it, the longest first but for its EOS."""
    text = pair.original.text or ""
    yield text
    longer = next(trial.longer(pair), None)
    if longer is not None and longer.startswith(text):
        return
    bare = text.rstrip()
    if trial.eos and bare.endswith(trial.eos):
        yield bare[: -len(trial.eos)]
    shared = 0 if longer is None else common_start(text, longer)
    prompt = (pair.original.prompt or "").rstrip()
    for cut in range(max(0, shared - LONGEST_STOP), min(shared, len(bare) - 1) + 1):
        # A generation prompt that nobody asked for: what the original's own prompts end with.
        if prompt.endswith(bare[cut:]) and not HALF_A_TOKEN.search(bare[max(0, cut - NEAR) : cut].rstrip()):
            yield bare[:cut]
