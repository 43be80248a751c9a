"""What stands before, between and behind the calls of a turn, as patterns that open and close one call."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from trainplate.responses.patterns import TOKEN, first_token, shared_end, shared_start, soft

BRACKETS = re.compile(r"[\s\]})\"']+")
"""What arguments may end with themselves."""


class Marks(NamedTuple):
    """Patterns around one call."""

    opens: str
    """What announces a call."""
    sure: bool
    """Whether anything must: else the pattern may match where nothing stands."""
    closes: str
    leftover: str = ""
    """A token that stands behind the last call alone, and is to be passed over."""


class Around(NamedTuple):
    """The texts around calls, apart."""

    first: str
    """Before the first call alone: the opening of a list."""
    opens: str
    closes: str
    separator: str
    last: str
    """Behind the last call alone."""
    several: bool


def marks_of(before: str, between: str | None, after: str, stops: Sequence[str]) -> Marks:
    """Return the patterns, from what stands before the first call, between two, and behind the last."""
    around = apart(before, between, before_stop(after, stops))
    leads = "|".join(map(soft, dict.fromkeys(filter(None, [around.first, around.separator]))))
    opening = (rf"(?:(?:{leads})\s*)?" if leads else "") + soft(around.opens) + (r"\s*" if around.opens else "")
    ends = [soft(stop) for stop in dict.fromkeys([*stops, first_token(after)]) if stop]
    if not around.closes:
        return Marks(opening, bool(around.opens), left_by(around, ends))
    if BRACKETS.fullmatch(around.closes):
        return Marks(opening, bool(around.opens), closed_with(around, ends))
    passed = TOKEN.search(around.last) is not None
    tail = rf"(?:\s*{soft(around.last)})?" if around.last and not passed else ""
    closes = rf"\s*{soft(around.closes)}{tail}\s*"
    return Marks(opening, bool(around.opens), closes, around.last if passed else "")


def apart(before: str, between: str | None, behind: str) -> Around:
    """Take apart what stands around calls; where one call is printed at most, all of it belongs to that."""
    if between is None:
        return Around("", before.strip(), behind.strip(), "", "", several=False)
    closes = shared_start(between, behind)
    opens = shared_end(before, between[len(closes) :])
    return Around(
        first=before.removesuffix(opens).strip(),
        opens=opens.strip(),
        closes=closes.strip(),
        separator=between[len(closes) :].removesuffix(opens).strip(),
        last=behind.removeprefix(closes).strip(),
        several=True,
    )


def before_stop(after: str, stops: Sequence[str]) -> str:
    """Return what stands behind a call before the token that ends the turn."""
    places = [place for stop in stops if (place := after.find(stop)) >= 0]
    return after[: min(places)] if places else after


def left_by(around: Around, ends: Sequence[str]) -> str:
    """Return the pattern for a call that nothing closes: what comes next ends it, and is left in place."""
    coming = rf"\s*(?={'|'.join([*ends, *another(around)])})" if ends or another(around) else r"\Z"
    return rf"\s*{soft(around.last)}\s*|{coming}" if around.last else coming


def closed_with(around: Around, ends: Sequence[str]) -> str:
    """Return the pattern for a call closed by brackets, which count only with what follows them."""
    follows = [soft(around.last)] if around.last else [f"(?={end})" for end in ends]
    follows += [f"(?={start})" for start in another(around)]
    return rf"\s*{soft(around.closes)}\s*(?:{'|'.join(follows) or '$'})"


def another(around: Around) -> list[str]:
    """Return the pattern for the beginning of a further call, if there is anything to know it by."""
    begins = soft(around.separator) + r"\s*" * bool(around.separator and around.opens) + soft(around.opens)
    return [begins] if around.several and begins else []
