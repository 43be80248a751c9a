"""What stands before, between and behind the calls of a turn, as patterns that open and close one call."""

from collections.abc import Sequence
from typing import NamedTuple

from trainplate.responses.patterns import first_token, shared_end, shared_start, soft


class Marks(NamedTuple):
    """Patterns around one call; `opens` is empty where nothing announces it."""

    opens: str
    opens_named: str
    """The same, where the name follows at once: white space before it counts for nothing."""
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
    opening = optional(first) + soft(opens.strip()) + (r"\s*" if opens.strip() else "")
    return Marks(opening if (first + opens).strip() else "", opening, closing(closes, separator, last, after, stops))


def before_stop(after: str, stops: Sequence[str]) -> str:
    """Return what stands behind a call before the token that ends the turn."""
    places = [place for stop in stops if (place := after.find(stop)) >= 0]
    return after[: min(places)] if places else after


def closing(closes: str, separator: str, last: str, after: str, stops: Sequence[str]) -> str:
    """Return the pattern that closes a call; where nothing closes it, the turn's end does, and is left in place."""
    either = "|".join(filter(None, [soft(separator), soft(last.strip())]))
    tail = rf"(?:\s*(?:{either}))?" if either else ""
    if closes.strip():
        return rf"\s*{soft(closes.strip())}{tail}\s*"
    ends = "|".join(soft(stop) for stop in dict.fromkeys([*stops, first_token(after)]) if stop)
    return rf"(?={ends})" if not either else rf"\s*(?:{either})\s*|(?={ends})"


def optional(text: str) -> str:
    """Return a pattern for a text that may be missing."""
    return rf"(?:{soft(text.strip())}\s*)?" if text.strip() else ""
