"""Prints the end of a header once in front, where whatever comes first in a turn prints it.

Qwen2.5 starts a turn with the role alone; the newline behind it is printed by the content, or by the first tool call
where there is none. GPT-OSS prints `<|start|>assistant` anew in front of each of a turn's messages.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from trainplate.fixes.marking.blocks import Body, Item, all_bodies, all_items
from trainplate.fixes.marking.conditions import all_of, any_of, head_test
from trainplate.fixes.marking.draft import Draft
from trainplate.fixes.marking.labels import WHOLE, Label, Reading, constant
from trainplate.fixes.marking.layout import Layout, layout_at
from trainplate.fixes.marking.literals import cut_literal
from trainplate.fixes.marking.placement import Placing
from trainplate.rendering.trace import Piece
from trainplate.syntax import Edit, Kind

ALWAYS = "true"


@dataclass(frozen=True)
class Lead:
    """The end of a header, as it is written, and the outputs in one body that begin with it."""

    text: str
    value: str
    body: Body
    writers: dict[int, Piece]
    """By segment, the constant that an output begins with."""


def split_leads(draft: Draft) -> list[Edit] | None:
    """Return the edits that print every lead in front, and later only behind something; None if there is none."""
    edits: list[Edit] = []
    for lead in leads(draft):
        front = next(item for item in lead.body.items if holds_writer(item, lead))
        edits += in_front(draft, lead, front)
        for segment, writer in lead.writers.items():
            edits += behind(draft, lead, segment, writer, condition(draft, lead, segment))
    return edits or None


def leads(draft: Draft) -> Iterator[Lead]:
    """Yield each body of assistant turns in which a constant begins with supplied text only if it comes first."""
    done: set[Body] = set()
    for segment, first in first_constants(draft).items():
        size = lead_size(draft.readings[first.number])
        body = assistants_body(draft, segment) if size else None
        if size is None or body is None or body in done:
            continue
        halves = cut_literal(draft.source[first.extent.start : first.extent.end], size)
        if halves is None:
            continue
        done.add(body)
        value = str(constant(first.node))[:size]
        inner = {item.first for item in all_items(body)}
        writers = {
            index: piece
            for index, piece in first_constants(draft).items()
            if index in inner and str(constant(piece.node)).startswith(value) and may_lead(draft, piece, size)
        }
        yield Lead(halves[0], value, body, writers)


def lead_size(reading: Reading) -> int | None:
    """Return how much of a constant is supplied where it comes first, if it is sampled elsewhere."""
    places = [place for place, _ in reading.edges]
    if len(places) != 2 or places[0] != 0 or reading.ends - {WHOLE}:
        return None
    return min(places[1], len(constant(reading.piece.node) or ""))


def may_lead(draft: Draft, piece: Piece, size: int) -> bool:
    """Say whether what a constant printed agrees with its beginning being supplied only where it comes first."""
    places = {place for place, _ in draft.readings[piece.number].edges}
    return places <= {0, WHOLE if len(constant(piece.node) or "") == size else size}


def first_constants(draft: Draft) -> dict[int, Piece]:
    """Return, by segment, the string constant that an output begins with."""
    found: dict[int, Piece] = {}
    for piece in draft.tracer.pieces:
        parent = draft.printed.get(piece.segment)
        if parent is None or draft.segments[piece.segment].kind is not Kind.EXPRESSION:
            continue
        first = piece is parent or (piece.parent == parent.number and piece.number == parent.number + 1)
        if first and constant(piece.node) is not None:
            found[piece.segment] = piece
    return found


def assistants_body(draft: Draft, segment: int) -> Body | None:
    """Return the outermost body around a segment in which other roles print nothing."""
    placing, place = Placing(draft), draft.segments[segment].start
    for body in all_bodies(draft.root):
        if body.start <= place < body.end and body is not draft.root:
            labels = {label for item in body.items for label in placing.labels(item)}
            if not labels & {Label.SHARED, Label.OTHERS}:
                return body
    return None


def holds_writer(item: Item, lead: Lead) -> bool:
    """Say whether an item is an output that begins with the lead, or a block with one in it."""
    return any(item.first <= segment <= item.last for segment in lead.writers)


def condition(draft: Draft, lead: Lead, segment: int) -> str | None:
    """Return the condition under which something was printed before an output; None where nothing can be."""
    tests, body = [], lead.body
    while True:
        item = next(item for item in body.items if item.first <= segment <= item.last)
        before = body.items[: body.items.index(item)]
        tests += [printing(draft, lead, other) for other in before if holds_writer(other, lead)]
        if not item.bodies:
            break
        if item.keyword == "for":
            tests.append("not loop.first")
        body = next(inner for inner in item.bodies if inner.start <= draft.segments[segment].start < inner.end)
    return ALWAYS if ALWAYS in tests else any_of(dict.fromkeys(tests)) if tests else None


def printing(draft: Draft, lead: Lead, item: Item) -> str:
    """Return the condition under which an item prints the lead."""
    if not item.bodies:
        return ALWAYS
    ways = []
    for body in item.bodies:
        inner = [printing(draft, lead, other) for other in body.items if holds_writer(other, lead)]
        if inner:
            own = looped(draft, item) if item.keyword == "for" else head_test(draft, body)
            below = ALWAYS if ALWAYS in inner else any_of(inner)
            ways.append(all_of(test for test in (own, below) if test not in (None, ALWAYS)) or ALWAYS)
    covered = item.keyword == "if" and len(ways) == len(item.bodies) and item.bodies[-1].keyword == "else"
    return ALWAYS if covered else any_of(dict.fromkeys(ways))


def looped(draft: Draft, item: Item) -> str:
    """Return what a loop goes over, as it is written."""
    tokens = draft.segments[item.first].tokens
    start = next(number for number, token in enumerate(tokens) if token.text == "in") + 1
    return draft.source[tokens[start].start : tokens[-1].end]


def in_front(draft: Draft, lead: Lead, front: Item) -> list[Edit]:
    """Print the lead before the item in front: at the end of the output before it, or in a tag of its own."""
    before = [item for item in lead.body.items if item.end <= front.start]
    while before and draft.label_at(before[-1].first, before[-1].start) is None and not before[-1].bodies:
        before.pop()
    header = draft.segments[before[-1].last] if before and not before[-1].bodies else None
    if header is not None and header.kind is Kind.EXPRESSION:
        end, last = header.tokens[-1].end, header.tokens[-1]
        alone = len(header.tokens) == 1 or header.tokens[-2].type in ("add", "tilde")
        if last.type == "string" and alone and last.text[0] == lead.text[0]:
            return [Edit(end - 1, end, lead.text[1:])]
        return [Edit(end, end, f" + {lead.text}")]
    opening = draft.segments[front.first]
    layout = layout_at(draft.source, opening.start, opening.end)
    behind_tag = f"\n{layout.indent}" if layout.indent is not None else ""
    return [Edit(front.start, front.start, layout.output(lead.text) + behind_tag)]


def behind(draft: Draft, lead: Lead, segment: int, writer: Piece, test: str | None) -> list[Edit]:
    """Take the lead from an output that begins with it; print it there only if something was printed before."""
    if test == ALWAYS:
        return []
    tag, source = draft.segments[segment], draft.source
    halves = cut_literal(source[writer.extent.start : writer.extent.end], len(lead.value))
    if halves is None:
        return []
    rest = source[writer.extent.end : tag.tokens[-1].end]
    is_all = len(halves[1]) == len("''")
    rest = rest.lstrip(" \n+~") if is_all else halves[1] + rest
    opening, closing = source[tag.start : tag.tokens[0].start], source[tag.tokens[-1].end : tag.end]
    layout = layout_at(source, tag.start, tag.end)
    tags = [(0, f"{opening}{rest}{closing}")] if rest else []
    if test is not None:
        tags = [*conditional(layout, test, lead.text), *tags]
    return [Edit(tag.start, tag.end, layout.lines(tags))]


def conditional(layout: Layout, test: str, text: str) -> list[tuple[int, str]]:
    """Print a text under a condition."""
    return [(0, layout.block(f"if {test}")), (1, layout.output(text)), (0, layout.block("endif"))]
