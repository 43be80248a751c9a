"""What a template prints for one call and for two: what every way of reading calls is learnt from."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from trainplate.responses.marks import Marks, marks_of
from trainplate.responses.patterns import GIVEN_NAME, soft
from trainplate.responses.probes import KEY, NAME, SECOND_NAME, SECOND_VALUE

Field = dict[str, Any]
FUNCTION: Mapping[str, Any] = {"type": "function", "function": {"name": "{name}", "arguments": "{content}"}}
"""The call of a name that the opening pattern has found, and of arguments that are the region's content."""


class Reading(NamedTuple):
    """One way to read calls."""

    field: Field
    leftover: str
    """A token behind the last call, which the parser must pass over."""


class Place(NamedTuple):
    """Where a name stands before its arguments: in one call, and the second of two where there are two."""

    start: int
    end: int
    second: int | None


@dataclass(frozen=True)
class Sample:
    """What stands behind the opener for one call, and for two where the template prints several."""

    one: str
    two: str | None
    stops: tuple[str, ...]

    def marks(self, start: int, end: int, starts: int | None = None, ends: int | None = None) -> Marks:
        """Return the marks around a call that spans `one[start:end]`.

        In `two`, the first call ends at `ends` and the second begins at `starts`, where that is known.
        """
        between = None if self.two is None or starts is None or ends is None else self.two[ends:starts]
        return marks_of(self.one[:start], between, self.one[end:], self.stops)

    @property
    def name(self) -> Place | None:
        """Return where the name stands, if it stands before its arguments."""
        start = self.one.rfind(NAME, 0, max(self.one.find(KEY), 0))
        if start < 0:
            return None
        values = -1 if self.two is None else self.two.find(SECOND_VALUE)
        second = -1 if self.two is None or values < 0 else self.two.rfind(SECOND_NAME, 0, values)
        return Place(start, start + len(NAME), second if second >= 0 else None)


def reading(marks: Marks, begins: str, **field: Any) -> Reading:
    """Return the reading of calls between marks; `begins` tells where one begins that nothing announces."""
    opens = marks.opens + ("" if marks.sure else begins)
    return Reading({"open_pattern": opens, "close_pattern": marks.closes, **field}, marks.leftover)


def named_reading(marks: Marks, lead: str, **field: Any) -> Reading:
    """Return the reading of calls, each with its name before its arguments; `lead` stands between the two."""
    opens = marks.opens + GIVEN_NAME + lead
    named = {"open_pattern": opens, "close_pattern": marks.closes, "repeats": True, **field, "transform": FUNCTION}
    return Reading(named, marks.leftover)


def lead_to_object(text: str) -> str:
    """Return the pattern for what stands between a name and the brace of its arguments."""
    return soft(text) if text.strip() else r"\s*(?=\{)"
