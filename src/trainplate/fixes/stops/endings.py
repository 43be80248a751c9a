"""Where turns end: the places at which a stop token, printed there, is printed once for each turn."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from trainplate.fixes.marking.blocks import Body, Item, all_items
from trainplate.fixes.stops.probing import Probing, Run

Closings = Mapping[Item, int]
"""Where each marker block is closed."""


@dataclass(frozen=True)
class Ending:
    """A place where turns end: at the end of a marker block, or behind an item."""

    item: Item
    inside: bool
    """Whether the item is a marker block that every turn leaves as its last."""
    calls: frozenset[bool]
    """Whether the turns that end there call tools."""


def endings_of(probing: Probing) -> list[Ending]:
    """Return the places where the turns of a source with markers end."""
    draft = probing.draft
    blocks = [item for item in all_items(draft.root) if item.keyword == "generation" and item.bodies]
    closings = {block: draft.segments[block.last].start for block in blocks}
    return list(endings(draft.root, probing.runs(closings.values()), closings, looped=False))


def endings(body: Body, runs: Sequence[Run], closings: Closings, *, looped: bool) -> Iterator[Ending]:
    """Yield the places in a body where turns end; `looped` is whether it stands within the loop over the messages."""
    come_by = {place for run in runs for place in run.places}
    holding = [item for item in body.items if places_in(item, closings) & come_by]
    if not holding:
        return
    last, calls = holding[-1], frozenset(run.calls for run in runs)
    places = places_in(last, closings)
    if any(run.places[-1] not in places for run in runs) or (last.keyword == "for" and looped):
        yield Ending(last, False, calls)
    elif last in closings:
        yield Ending(last, True, calls)
    else:
        for inner in last.bodies:
            within = [run for run in runs if run.places[-1] in places_of(inner, closings)]
            yield from endings(inner, within, closings, looped=looped or last.keyword == "for")


def places_in(item: Item, closings: Closings) -> set[int]:
    """Return where the marker blocks are closed that an item is or holds."""
    own = {closings[item]} if item in closings else set()
    return own.union(*(places_of(body, closings) for body in item.bodies))


def places_of(body: Body, closings: Closings) -> set[int]:
    """Return where the marker blocks of a body are closed."""
    return {closings[item] for item in all_items(body) if item in closings}
