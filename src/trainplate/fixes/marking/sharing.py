"""Tells assistant turns apart where one output prints the messages of all roles."""

from collections.abc import Iterator

from trainplate.fixes.marking.blocks import SCOPES, Body, Item, extent_of
from trainplate.fixes.marking.conditions import all_of
from trainplate.fixes.marking.draft import Draft, printed_start
from trainplate.fixes.marking.labels import Label
from trainplate.fixes.marking.layout import layout_at
from trainplate.fixes.marking.names import holds
from trainplate.fixes.marking.placement import Placing, Run, is_certain
from trainplate.fixes.marking.roles import role_tests
from trainplate.fixes.marking.sample import Unmarkable
from trainplate.fixes.marking.white_space import gap_at
from trainplate.syntax import Edit, Kind

SHAREABLE = frozenset({Label.SHARED, Label.SAMPLED, Label.OTHERS})
LONGEST_TWICE = 160
"""What is longer, or has blocks in it, is captured once rather than written twice."""
NAMES = ("turn", "turn_text", "message_text")


def split_by_role(draft: Draft, *, narrow: bool = False) -> list[Edit] | Unmarkable:
    """Return the edits that put every shared run under a condition on the role, marked for the assistant.

    `narrow` markers never enclose nothing: what may print nothing is asked whether it does.
    """
    placing, edits = Placing(draft), []
    for run, scope_end in shared_runs(placing, draft.root, len(draft.source)):
        if not placing.may_enclose(run.items, scope_end):
            return Unmarkable("what all roles share sets names, or leaves the loop")
        edit = split_run(draft, run, guarded=narrow and not is_certain(placing, run.items))
        if edit is None:
            return Unmarkable("nothing tells whose message is printed")
        edits.append(edit)
    return edits


def shared_runs(placing: Placing, body: Body, scope_end: int) -> Iterator[tuple[Run, int]]:
    """Yield the runs of items that print an assistant's sampled text and other roles' text, with their scopes."""
    items, index = body.items, 0
    while index < len(items):
        last = last_shared(placing, items, index)
        if last is None:
            for inner in items[index].bodies if not holds(items[index]) else ():
                yield from shared_runs(placing, inner, inner.end if items[index].keyword in SCOPES else scope_end)
        else:
            first = placing.beginning(body, index, last, scope_end)
            yield Run(items[first : last + 1]), scope_end
            index = last
        index += 1


def last_shared(placing: Placing, items: tuple[Item, ...], first: int) -> int | None:
    """Return the index of the last item of a run that begins at an item; None where no run begins."""
    if Label.SHARED not in placing.labels(items[first]) or not whole(placing, items[first]):
        return None
    last = first
    for index in range(first, len(items)):
        labels = placing.labels(items[index])
        if not labels <= SHAREABLE or not whole(placing, items[index]):
            break
        if Label.SHARED in labels:
            last = index
    if last == first and items[first].keyword == "if" and len(sharing(placing, items[first])) == 1:
        return None  # the condition belongs where the text is printed
    return last


def sharing(placing: Placing, item: Item) -> list[Body]:
    """Return the bodies of a block that print shared text."""
    return [body for body in item.bodies if any(Label.SHARED in placing.labels(inner) for inner in body.items)]


def whole(placing: Placing, item: Item) -> bool:
    """Say whether an item can stand within a run as it is: it is no loop over messages, and supplies nothing."""
    if not placing.labels(item) <= SHAREABLE:
        return False
    return item.keyword != "for" or next(role_tests(placing.draft, item.start), None) is not None


def split_run(draft: Draft, run: Run, *, guarded: bool = False) -> Edit | None:
    """Write a run under a condition on the role, within markers where the assistant speaks.

    It is `guarded` where it may print nothing: then markers stand around it only if it does print.
    """
    start, end = extent_of(run.items)
    test = next(role_tests(draft, start), None)
    if test is None:
        return None
    text, name = text_of(draft, run), free_name(draft)
    layout = layout_at(draft.source, start, end, within_line=not has_tags_at_ends(draft, run))
    alone = draft.expression(run.items[0].first) if len(run.items) == 1 else ""
    once = len(text) > LONGEST_TWICE or any(item.bodies for item in run.items) or (guarded and not alone)
    capture = [(0, layout.block(f"set {name}")), (0, text), (0, layout.block("endset"))] if once else []
    shown = layout.output(name) if once else text
    if guarded:
        test = all_of((test, name if once else alone))
    tags = [
        *capture,
        (0, layout.block(f"if {test}")),
        (1, layout.block("generation")),
        (1, shown),
        (1, layout.block("endgeneration")),
        (0, layout.block("else")),
        (1, shown),
        (0, layout.block("endif")),
    ]
    # Behind an expression a newline prints, behind the tag of a block it does not.
    newline = "\n" * gap_at(draft, end).right_printed.startswith("\n")
    blank = taken_blank(draft, start)
    kept = f"{{{{ '{blank}' }}}}" if blank else ""
    return Edit(start - len(blank), end, kept + layout.lines(tags) + newline)


def taken_blank(draft: Draft, position: int) -> str:
    """Return the printed start of a line that the tag of a block would take away, but not that of an expression."""
    gap = gap_at(draft, position)
    blank = gap.left[len(gap.left.rstrip(" \t")) :]
    return blank if gap.left_printed.endswith(blank) and not gap.takes("{% if x %}") else ""


def has_tags_at_ends(draft: Draft, run: Run) -> bool:
    """Say whether a run begins and ends with tags."""
    ends = (draft.segments[run.items[0].first], draft.segments[run.items[-1].last])
    return all(piece.kind in (Kind.EXPRESSION, Kind.STATEMENT) for piece in ends)


def text_of(draft: Draft, run: Run) -> str:
    """Return a run as it is written, so that it prints the same behind a tag without signs and before one."""
    start, end = extent_of(run.items)
    first, last = draft.segments[run.items[0].first], draft.segments[run.items[-1].last]
    if last.kind is Kind.TEXT:
        end = min(end, max(printed_start(draft.source, last) + len(last.printed), start))
    if first.kind is Kind.TEXT:
        start = max(start, printed_start(draft.source, first))
    text = draft.source[start:end]
    return f"\n{text}" if first.kind is Kind.TEXT and text.startswith("\n") else text


def free_name(draft: Draft) -> str:
    """Return a name that the template does not use."""
    return next(name for name in NAMES if name not in draft.source)
