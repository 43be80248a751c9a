"""Finds the runs of items that print sampled text alone, as long as the blocks allow, and puts markers around them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from trainplate.fixes.marking.blocks import SCOPES, Body, Item
from trainplate.fixes.marking.draft import Draft
from trainplate.fixes.marking.labels import Label
from trainplate.fixes.marking.layout import common_indent
from trainplate.fixes.marking.names import Names, holds, leaves_loop, macros_in, names_in
from trainplate.fixes.marking.sample import Unmarkable
from trainplate.fixes.marking.white_space import closing_tag, opening_tag
from trainplate.syntax import Edit

NEUTRAL = frozenset({Label.UNSEEN, Label.BLANK})


@dataclass(frozen=True)
class Run:
    """Neighbouring items that go between one pair of markers."""

    items: tuple[Item, ...]


def place_markers(draft: Draft, done: Sequence[Edit] = ()) -> list[Edit] | Unmarkable:
    """Return the edits that put markers around everything sampled, but for what other edits have marked already."""
    edits = []
    for run in Placing(draft).runs(draft.root, len(draft.source)):
        start, end = run.items[0].start, run.items[-1].end
        if any(edit.start < end and start < edit.end for edit in done):
            continue
        indent = common_indent(draft.source, start, end)
        opening = opening_tag(draft, start, "generation", indent)
        if opening is None:
            return Unmarkable("the white space in front of a turn cannot be kept beside a marker")
        dashed = opening.replacement.lstrip().startswith("{%-")
        indent = indent if "\n" in opening.replacement else None
        closing = closing_tag(draft, end, "endgeneration", indent, dashed=dashed)
        if closing is None:
            return Unmarkable("the white space behind a turn cannot be kept beside a marker")
        edits += [opening, closing]
    return edits


class Placing:
    """Labels items and finds runs of them."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.names: Names = names_in(draft)
        self.macros = macros_in(draft.root)
        self.known: dict[Item, frozenset[Label]] = {}

    def labels(self, item: Item) -> frozenset[Label]:
        """Return the labels of everything an item prints, without those that may stand on either side."""
        if item not in self.known:
            if holds(item):
                found: set[Label] = set()
            elif item.bodies:
                found = {label for body in item.bodies for inner in body.items for label in self.labels(inner)}
            else:
                label = self.draft.label_at(item.first, item.start)
                found = {label} if label is not None else set()
            self.known[item] = frozenset(found) - NEUTRAL
        return self.known[item]

    def runs(self, body: Body, scope_end: int) -> Iterator[Run]:
        """Yield the longest runs in a body, and those within its blocks that are sampled in part."""
        items, index = body.items, 0
        while index < len(items):
            item = items[index]
            last = self.longest(items, index, scope_end) if self.labels(item) == {Label.SAMPLED} else None
            if last is not None:
                yield Run(items[index : last + 1])
                index = last
            elif Label.SAMPLED in self.labels(item) and not holds(item):
                for inner in item.bodies:
                    yield from self.runs(inner, inner.end if item.keyword in SCOPES else scope_end)
            index += 1

    def longest(self, items: tuple[Item, ...], first: int, scope_end: int) -> int | None:
        """Return the index of the last item of the longest run that begins at an item and ends in a sampled one."""
        ends, last = [], first
        while last < len(items) and self.labels(items[last]) <= {Label.SAMPLED} and items[last].keyword != "macro":
            if self.labels(items[last]):
                ends.append(last)
            last += 1
        held = self.macros if scope_end == len(self.draft.source) else ()
        for end in reversed(ends):
            run = items[first : end + 1]
            if not leaves_loop(self.draft, run) and not self.names.lost(run, scope_end, held):
                return end
        return None
