"""When an assistant's message prints nothing: then it has taken nothing from the message behind it."""

from collections.abc import Sequence

from trainplate.fixes.marking.blocks import all_bodies
from trainplate.fixes.marking.conditions import negated, path_tests
from trainplate.fixes.marking.draft import Draft
from trainplate.fixes.stops.endings import Ending
from trainplate.fixes.stops.wording import wording_at


def silences(draft: Draft, endings: Sequence[Ending]) -> tuple[str, ...]:
    """Return the conditions on a message, apart from its role, any of which keeps it from being printed."""
    if len(endings) != 1:
        return ()
    item = endings[0].item
    wording = wording_at(draft, item.start)
    around = [body for body in all_bodies(draft.root) if body.keyword == "for" and body.start <= item.start < body.end]
    tests = path_tests(draft, around[-1], item) if around and wording is not None else None
    return tuple(negated(test) for test in tests or () if wording is not None and wording.asks(test))
