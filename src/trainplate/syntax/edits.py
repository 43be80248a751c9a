"""Changes of a template as replacements on its source, each with its reason."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise

WORDS = re.compile(r"\w+|\s+|.")
MOST_WORDS = 2000
"""Comparing takes up to the square of the number: of more words only the common start and end are kept, and of more
lines those that come often do not count as a place where both texts meet."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One replacement of `source[start:end]`, the name of the fix that proposes it, and why it does."""

    start: int
    end: int
    replacement: str
    fix: str = ""
    because: str = ""


def apply_edits(source: str, edits: Iterable[Edit]) -> str:
    """The source with every edit made; insertions at the same place keep their given order.

    Raises ValueError, naming both, where two edits overlap, and where one lies outside of the source.
    """
    ordered = sorted(edits, key=lambda edit: (edit.start, edit.end))
    for edit in ordered:
        if not 0 <= edit.start <= edit.end <= len(source):
            raise ValueError(f"{edit} lies outside of the source, which has {len(source)} characters")
    for first, second in pairwise(ordered):
        if second.start < first.end:
            raise ValueError(f"edits overlap: {first} and {second}")
    pieces: list[str] = []
    position = 0
    for edit in ordered:
        pieces += source[position : edit.start], edit.replacement
        position = edit.end
    return "".join(pieces) + source[position:]


def edits_between(before: str, after: str, fix: str = "", because: str = "") -> tuple[Edit, ...]:
    """The small edits that turn one text into the other: whole lines first, then words inside lines that differ.

    Law: `apply_edits(before, edits_between(before, after))` is `after`.
    """
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    found: list[Edit] = []
    for start, old_piece, new_piece in _replaced(old, new):
        for inner, removed, added in _replaced_words(old_piece, new_piece):
            found.append(Edit(start + inner, start + inner + len(removed), added, fix, because))
    return tuple(found)


def _replaced(old: list[str], new: list[str]) -> Iterator[tuple[int, str, str]]:
    """Where the two sequences differ: the position in the old text, what goes and what comes."""
    starts = [0]
    for piece in old:
        starts.append(starts[-1] + len(piece))
    matcher = SequenceMatcher(None, old, new, autojunk=len(new) > MOST_WORDS)
    for tag, low, high, new_low, new_high in matcher.get_opcodes():
        if tag != "equal":
            yield starts[low], "".join(old[low:high]), "".join(new[new_low:new_high])


def _replaced_words(old: str, new: str) -> Iterator[tuple[int, str, str]]:
    """Where two texts differ, in words, without the characters that both sides begin and end with."""
    shared = _common_start(old, new)
    tail = _common_start(old[shared:][::-1], new[shared:][::-1])
    old, new = old[shared : len(old) - tail], new[shared : len(new) - tail]
    old_words, new_words = WORDS.findall(old), WORDS.findall(new)
    if not old or not new or len(old_words) + len(new_words) > MOST_WORDS:
        yield shared, old, new
        return
    for start, removed, added in _replaced(old_words, new_words):
        yield shared + start, removed, added


def _common_start(old: str, new: str) -> int:
    for index, (left, right) in enumerate(zip(old, new, strict=False)):
        if left != right:
            return index
    return min(len(old), len(new))
