"""What stands before, between and behind the calls of a turn, as patterns that open and close one call."""

from collections.abc import Sequence
from typing import NamedTuple

from trainplate.responses.patterns import first_token, shared_end, shared_start, soft


class Marks(NamedTuple):
    """Patterns around one call."""

    opens: str
    """What announces a call."""
    sure: bool
    """Whether anything must: else the pattern may match where nothing stands."""
    closes: str


def marks_of(before: str, between: str | None, after: str, stops: Sequence[str]) -> Marks:
    """Return the patterns, from what stands before the first call, between two, and behind the last.

    What only the first has before it (a list's opening) may stand there, as may what only the last has behind it.
    """
    behind = before_stop(after, stops)
    if between is None:
        opens, closes, first, last, separator = before, behind, "", "", ""
    else:
        closes = shared_start(between, behind)
        opens = shared_end(before, between[len(closes) :])
        first, last = before.removesuffix(opens), behind.removeprefix(closes)
        separator = between[len(closes) :].removesuffix(opens).strip()
    announced = opens.strip()
    opening = optional(first) + soft(announced) + (r"\s*" if announced else "")
    if closes.strip():
        return Marks(opening, bool(announced), closed_by(closes.strip(), separator, last.strip()))
    ends = [
        *map(soft, filter(None, [*stops, first_token(after)])),
        *([soft(announced)] if between and announced else []),
    ]
    return Marks(opening, bool(announced), left_by(list(dict.fromkeys(ends)), separator, last.strip()))


def before_stop(after: str, stops: Sequence[str]) -> str:
    """Return what stands behind a call before the token that ends the turn."""
    places = [place for stop in stops if (place := after.find(stop)) >= 0]
    return after[: min(places)] if places else after


def closed_by(closes: str, separator: str, last: str) -> str:
    """Return the pattern of what closes a call, with what may follow it: a separator, or the end of all calls."""
    either = "|".join(map(soft, filter(None, [separator, last])))
    return rf"\s*{soft(closes)}" + (rf"(?:\s*(?:{either}))?" if either else "") + r"\s*"


def left_by(ends: Sequence[str], separator: str, last: str) -> str:
    """Return the pattern for a call that nothing closes: what comes next ends it, and is left in place."""
    either = "|".join(map(soft, filter(None, [separator, last])))
    coming = rf"\s*(?={'|'.join(ends)})" if ends else r"\Z"
    return rf"\s*(?:{either})\s*|{coming}" if either else coming


def optional(text: str) -> str:
    """Return a pattern for a text that may be missing."""
    return rf"(?:{soft(text.strip())}\s*)?" if text.strip() else ""
