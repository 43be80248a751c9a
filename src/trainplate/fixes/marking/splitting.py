"""Divides outputs that print both supplied and sampled text, so that every tag prints only one of the two."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from jinja2 import nodes

from trainplate.fixes.marking.draft import Draft
from trainplate.fixes.marking.labels import Label
from trainplate.fixes.marking.layout import own_line
from trainplate.fixes.marking.literals import cut_literal
from trainplate.fixes.marking.sample import Unmarkable
from trainplate.rendering.trace import Piece
from trainplate.syntax import Edit, Kind, Segment

SIDES = {Label.SAMPLED: True, Label.SHARED: True, Label.SUPPLIED: False}
"""Whether a piece stands inside of markers; those that may stand on either side follow what is before them."""


class Indivisible(Exception):
    """Raised where an edge of sampled text falls into something that cannot be divided."""


@dataclass(frozen=True)
class Fragment:
    """A part of an expression, as it is written, and on which side of the edge it stands."""

    text: str
    inside: bool | None
    start: int
    end: int
    whole: bool = True
    """Whether it is an operand as it stood, not a part of a constant."""


def split_outputs(draft: Draft) -> list[Edit] | Unmarkable:
    """Return the edits that divide every output at the edges of sampled text."""
    edits = []
    for index, piece in draft.printed.items():
        segment = draft.segments[index]
        if segment.kind is not Kind.EXPRESSION:
            if draft.readings[piece.number].label is Label.MIXED:
                return Unmarkable(f"what {told(draft, piece)} prints is sampled in some turns and supplied in others")
            continue
        try:
            texts = list(divided(draft, piece))
        except Indivisible as error:
            return Unmarkable(str(error))
        if len(texts) > 1:
            edits.append(Edit(segment.start, segment.end, as_tags(draft.source, segment, texts)))
    return edits


def told(draft: Draft, piece: Piece) -> str:
    """Name a piece as it is written."""
    text = draft.source[piece.extent.start : piece.extent.end].strip()
    return f"`{text}`" if len(text) <= 60 else f"`{text[:57]}...`"


def divided(draft: Draft, piece: Piece) -> Iterator[str]:
    """Yield the expressions that print, one after the other, what a piece prints."""
    parts = sided(list(fragments(draft, piece)))
    joint = " ~ " if any(isinstance(node, nodes.Concat) for node in chain(piece.node)) else " + "
    for _, group in groupby(parts, key=lambda part: part.inside):
        yield written(draft.source, list(group), joint)


def chain(node: nodes.Node) -> Iterator[nodes.Node]:
    """Yield an expression and the sums and concatenations that it consists of."""
    yield node
    for child in node.iter_child_nodes() if isinstance(node, nodes.Add | nodes.Concat) else ():
        yield from chain(child)


def fragments(draft: Draft, piece: Piece) -> Iterator[Fragment]:
    """Yield the parts of a piece, each of which stands on one side."""
    reading, extent = draft.readings[piece.number], piece.extent
    text = draft.source[extent.outer_start : extent.outer_end]
    operands = [other for other in draft.tracer.pieces if other.parent == piece.number]
    if reading.label is not Label.MIXED and len(reading.sections) == 1:
        yield Fragment(text, SIDES.get(reading.label), extent.outer_start, extent.outer_end)
    elif reading.label is not Label.MIXED:
        start = 0
        for end, label in reading.sections:
            halves = cut_literal(text, end - start)
            if halves is None:
                raise Indivisible(f"the edge of sampled text falls into {told(draft, piece)}")
            yield Fragment(halves[0], SIDES[label], extent.outer_start, extent.outer_end, whole=False)
            start, text = end, halves[1]
    elif operands and not isinstance(piece.node, nodes.CondExpr):
        for operand in operands:
            yield from fragments(draft, operand)
    else:
        raise Indivisible(f"what {told(draft, piece)} prints is sampled in part")


def sided(parts: Sequence[Fragment]) -> list[Fragment]:
    """Put every part on a side: one that may stand on either stays with what is before it, or else behind it."""
    first = next((part.inside for part in parts if part.inside is not None), None)
    placed, side = [], first
    for part in parts:
        side = side if part.inside is None else part.inside
        placed.append(Fragment(part.text, side, part.start, part.end, part.whole))
    return placed


def written(source: str, group: Sequence[Fragment], joint: str) -> str:
    """Write neighbouring parts as one expression, as they stood where that is possible."""
    if len(group) == 1:
        return group[0].text
    between = source[group[0].end : group[-1].start]
    if balanced(between):
        return group[0].text + between + group[-1].text
    return joint.join(part.text for part in group)


def balanced(text: str) -> bool:
    """Say whether every bracket that opens in a text also closes in it; strings with brackets may say no as well."""
    depth = 0
    for character in text:
        depth += (character in "([{") - (character in ")]}")
        if depth < 0:
            return False
    return depth == 0


def as_tags(source: str, segment: Segment, texts: Sequence[str]) -> str:
    """Write several expressions in the place of one, in its own style."""
    opening, closing = source[segment.start : segment.inner_start], source[segment.inner_end : segment.end]
    before = source[segment.inner_start : segment.tokens[0].start]
    behind = source[segment.tokens[-1].end : segment.inner_end]
    indent = own_line(source, segment.start, segment.end)
    joint = f"\n{indent}" if indent is not None and opening.endswith("-") else ""
    return joint.join(f"{opening}{before}{text}{behind}{closing}" for text in texts)
