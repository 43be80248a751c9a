"""Lets a message print its role marker only where the turn before has not taken it."""

from collections.abc import Iterator, Sequence

from jinja2 import nodes

from trainplate.fixes.marking.blocks import Body, Item, all_bodies
from trainplate.fixes.marking.draft import Draft, printed_start
from trainplate.fixes.marking.labels import constant
from trainplate.fixes.marking.layout import own_line
from trainplate.fixes.marking.literals import cut_literal
from trainplate.fixes.stops.openings import Opening, Stops, Taken
from trainplate.fixes.stops.silences import Silences
from trainplate.fixes.stops.wording import Wording, wording_at
from trainplate.rendering.trace import Piece
from trainplate.syntax import Edit, Kind


def guard(draft: Draft, opening: Opening, taken: Taken, stops: Stops, silences: Silences) -> list[Edit] | None:
    """Return the edits that put an opening under a condition; None where it cannot be taken apart."""
    wording = wording_at(draft, draft.segments[opening.pieces[0].segment].start, filtered=bool(silences.roles))
    tests = tests_of(wording, taken, stops) if wording is not None else None
    if wording is None or tests is None:
        return None
    tests += [wording.said_before(silence) for silence in silences.tests]
    around = lone_if(draft, opening)
    if around is not None:
        return [extended(draft, around, tests)]
    return conditional(draft, opening, wording, " or ".join(["loop.first", *tests]))


def tests_of(wording: Wording, taken: Taken, stops: Stops) -> list[str] | None:
    """Return the conditions, any of which says that the message before has not taken the marker."""
    answered, calls = f"{wording.role_before} != {wording.text('assistant')}", wording.calls(wording.before)
    if stops[True] == stops[False]:
        return [answered, *own_role(wording, set().union(*taken.roles.values()), taken)]
    if len(taken.roles) == 1:
        ((with_calls, roles),) = taken.roles.items()
        return [*([f"not {calls}"] if with_calls else [answered, calls]), *own_role(wording, roles, taken)]
    if any(len(roles) > 1 for roles in taken.roles.values()):
        return None
    called, plain = (wording.text(*taken.roles[with_calls]) for with_calls in (True, False))
    return [answered, f"{wording.role} != ({called} if {calls} else {plain})"]


def own_role(wording: Wording, roles: set[str], taken: Taken) -> list[str]:
    """Return the condition that the message at hand has another role, where others begin at the same place."""
    if not taken.shared:
        return []
    names = [wording.text(role) for role in sorted(roles)]
    return [f"{wording.role} != {names[0]}" if len(names) == 1 else f"{wording.role} not in [{', '.join(names)}]"]


def lone_if(draft: Draft, opening: Opening) -> Body | None:
    """Return the `if` that does nothing but print an opening."""
    if len(opening.pieces) > 1:
        return None
    piece = opening.pieces[0]
    if draft.printed.get(piece.segment) is not piece or opening.length != len(constant(piece.node) or ""):
        return None
    for outer in all_bodies(draft.root):
        for item in outer.items:
            if item.keyword == "if" and len(item.bodies) == 1 and printing(draft, item.bodies[0]) == [piece.segment]:
                return item.bodies[0]
    return None


def printing(draft: Draft, body: Body) -> list[int]:
    """Return the segments of a body that print something, or hold what does."""
    return [item.first for item in body.items if item.bodies or is_printed(draft, item)]


def is_printed(draft: Draft, item: Item) -> bool:
    """Say whether a text or tag prints."""
    segment = draft.segments[item.first]
    return bool(segment.printed) if segment.kind is Kind.TEXT else segment.kind in (Kind.EXPRESSION, Kind.RAW)


