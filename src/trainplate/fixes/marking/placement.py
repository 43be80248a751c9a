"""Finds the runs of items that print sampled text alone, as long as the blocks allow, and puts markers around them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from jinja2 import nodes

from trainplate.fixes.marking.blocks import SCOPES, Body, Item, extent_of
from trainplate.fixes.marking.draft import Draft
from trainplate.fixes.marking.labels import Label, constant
from trainplate.fixes.marking.layout import common_indent, layout_at
from trainplate.fixes.marking.names import Names, holds, leaves_loop, macros_in, names_in
from trainplate.fixes.marking.roles import is_guarded, role_tests
from trainplate.fixes.marking.sample import Unmarkable
from trainplate.fixes.marking.white_space import closing_tag, gap_at, opening_tag
from trainplate.syntax import Edit

NEUTRAL = frozenset({Label.UNSEEN, Label.BLANK})


@dataclass(frozen=True)
class Run:
    """Neighbouring items that go between one pair of markers."""

    items: tuple[Item, ...]


def place_markers(draft: Draft, done: Sequence[Edit] = (), *, narrow: bool = False) -> list[Edit] | Unmarkable:
    """Return the edits that put markers around everything sampled, but for what other edits have marked already.

    `narrow` markers never enclose nothing: they stand within the conditions under which something prints.
    """
    edits: list[Edit] = []
    placing = Placing(draft)
    for run in placing.runs(draft.root, len(draft.source)):
        start, end = extent_of(run.items)
        if not any(edit.start < end and start < edit.end for edit in done):
            for part in narrowed(placing, run) if narrow else (run,):
                found = around(placing, part, guarded=narrow and not is_certain(placing, part.items))
                if isinstance(found, Unmarkable):
                    return found
                edits += found
    return edits


def around(placing: "Placing", run: Run, *, guarded: bool) -> list[Edit] | Unmarkable:
    """Return the edits that put one pair of markers around a run, under a condition where it may print nothing."""
    draft = placing.draft
    start, end = extent_of(run.items)
    if guarded:
        test = draft.expression(run.items[0].first) if len(run.items) == 1 else ""
        return [under_condition(draft, run, test)] if test else Unmarkable("what is sampled may be nothing at all")
    indent = common_indent(draft.source, start, end, draft.segments[run.items[-1].last].start)
    opening = opening_tag(draft, start, "generation", indent)
    if opening is None:
        return Unmarkable("the white space in front of a turn cannot be kept beside a marker")
    sign = "-" if "{%-" in opening.replacement else ""
    closing = closing_tag(draft, end, "endgeneration", indent if "\n" in opening.replacement else None, sign)
    if closing is None:
        return Unmarkable("the white space behind a turn cannot be kept beside a marker")
    return [opening, closing]


def under_condition(draft: Draft, run: Run, test: str) -> Edit:
    """Write an output within markers, if it prints anything."""
    start, end = extent_of(run.items)
    layout = layout_at(draft.source, start, end)
    tags = [(0, f"if {test}"), (1, "generation"), (1, draft.source[start:end]), (1, "endgeneration"), (0, "endif")]
    written = [(depth, tag if tag.startswith("{{") else layout.block(tag)) for depth, tag in tags]
    newline = "\n" * gap_at(draft, end).right_printed.startswith("\n")
    return Edit(start, end, layout.lines(written) + newline)


def narrowed(placing: "Placing", run: Run) -> Iterator[Run]:
    """Divide a run that may print nothing into runs within its blocks, and outputs."""
    if is_certain(placing, run.items):
        yield run
        return
    for item in run.items:
        for body in item.bodies:
            for inner in placing.runs(body, body.end):
                yield from narrowed(placing, inner)
        if not item.bodies and placing.labels(item):
            yield Run((item,))


def is_certain(placing: "Placing", items: tuple[Item, ...]) -> bool:
    """Say whether items print something whenever they are reached."""
    return any(prints_always(placing.draft, item) or covers(placing, item) for item in items)


def covers(placing: "Placing", item: Item) -> bool:
    """Say whether a condition has an `else`, and prints something in every branch."""
    branches = item.keyword == "if" and item.bodies and item.bodies[-1].keyword == "else"
    return bool(branches) and all(is_certain(placing, body.items) for body in item.bodies)


def prints_always(draft: Draft, item: Item) -> bool:
    """Say whether an item is an output with a text in it that never changes."""
    piece = draft.printed.get(item.first)
    if piece is None or item.bodies or draft.label_at(item.first, item.start) in (None, *NEUTRAL):
        return False
    pieces = [piece, *(other for other in draft.tracer.pieces if other.parent == piece.number)]
    return any(constant(part.node) for part in pieces) and not isinstance(piece.node, nodes.CondExpr)


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
                if label is Label.SAMPLED and not self.is_assistants(item):
                    label = Label.SHARED
                found = {label} if label is not None else set()
            self.known[item] = frozenset(found) - NEUTRAL
        return self.known[item]

    def is_assistants(self, item: Item) -> bool:
        """Say whether only an assistant's message can print an item, as far as the template can ask whose it is."""
        return is_guarded(self.draft, item.start) or next(role_tests(self.draft, item.start), None) is None

    def runs(self, body: Body, scope_end: int) -> Iterator[Run]:
        """Yield the longest runs in a body, and those within its blocks that are sampled in part."""
        items, index = body.items, 0
        while index < len(items):
            item = items[index]
            last = self.longest(items, index, scope_end) if self.labels(item) == {Label.SAMPLED} else None
            if last is not None:
                first = self.beginning(body, index, last, scope_end)
                yield Run(items[first : last + 1])
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
        return next((end for end in reversed(ends) if self.may_enclose(items[first : end + 1], scope_end)), None)

    def beginning(self, body: Body, first: int, last: int, scope_end: int) -> int:
        """Return the index at which a run begins that no longer leaves out what stands unseen in front of it.

        A header always prints; what no sample shows is likely to be a part of what the model writes.
        """
        start = first
        for index in range(first - 1, -1, -1) if body is not self.draft.root else ():
            if self.labels(body.items[index]):
                break
            start = index if self.is_unseen(body.items[index]) else start
        return start if self.may_enclose(body.items[start : last + 1], scope_end) else first

    def is_unseen(self, item: Item) -> bool:
        """Say whether an item prints something that no sample shows."""
        return not holds(item) and any(
            self.draft.label_at(index, self.draft.segments[index].start) is Label.UNSEEN
            and not self.draft.expression(index).startswith("raise_exception")
            and self.draft.source[self.draft.segments[index].start : self.draft.segments[index].end].strip()
            for index in range(item.first, item.last + 1)
        )

    def may_enclose(self, items: tuple[Item, ...], scope_end: int) -> bool:
        """Say whether markers may stand around items: they leave no loop, and set no name that is read behind them."""
        held = self.macros if scope_end == len(self.draft.source) else ()
        return not leaves_loop(self.draft, items) and not self.names.lost(items, scope_end, held)
