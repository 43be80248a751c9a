"""Writes an output as two, of which the first is sampled under a condition.

Where all branches of a block would begin with the same, it is printed once in front of the block.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trainplate.fixes.marking.blocks import Body, Item, all_items
from trainplate.fixes.marking.conditions import negated
from trainplate.fixes.marking.draft import Draft
from trainplate.fixes.marking.layout import Layout, layout_at
from trainplate.fixes.marking.literals import write_literal
from trainplate.fixes.marking.sharing import taken_blank
from trainplate.fixes.marking.splitting import as_tags
from trainplate.rendering.trace import Piece
from trainplate.syntax import Edit, Kind

Tags = list[tuple[int, str]]
"""Tags as they follow each other, each with its depth."""


@dataclass(frozen=True, eq=False)
class Front:
    """An output as two expressions, the second of which may be empty; the first is sampled under a condition.

    Markers are placed later where samples show what is sampled, and at once where they do not.
    """

    piece: Piece
    text: str
    rest: str
    test: str | None
    """None where the first is sampled always."""
    seen: bool = True


def edits_for(draft: Draft, fronts: Sequence[Front]) -> list[Edit]:
    """Return the edits that write each output as two, what is common to all branches of a block in front of it."""
    edits: list[Edit] = []
    left = {front.piece.segment: front for front in fronts}
    for item in all_items(draft.root):
        together = common_front(draft, item, left)
        for number, front in enumerate(together):
            del left[front.piece.segment]
            segment = draft.segments[front.piece.segment]
            edits.append(Edit(segment.start, segment.end, as_tags(draft.source, segment, [front.rest])))
            if number == 0:
                layout = layout_at(draft.source, item.start, item.end)
                edits.append(Edit(item.start, item.start, layout.lines([*tags_of(draft, front, layout), (0, "")])))
    return edits + [in_place(draft, front) for front in left.values()]


def common_front(draft: Draft, item: Item, fronts: Mapping[int, Front]) -> list[Front]:
    """Return the outputs that all branches of a block begin with, a seen one first, if they begin alike."""
    if item.keyword != "if" or not item.bodies or item.bodies[-1].keyword != "else":
        return []
    found = [front for body in item.bodies if (front := fronts.get(first_printed(draft, body)))]
    alike = {(front.text, front.test) for front in found if front.rest}
    lines = layout_at(draft.source, item.start, item.end).indent is not None
    if len(found) < len(item.bodies) or len(alike) > 1 or not all(front.rest for front in found) or not lines:
        return []
    return sorted(found, key=lambda front: not front.seen) if any(front.seen for front in found) else []


def first_printed(draft: Draft, body: Body) -> int:
    """Return the index of the segment that a body prints first, whatever happens; -1 where a block may print first."""
    for item in body.items:
        if any(prints(draft, index) for index in range(item.first, item.last + 1)):
            return -1 if item.bodies else item.first
    return -1


def prints(draft: Draft, index: int) -> bool:
    """Say whether a segment prints anything but white space."""
    segment = draft.segments[index]
    return index in draft.printed and (segment.kind is not Kind.TEXT or bool(segment.printed.strip()))


def in_place(draft: Draft, front: Front) -> Edit:
    """Write an output as two where it stands."""
    segment, source = draft.segments[front.piece.segment], draft.source
    layout = layout_at(source, segment.start, segment.end)
    rest = [(0, as_tags(source, segment, [front.rest]))] if front.rest else []
    tags = [*tags_of(draft, front, layout), *rest]
    blank = "" if tags[0][1].startswith("{{") else taken_blank(draft, segment.start)
    lead = f"{{{{ {write_literal(blank)} }}}}" if blank else ""
    return Edit(segment.start - len(blank), segment.end, lead + layout.lines(tags))


def tags_of(draft: Draft, front: Front, layout: Layout) -> Tags:
    """Write the first of two outputs, in two branches where only a condition tells whether it is sampled."""
    printed = as_tags(draft.source, draft.segments[front.piece.segment], [front.text])
    supplied: Tags = [(0, printed)]
    around = (0, layout.block("generation")), (0, layout.block("endgeneration"))
    sampled = supplied if front.seen else [around[0], *supplied, around[1]]
    if front.test is None:
        return sampled
    test, branches = test_and_branches(front.test, sampled, supplied)
    first, second = ([(1, tag) for _, tag in branch] for branch in branches)
    head, middle, end = (layout.block(words) for words in (f"if {test}", "else", "endif"))
    return [(0, head), *first, (0, middle), *second, (0, end)]


def test_and_branches(test: str, sampled: Tags, supplied: Tags) -> tuple[str, tuple[Tags, Tags]]:
    """Return a condition and what is printed where it holds and where not; a denied one is said without `not`."""
    opposite = negated(test)
    return (opposite, (supplied, sampled)) if test == f"not ({opposite})" else (test, (sampled, supplied))
