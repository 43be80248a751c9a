"""Prints a header once, in front of the branches that all begin with it: they then hold sampled text alone."""

from collections.abc import Iterator

from trainplate.errors import SyntaxFault
from trainplate.fixes.marking.blocks import Body, Item, all_items
from trainplate.fixes.marking.conditions import head_test, negated
from trainplate.fixes.marking.draft import Draft
from trainplate.fixes.marking.labels import Label
from trainplate.fixes.marking.layout import own_line
from trainplate.fixes.marking.placement import Placing
from trainplate.fixes.marking.white_space import Gap, gap_at
from trainplate.syntax import Edit, Kind, segments


def hoist_headers(draft: Draft) -> list[Edit] | None:
    """Return the edits that move what every branch begins with in front of the condition; None if there is none."""
    placing = Placing(draft)
    edits: list[Edit] = []
    for item in all_items(draft.root):
        headers = shared_headers(placing, item)
        if headers and not any(edit.start <= item.start < edit.end for edit in edits):
            moved = moves(draft, item, headers)
            edits += moved or []
    return edits or None


def shared_headers(placing: Placing, item: Item) -> list[Item]:
    """Return the outputs, one in each branch, that print the same header; none if branches supply more."""
    draft = placing.draft
    if item.keyword != "if" or not item.bodies or item.bodies[-1].keyword != "else":
        return []
    firsts = [first_printing(draft, body) for body in item.bodies]
    headers = [first for first in firsts if first is not None and is_header(draft, first)]
    texts = {draft.expression(header.first) for header in headers}
    if len(headers) < len(firsts) or len(texts) != 1 or not any(is_seen(draft, header) for header in headers):
        return []
    rest = {
        label for body in item.bodies for inner in body.items if inner not in headers for label in placing.labels(inner)
    }
    return headers if rest & {Label.SAMPLED, Label.SHARED} and Label.SUPPLIED not in rest else []


def first_printing(draft: Draft, body: Body) -> Item | None:
    """Return the first item of a body that prints; None if something is set or done before it."""
    for item in body.items:
        piece = draft.segments[item.first]
        if piece.kind is Kind.COMMENT or (piece.kind is Kind.TEXT and not piece.printed):
            continue
        return item if piece.kind is Kind.EXPRESSION else None
    return None


def is_header(draft: Draft, item: Item) -> bool:
    """Say whether an output prints a header, of assistant turns or others."""
    return draft.label_at(item.first, item.start) in (Label.SUPPLIED, Label.OTHERS, Label.UNSEEN)


def is_seen(draft: Draft, item: Item) -> bool:
    """Say whether samples show an output in an assistant turn."""
    piece = draft.printed.get(item.first)
    return piece is not None and draft.readings[piece.number].label is Label.SUPPLIED


def moves(draft: Draft, item: Item, headers: list[Item]) -> list[Edit] | None:
    """Return the edits that take the headers out and print one in front; None if white space is in the way."""
    tag = draft.source[headers[0].start : headers[0].end]
    opening = insertion(draft, item, tag)
    taken = [removal(draft, header) for header in headers]
    if opening is None or None in taken:
        return None
    edits = [opening, *(edit for edit in taken if edit is not None)]
    return [*edits, *turned_round(draft, item, headers)]


def turned_round(draft: Draft, item: Item, headers: list[Item]) -> list[Edit]:
    """Return the edits that turn a condition round whose first branch is empty: its `else` becomes the branch."""
    if len(item.bodies) != 2:
        return []
    first, last = item.bodies
    test, head, middle = head_test(draft, first), draft.segments[first.head], draft.segments[last.head]
    empty = draft.source[first.start : headers[0].start] + draft.source[headers[0].end : first.end]
    if test is None or empty.strip() or own_line(draft.source, middle.start, middle.end) is not None:
        return []
    place = head.tokens[1].start
    return [Edit(place, head.tokens[-1].end, negated(test)), Edit(middle.start, middle.end, "")]


def insertion(draft: Draft, item: Item, tag: str) -> Edit | None:
    """Put a tag in front of a block."""
    line = draft.source.rfind("\n", 0, item.start) + 1
    indent = draft.source[line : item.start]
    if not indent.strip() and gap_at(draft, line).takes(f"{indent}{tag}\n"):
        return Edit(line, line, f"{indent}{tag}\n")
    return Edit(item.start, item.start, tag) if gap_at(draft, item.start).takes(tag) else None


def removal(draft: Draft, item: Item) -> Edit | None:
    """Take out a tag, with its line where it has one to itself."""
    before, behind = gap_at(draft, item.start), gap_at(draft, item.end)
    for start, end in places(draft.source, item):
        left = before.left[: len(before.left) - (item.start - start)]
        if (
            printed_without(before, left + behind.right[end - item.end :], behind)
            == before.left_printed + behind.right_printed
        ):
            return Edit(start, end, "")
    return None


def places(source: str, item: Item) -> Iterator[tuple[int, int]]:
    """Yield what to cut out: the line, the tag with the white space before it, or the tag alone."""
    indent = own_line(source, item.start, item.end)
    if indent is not None:
        yield item.start - len(indent), source.find("\n", item.end) + 1
    blank = len(source[: item.start]) - len(source[: item.start].rstrip())
    yield item.start - blank, item.end
    yield item.start, item.end


def printed_without(before: Gap, text: str, behind: Gap) -> str | None:
    """Return what a text prints between the tags around one that was taken out."""
    try:
        pieces = segments(before.before + text + behind.behind)
    except SyntaxFault:
        return None
    return "".join(piece.printed for piece in pieces if piece.kind is Kind.TEXT)
