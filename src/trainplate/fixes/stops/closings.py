"""Writes a stop token into the place where turns end, in the style of that place."""

import re
from collections.abc import Iterator
from dataclasses import replace

from jinja2 import nodes

from trainplate.fixes.marking.blocks import Item
from trainplate.fixes.marking.draft import Draft, printed_start
from trainplate.fixes.marking.labels import constant
from trainplate.fixes.marking.layout import layout_at, own_line
from trainplate.fixes.marking.roles import role_tests
from trainplate.fixes.marking.white_space import gap_at
from trainplate.fixes.stops.endings import Ending
from trainplate.fixes.stops.openings import Stops
from trainplate.fixes.stops.probing import Probing
from trainplate.fixes.stops.wording import Wording, wording_at
from trainplate.syntax import Edit, Kind

EOS = "eos_token"
PLAIN = re.compile(r"(['\"])[^'\"\\\s{}#%]+\1")
"""A constant that can stand between two tags, or within another, as it is."""


def closing(probing: Probing, ending: Ending, stops: Stops, *, close: bool) -> Edit | None:
    """Return the edit that prints the stop token where turns end; None where it cannot be written.

    `close` is whether it stands before line ends that end a turn.
    """
    item, draft = ending.item, probing.draft
    wording = wording_at(draft, item.start)
    if wording is None:
        return None
    stop = stop_of(ending, stops, wording, probing.special_tokens.get(EOS, ""))
    if ending.inside:
        return at_end(draft, item, stop, close=close)
    test = next(role_tests(draft, item.start), None) if probing.others_pass(item.end) else None
    return behind(draft, item, stop, test)


def stop_of(ending: Ending, stops: Stops, wording: Wording, eos: str) -> str:
    """Write the stop token of the turns that end in a place."""
    own = {calls: EOS if stops[calls] == eos else wording.text(stops[calls]) for calls in (False, True)}
    told = sorted({own[calls] for calls in ending.calls})
    return told[0] if len(told) == 1 else f"{own[True]} if {wording.calls(wording.message)} else {own[False]}"


def at_end(draft: Draft, block: Item, stop: str, *, close: bool) -> Edit | None:
    """Print a stop token at the end of a marker block."""
    body = block.bodies[0]
    for item in reversed(body.items):
        segment = draft.segments[item.last]
        if segment.kind is Kind.TEXT:
            kept = segment.printed.rstrip()
            if not segment.printed or (close and not kept and ends_lines(segment.printed)):
                continue
            cut = close and ends_lines(segment.printed[len(kept) :])
            return put(draft, item, printed_start(draft.source, segment) + len(kept) if cut else item.end, stop)
        if segment.kind is not Kind.COMMENT:
            edit = operand(draft, item.last, stop, close=close) if not item.bodies else None
            return edit or put(draft, item, item.end, stop)
    return put(draft, None, body.start, stop)


def operand(draft: Draft, index: int, stop: str, *, close: bool) -> Edit | None:
    """Print a stop token as an operand of an output that joins texts, before white space at its end or behind all."""
    whole = draft.printed.get(index)
    parts = [part for part in draft.tracer.pieces if whole is not None and part.parent == whole.number]
    if whole is None or not isinstance(whole.node, nodes.Add | nodes.Concat) or len(parts) < 2:
        return None
    joint = "~" if isinstance(whole.node, nodes.Concat) else "+"
    stop, last = f"({stop})" if " " in stop else stop, parts[-1].extent
    if close and ends_lines(constant(parts[-1].node) or ""):
        return Edit(last.outer_start, last.outer_start, f"{stop} {joint} ")
    if own_line(draft.source, draft.segments[index].start, draft.segments[index].end) is not None:
        return None
    if PLAIN.fullmatch(stop) and constant(parts[-1].node) is not None and draft.source[last.end - 1] == stop[0]:
        return Edit(last.end - 1, last.end - 1, stop[1:-1])
    return Edit(last.outer_end, last.outer_end, f" {joint} {stop}")


def ends_lines(text: str) -> bool:
    """Say whether a text is white space with line ends; a mere space would be part of the token behind it."""
    return text.isspace() and "\n" in text


def put(draft: Draft, item: Item | None, position: int, stop: str) -> Edit | None:
    """Print a stop token at a position behind an item, on a line of its own where the item has its own."""
    gap = gap_at(draft, position)
    texts = [text for text in written(draft, item, position, stop) if gap.takes(text)]
    if texts and texts[0].startswith("{") and not (gap.left or gap.right) and PLAIN.fullmatch(stop):
        return Edit(position, position, stop[1:-1])
    return Edit(position, position, texts[0]) if texts else None


def written(draft: Draft, item: Item | None, position: int, stop: str) -> Iterator[str]:
    """Yield ways to write the tag, the most natural first."""
    dashed, plain = f"{{{{- {stop} }}}}", f"{{{{ {stop} }}}}"
    indent = own_line(draft.source, item.start, item.end) if item is not None and position == item.end else None
    if indent is not None:
        yield from (f"\n{indent}{dashed}", f"\n{indent}{plain}")
    yield from (plain, dashed)


def behind(draft: Draft, item: Item, stop: str, test: str | None) -> Edit | None:
    """Print a stop token within markers of its own behind an item, under a condition if there is one."""
    opening = draft.segments[item.first]
    layout = layout_at(draft.source, opening.start, opening.end)
    if own_line(draft.source, item.start, item.end) is None:
        layout = replace(layout, indent=None, sign="")
    tags = [(0, layout.block("generation")), (0, layout.output(stop)), (0, layout.block("endgeneration"))]
    if test is not None:
        tags = [(0, layout.block(f"if {test}")), *((1, tag) for _, tag in tags), (0, layout.block("endif"))]
    lead = f"\n{layout.indent}" if layout.indent is not None else ""
    text = lead + layout.lines(tags)
    return Edit(item.end, item.end, text) if gap_at(draft, item.end).takes(text) else None
