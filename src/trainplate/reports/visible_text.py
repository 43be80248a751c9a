"""Text of templates and conversations made safe and visible for a terminal."""

import re
from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate, takewhile
from unicodedata import combining, east_asian_width

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""What steers a terminal, turns text around, or cannot be written at all."""
NAMED = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}
LEAD = 24
"""Characters shown before two texts part: enough to find the place in a rendering."""


def harmless(text: str) -> str:
    """Spell out control characters, so that no template can steer the terminal; lines and tabs stay."""
    return CONTROL.sub(spelled, text)


def in_one_line(text: str) -> str:
    """Spell out line ends and tabs too, so that a text fits into a row of a message."""
    return harmless(re.sub(r"[\n\r\t]", spelled, text))


def spelled(match: re.Match[str]) -> str:
    """Return the escape that a programmer would write for one character."""
    character = match.group()
    return NAMED.get(character) or (f"\\x{ord(character):02x}" if ord(character) < 256 else f"\\u{ord(character):04x}")


@dataclass(frozen=True)
class Excerpt:
    """Part of a text in one line: what both have, then what only this one has, from where they part."""

    same: str
    own: str


def excerpts(before: str, after: str, width: int) -> tuple[Excerpt, Excerpt]:
    """Return two texts around the place where they part, each cut to the width; cuts are shown as `…`."""
    common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(before, after, strict=False)))
    lead = in_one_line(before[max(0, common - LEAD) : common])
    same = ("…" if common > LEAD else "") + lead
    room = width - sum(map(columns, same))
    first, second = (cut(in_one_line(text[common : common + width + 1]), room) for text in (before, after))
    return Excerpt(same, first), Excerpt(same, second)


def cut(text: str, width: int) -> str:
    """Return the text, or as much as fits into so many columns with `…` behind it; wide letters take two."""
    if len(text) * 2 <= width or (len(text) <= width and text.isascii()):
        return text
    taken = list(accumulate(map(columns, text[: width + 1])))
    if len(taken) == len(text) and (not taken or taken[-1] <= width):
        return text
    return text[: bisect_right(taken, width - 1)].rstrip("\\") + "…"


def columns(letter: str) -> int:
    """Return how many columns of a terminal a letter takes."""
    return 2 if east_asian_width(letter) in "FW" else 0 if combining(letter) else 1
