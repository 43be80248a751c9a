"""Prints outside of markers what the prompt supplies under an option only, as an empty think block is."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from jinja2 import nodes

from trainplate.fixes.marking.blocks import Body, Item, all_bodies, path_to
from trainplate.fixes.marking.conditions import all_of, option_tests, path_tests, truths, within
from trainplate.fixes.marking.draft import Draft
from trainplate.fixes.marking.labels import WHOLE, Label, constant
from trainplate.fixes.marking.layout import Layout, layout_at
from trainplate.fixes.marking.literals import cut_literal, write_literal
from trainplate.fixes.marking.placement import Placing
from trainplate.fixes.marking.sample import Sample
from trainplate.fixes.marking.splitting import Fragment, written
from trainplate.rendering.trace import Piece
from trainplate.syntax import Edit, Kind, Segment

OUT, BETWEEN, IN = 0, 1, 2
NAMES = ("prefilled", "is_prefilled")


@dataclass(frozen=True)
class Part(Fragment):
    """A part of an expression: supplied always, under the option alone, or never."""

    zone: int = IN
    value: str | None = None
    """What it prints, if that is always the same."""


@dataclass(frozen=True)
class Prefill:
    """An output whose beginning the prompt supplies under an option."""

    piece: Piece
    parts: tuple[Part, ...]
    early: frozenset[int]
    """The samples in which sampled text begins at the earlier of two places, and those in which at the later."""
    late: frozenset[int]

    def texts(self, zone: int) -> list[Part]:
        """The parts of a zone."""
        return [part for part in self.parts if part.zone == zone]


def split_prefills(draft: Draft, samples: list[Sample]) -> Iterator[list[Edit]]:
    """Yield ways to divide every output that is sampled under one option and supplied under another."""
    found = [prefill_of(draft, piece) for piece in draft.printed.values() if is_mixed(draft, piece)]
    prefills = [prefill for prefill in found if prefill is not None]
    if not prefills or len(prefills) < len(found):
        return
    known: list[list[Edit]] = []
    for test in separating_tests(draft, samples, prefills):
        for hoisted in (True, False):
            edits = [edit for prefill in prefills for edit in divided(draft, prefill, test, hoisted)]
            if edits and edits not in known:
                known.append(edits)
                yield edits


def is_mixed(draft: Draft, piece: Piece) -> bool:
    """Say whether no label fits a piece or one of its operands."""
    if draft.readings[piece.number].label is not Label.MIXED:
        return False
    operands = [other for other in draft.tracer.pieces if other.parent == piece.number]
    return not operands or isinstance(piece.node, nodes.CondExpr) or any(is_mixed(draft, part) for part in operands)


def prefill_of(draft: Draft, piece: Piece) -> Prefill | None:
    """Find the two places at which sampled text begins within an output; None where there are none, or more."""
    if draft.segments[piece.segment].kind is not Kind.EXPRESSION:
        return None
    parts: list[Part] = []
    early: set[int] = set()
    late: set[int] = set()
    for operand in operands_of(draft, piece):
        edges = draft.readings[operand.number].edges
        if len(edges) > 2 or draft.readings[operand.number].ends - {WHOLE}:
            return None
        if len(edges) == 2:
            early |= edges[0][1]
            late |= edges[1][1]
        zoned = zones(draft, operand)
        if zoned is None:
            return None
        parts += zoned
    last = max((index for index, part in enumerate(parts) if part.zone == BETWEEN), default=-1)
    first = max((index + 1 for index, part in enumerate(parts[: last + 1]) if part.zone == OUT), default=0)
    # What is printed between the two places is empty where the prompt supplies the rest.
    parts = [replace(part, zone=BETWEEN) if first <= index <= last else part for index, part in enumerate(parts)]
    if any(part.zone == OUT for part in parts[last + 1 :]) or not late:
        return None
    return Prefill(piece, tuple(parts), frozenset(early), frozenset(late))


def operands_of(draft: Draft, piece: Piece) -> list[Piece]:
    """Return the operands of an output, or the whole where it has none."""
    if isinstance(piece.node, nodes.CondExpr):
        return [piece]
    operands = [other for other in draft.tracer.pieces if other.parent == piece.number]
    return [inner for operand in operands for inner in operands_of(draft, operand)] or [piece]


def zones(draft: Draft, piece: Piece) -> list[Part] | None:
    """Cut a constant where sampled text begins in it, early or late; other pieces stay whole, or cannot be cut."""
    extent, places = piece.extent, [place for place, _ in draft.readings[piece.number].edges]
    text, value = draft.source[extent.outer_start : extent.outer_end], constant(piece.node)
    size = len(value or "")
    if value is None:
        if set(places) - {0, WHOLE}:
            return None
        zone = BETWEEN if len(places) == 2 else OUT if places == [WHOLE] else IN
        return [Part(text, None, extent.outer_start, extent.outer_end, True, zone)]
    early, late = (min(places[0], size), min(places[-1], size)) if places else (0, 0)
    parts, start = [], 0
    for end, zone in ((early, OUT), (late, BETWEEN), (size, IN)):
        if end > start:
            halves = cut_literal(text, end - start)
            if halves is None:
                return None
            parts.append(Part(halves[0], None, extent.outer_start, extent.outer_end, False, zone, value[start:end]))
            start, text = end, halves[1]
    return parts


def separating_tests(draft: Draft, samples: list[Sample], prefills: list[Prefill]) -> list[str]:
    """Return the conditions that hold where the prompt supplies more, those first that seldom hold elsewhere."""
    late = frozenset().union(*(prefill.late for prefill in prefills))
    early = frozenset().union(*(prefill.early for prefill in prefills)) - late
    place = draft.segments[prefills[0].piece.segment].start
    rated: dict[str, int] = {}
    for option in sorted({option for number in late | early for option in samples[number].options}):
        for test in option_tests(draft, option):
            numbers = sorted(late | early)
            known = truths(draft, test, place, [samples[number] for number in numbers])
            held = dict(zip(numbers, known, strict=True))
            if all(held[number] for number in late) and any(held[number] is False for number in early):
                rated[test] = sum(held[number] is not False for number in early)
    return sorted(rated, key=lambda test: rated[test])


def divided(draft: Draft, prefill: Prefill, test: str, hoisted: bool) -> list[Edit]:
    """Return the edits for one output: what the prompt supplies is printed first, and then not again."""
    segment = draft.segments[prefill.piece.segment]
    between, inside, out = prefill.texts(BETWEEN), prefill.texts(IN), prefill.texts(OUT)
    empty = [
        f"not {within(part.text)}" if " " in part.text else f"not {part.text}" for part in between if part.value is None
    ]
    name = next(name for name in NAMES if name not in draft.source)
    supplied = write_literal("".join(part.value or "" for part in between))
    front = front_of(draft, segment.start) if hoisted and not out else None
    path = path_tests(draft, *front) if front else []
    if path is None or (hoisted and not out and front is None):
        return []
    condition = all_of([within(test) if " or " in test else test, *path, *empty])

    def first(layout: Layout) -> list[tuple[int, str]]:
        return [
            (0, layout.block(f"set {name} = {condition}")),
            (0, layout.block(f"if {name}")),
            (1, layout.output(supplied)),
            (0, layout.block("endif")),
        ]

    layout = layout_at(draft.source, segment.start, segment.end)
    rest = [
        (0, layout.block(f"if not {name}")),
        (1, layout.output(written(draft.source, between, " + "))),
        (0, layout.block("endif")),
    ]
    if inside:
        rest.append((0, layout.output(written(draft.source, inside, " + "))))
    if front is None:
        begin = [(0, layout.output(written(draft.source, out, " + ")))] if out else []
        return [Edit(segment.start, segment.end, layout.lines([*begin, *first(layout), *rest]))]
    item = next(outer for outer in front[0].items if outer.start <= segment.start < outer.end)
    opening = draft.segments[item.first]
    around = layout_at(draft.source, opening.start, opening.end)
    text = around.lines(first(around)) + (f"\n{around.indent}" if around.indent is not None else "")
    head = None if inside else lone_else(draft, segment.start)
    if head is not None:
        place = draft.source.index("else", head.inner_start)
        return [Edit(item.start, item.start, text), Edit(place, place + 4, f"elif not {name}")]
    return [Edit(item.start, item.start, text), Edit(segment.start, segment.end, layout.lines(rest))]


def lone_else(draft: Draft, start: int) -> Segment | None:
    """Return the tag of the `else` in which nothing prints but the item at a position."""
    for body in all_bodies(draft.root):
        printing = [item for item in body.items if draft.label_at(item.first, item.start) is not None]
        if body.keyword == "else" and [item.start for item in printing] == [start]:
            return None if any(item.bodies for item in body.items) else draft.segments[body.head]
    return None


def front_of(draft: Draft, start: int) -> tuple[Body, Item] | None:
    """Find the body in which the turn's header ends right before the block around a position, and the item there."""
    placing, path = Placing(draft), list(path_to(draft.root, start))
    for body, item in reversed(path):
        earlier = [placing.labels(other) for other in body.items if other.end <= item.start]
        printing = [labels for labels in earlier if labels]
        if printing:
            return (body, path[-1][1]) if printing[-1] == {Label.SUPPLIED} else None
        if item.keyword == "for":
            return None
    return None