def extended(draft: Draft, body: Body, tests: Sequence[str]) -> Edit:
    """Add to the condition of an `if` that one of the tests holds."""
    tokens = draft.segments[body.head].tokens
    start, end = tokens[1].start, tokens[-1].end
    test = next(
        node.test
        for node in draft.tracer.tree.root.find_all(nodes.If)
        if draft.tracer.tree.extent(node.test).outer_start == start
    )
    tree, joined = draft.tracer.tree, " or ".join(tests)
    added = f"({joined})" if len(tests) > 1 else joined
    if isinstance(test, nodes.Or) and tree.text(test.left) == "loop.first":
        rest = tree.extent(test.right)
        written = draft.source[rest.outer_start : rest.outer_end]
        return Edit(rest.outer_start, rest.outer_end, f"{written} and {added}")
    first = f"(loop.first or {joined})"
    written = draft.source[start:end]
    return Edit(start, end, f"{f'({written})' if isinstance(test, nodes.Or | nodes.CondExpr) else written} and {first}")


def conditional(draft: Draft, opening: Opening, wording: Wording, test: str) -> list[Edit] | None:
    """Print an opening by an expression that asks for the condition, and what its last output prints more behind it."""
    pieces = opening.pieces
    indexes = list(dict.fromkeys(piece.segment for piece in pieces))
    if indexes != list(range(indexes[0], indexes[-1] + 1)):
        return None
    parts = [head(draft, opening, number, wording) for number in range(len(pieces))]
    if None in parts or not begins(draft, pieces[0]) or not all(is_operand(draft, piece) for piece in pieces):
        return None
    marker = " + ".join(part for part in parts if part is not None)
    start, end, rest = extent(draft, opening)
    segment = draft.segments[indexes[0]]
    opener, closer, joint = "{{ ", " }}", ""
    if segment.kind is Kind.EXPRESSION:
        opener = draft.source[segment.start : segment.tokens[0].start]
        closer = draft.source[segment.tokens[-1].end : segment.end]
        indent = own_line(draft.source, start, end)
        joint = f"\n{indent}" if indent is not None and opener.startswith("{{-") else ""
    tags = (f"{opener}{expression}{closer}" for expression in (f"{marker} if {test}", *rest))
    return [Edit(start, end, joint.join(tags))]


def head(draft: Draft, opening: Opening, number: int, wording: Wording) -> str | None:
    """Write what a piece prints of the marker."""
    piece, last = opening.pieces[number], number == len(opening.pieces) - 1
    value = constant(piece.node)
    if isinstance(piece.node, nodes.TemplateData):
        return wording.text((value or "")[: opening.length] if last else value or "")
    written = draft.source[piece.extent.outer_start : piece.extent.outer_end]
    if value is None or not last or opening.length == len(value):
        return written
    halves = cut_literal(written, opening.length)
    return halves[0] if halves is not None else None


def begins(draft: Draft, piece: Piece) -> bool:
    """Say whether a piece is an output, or the first operand of one."""
    whole = draft.printed.get(piece.segment)
    return piece is whole or (is_operand(draft, piece) and whole is not None and piece.number == whole.number + 1)


def is_operand(draft: Draft, piece: Piece) -> bool:
    """Say whether a piece is an output, or an operand of a sum that is one."""
    whole = draft.printed.get(piece.segment)
    return piece is whole or (
        whole is not None and piece.parent == whole.number and isinstance(whole.node, nodes.Add | nodes.Concat)
    )


def extent(draft: Draft, opening: Opening) -> tuple[int, int, list[str]]:
    """Return where the marker stands in the source, and the expression that its last output prints behind it."""
    first, last = (draft.segments[opening.pieces[index].segment] for index in (0, -1))
    start = printed_start(draft.source, first) if first.kind is Kind.TEXT else first.start
    if last.kind is Kind.TEXT:
        return start, printed_start(draft.source, last) + opening.length, []
    return start, last.end, list(remainder(draft, opening))


def remainder(draft: Draft, opening: Opening) -> Iterator[str]:
    """Write what the last output of an opening prints behind it, if anything."""
    piece, whole = opening.pieces[-1], draft.printed[opening.pieces[-1].segment]
    end = draft.segments[piece.segment].tokens[-1].end
    value = constant(piece.node)
    rest = draft.source[piece.extent.outer_end : end]
    if value is not None and opening.length < len(value):
        halves = cut_literal(draft.source[piece.extent.outer_start : piece.extent.outer_end], opening.length)
        yield (halves[1] if halves else "") + rest
    elif piece is not whole and rest.strip():
        yield rest.strip().lstrip("+~").strip()
