"""Two texts that should agree, with every stretch marked that only one of them has."""

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

WORD = re.compile(r"\w+|\s|[^\w\s]")
LARGEST = 2000
"""Words of a text that are compared one by one; the time grows with the square."""
ALIKE = 0.3
"""Below this likeness two texts share words by chance, and each is shown as its own."""
LEAD, LONGEST = 240, 1200
"""Characters kept of what both have on each side of a difference, and of what only one has."""


@dataclass(frozen=True)
class Stretch:
    """A piece of one text; `own` where the other text does not have it there."""

    text: str
    own: bool = False


Stretches = tuple[Stretch, ...]


def differing(before: str, after: str) -> tuple[Stretches, Stretches]:
    """Return both texts in stretches; long ones are cut, and a cut is shown as `…`."""
    first, second = ends_aside(before, after)
    return shortened(first), shortened(second)


def ends_aside(before: str, after: str) -> tuple[list[Stretch], list[Stretch]]:
    """Compare what stands between the start and the end that both have."""
    start = common_start(before, after)
    end = common_start(before[start:][::-1], after[start:][::-1])
    middles = (before[start : len(before) - end], after[start : len(after) - end])
    if not all(middles):
        inner = tuple([Stretch(middle, own=True)] if middle else [] for middle in middles)
        tail = [Stretch(before[len(before) - end :])]
        return [Stretch(before[:start]), *inner[0], *tail], [Stretch(before[:start]), *inner[1], *tail]
    compared = by_words(before[start:], after[start:])
    return [Stretch(before[:start]), *compared[0]], [Stretch(after[:start]), *compared[1]]


def common_start(first: str, second: str) -> int:
    """Return how many characters two texts begin with alike."""
    shorter = min(len(first), len(second))
    return next((index for index in range(shorter) if first[index] != second[index]), shorter)


def by_words(before: str, after: str) -> tuple[list[Stretch], list[Stretch]]:
    """Compare two texts word by word; where they are long or hardly alike, all of each is its own."""
    words = WORD.findall(before), WORD.findall(after)
    if max(map(len, words)) > LARGEST:
        return [Stretch(before, own=True)], [Stretch(after, own=True)]
    matcher = difflib.SequenceMatcher(None, *words, autojunk=False)
    codes = matcher.get_opcodes()
    shared = [word for tag, fro, to, _, _ in codes if tag == "equal" for word in words[0][fro:to]]
    if 2 * visible(shared) < ALIKE * (visible(words[0]) + visible(words[1])):
        return [Stretch(before, own=True)], [Stretch(after, own=True)]
    return (
        list(stretches(words[0], [(tag == "equal", fro, to) for tag, fro, to, _, _ in codes])),
        list(stretches(words[1], [(tag == "equal", fro, to) for tag, _, _, fro, to in codes])),
    )


def visible(words: Sequence[str]) -> int:
    """Count the words that are more than white space."""
    return sum(not word.isspace() for word in words)


def stretches(words: Sequence[str], ranges: Sequence[tuple[bool, int, int]]) -> Iterator[Stretch]:
    """Yield the stretches that ranges of words make."""
    for same, start, end in ranges:
        if start < end:
            yield Stretch("".join(words[start:end]), own=not same)


def shortened(found: Sequence[Stretch]) -> Stretches:
    """Return the stretches without empty ones, and with what is too long cut."""
    filled = [one for one in found if one.text]
    return tuple(cut(one, first=number == 0, last=number == len(filled) - 1) for number, one in enumerate(filled))


def cut(stretch: Stretch, *, first: bool, last: bool) -> Stretch:
    """Cut a stretch that is too long; what both have keeps the side that lies next to a difference."""
    text, keep = stretch.text, LONGEST // 2 if stretch.own else LEAD
    if stretch.own or not (first or last):
        return stretch if len(text) <= 2 * keep else Stretch(f"{text[:keep]}…{text[-keep:]}", stretch.own)
    if len(text) <= keep:
        return stretch
    return Stretch(f"…{text[-keep:]}" if first else f"{text[:keep]}…")
