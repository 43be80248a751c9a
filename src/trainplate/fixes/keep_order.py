"""What a turn says stays in front of the results that follow it.

Gemma 4 prints results from within the message that calls the tools, and the message's own words behind them: until a
result is there, the words come first. They are printed first always; behind the results, where the original has them,
they stand once more.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from trainplate.conversations import Conversation
from trainplate.errors import TrainplateError
from trainplate.fixes.candidate import Candidate
from trainplate.fixes.marking.blocks import Item
from trainplate.fixes.marking.conditions import all_of, compiled, head_test, negated
from trainplate.fixes.marking.draft import Draft, read
from trainplate.fixes.marking.flags import asked_in, flag_tests, pairs
from trainplate.fixes.marking.layout import Layout, layout_at, own_line
from trainplate.fixes.marking.names import leaves_loop, names_in
from trainplate.fixes.order.moves import Moved, moved_in, spoken_call
from trainplate.rendering import CompiledTemplate
from trainplate.rendering.marks import PAIRS
from trainplate.syntax import Edit, apply_edits

FIX = "keep-order"
CURES = {"prefix-preserved"}
NAMES = ("own_words", "words_of_turn")
YES, NO = PAIRS[0]
FRONT, RESULT = PAIRS[1]
MOST_TESTS = 2


def keep_order(
    source: str,
    growths: Sequence[Conversation],
    *,
    special_tokens: Mapping[str, str] | None = None,
    clock: datetime | None = None,
) -> Iterator[Candidate]:
    """Yield sources in which a turn's words are printed in front of results, and behind them once more."""
    calling = [(growth, turn) for growth in growths if (turn := spoken_call(growth)) is not None]
    if not calling:
        return
    draft = read(source, (), special_tokens or {}, clock)
    moved = next(filter(None, (moved_in(draft, growth, turn) for growth, turn in calling)), None)
    if moved is None:
        return
    for test in telling_tests(draft, moved, growths)[:MOST_TESTS]:
        edits = reordered(draft, moved, test)
        if edits is not None:
            told = draft.expression(moved.words.first) or source[moved.words.start : moved.words.end].split("\n")[0]
            because = f"`{told}` is printed behind results, though it came first"
            yield Candidate(apply_edits(source, edits), FIX, because)


def telling_tests(draft: Draft, moved: Moved, growths: Sequence[Conversation]) -> list[str]:
    """Return the conditions of the template under which the words are to be printed where they are now.

    That is behind results, and where they are not to be printed in front.
    """
    tests = flag_tests(asked_in(draft), moved.words.start)
    probes = "".join(f"{{{{ '{YES}' if {test} else '{NO}' }}}}" for test in tests)
    marks = [(moved.front.start, f"{{{{ '{FRONT}' }}}}"), (moved.result, f"{{{{ '{RESULT}' }}}}")]
    edits = [Edit(place, place, text) for place, text in [*marks, (moved.words.start, probes)]]
    template = compiled(apply_edits(draft.source, edits), tuple(draft.special_tokens.items())) if tests else None
    if template is None:
        return []
    stages = [growth for whole in growths for growth in stages_of(whole)]
    held = [answer for growth in stages for answer in answers(template, growth, len(tests))]
    wanted = tuple(wanted for wanted, _ in held)
    told = {test: tuple(given[number] for _, given in held) for number, test in enumerate(tests)}
    joined = (f"not ({all_of(pair)})" for pair in pairs(told, tuple(not each for each in wanted)))
    return [test for test in tests if told[test] == wanted] or sorted(joined, key=len)


def stages_of(growth: Conversation) -> Iterator[Conversation]:
    """Yield a conversation, and its beginnings up to a call and up to the first result of that."""
    yield growth
    turn = spoken_call(growth)
    for length in (turn + 1, turn + 2) if turn is not None else ():
        yield replace(growth, messages=growth.messages[:length])


def answers(template: CompiledTemplate, growth: Conversation, count: int) -> Iterator[tuple[bool, list[bool]]]:
    """Yield, each time that the words are reached, whether they are to be printed there, and what holds."""
    options = dict(growth.options)
    try:
        text = template.render(growth.messages, growth.tools, **options)
    except TrainplateError:
        return
    passed, given = "", []
    for character in text:
        passed += character if character in (FRONT, RESULT) else ""
        given += [character == YES] if character in (YES, NO) else []
        if len(given) == count:
            yield RESULT in passed or FRONT not in passed, given
            passed, given = "", []


def reordered(draft: Draft, moved: Moved, test: str) -> list[Edit] | None:
    """Return the edits that print the words in front of the results, and again behind them under a condition."""
    source, needed = draft.source, needed_by(draft, moved)
    items = (moved.results, moved.front, *needed, moved.words)
    before, front, *_, layout = (layout_at(source, item.start, item.end) for item in items)
    if any(own_line(source, item.start, item.end) is None for item in items) or leaves_loop(draft, items[2:]):
        return None
    captured, shown = said(draft, moved.words, layout)
    moving = [*((0, source[item.start : item.end]) for item in needed), *captured]
    within = moved.front is not moved.results
    first = under(front, [negated(test)] if within else elsewhere(draft, moved), shown)
    edits = [Edit(moved.front.start, moved.front.start, front.lines([*first, (0, "")]))] if within else []
    moving += [] if within else first
    return [
        Edit(moved.results.start, moved.results.start, before.lines([*moving, (0, "")])),
        *edits,
        *(taken_out(source, item) for item in needed),
        Edit(moved.words.start, moved.words.end, layout.lines(under(layout, [test], shown))),
    ]


def under(layout: Layout, tests: list[str], shown: str) -> list[tuple[int, str]]:
    """Write an output under conditions, or by itself where there are none."""
    if not tests:
        return [(0, shown)]
    return [(0, layout.block(f"if {all_of(tests)}")), (1, shown), (0, layout.block("endif"))]


def elsewhere(draft: Draft, moved: Moved) -> list[str]:
    """Return the conditions under which the results are not printed by an earlier branch than the one that was seen.

    What that prints belongs to the message itself, and its words stay behind it.
    """
    heads = []
    for body in moved.results.bodies if moved.results.keyword == "if" else ():
        if body.start <= moved.result < body.end:
            break
        heads.append(head_test(draft, body) or "")
    return [negated(head) for head in heads]


def said(draft: Draft, words: Item, layout: Layout) -> tuple[list[tuple[int, str]], str]:
    """Write what captures the words, where they are more than an output, and the output that prints them."""
    text = draft.source[words.start : words.end]
    if not words.bodies and draft.expression(words.first):
        return [], text
    name = next(name for name in NAMES if name not in draft.source)
    captured = [(0, layout.block(f"set {name}")), (1, text), (0, layout.block("endset"))]
    return captured, layout.output(name)


def needed_by(draft: Draft, moved: Moved) -> list[Item]:
    """Return the items between results and words that set what the words print."""
    names, needed = names_in(draft), [moved.words]
    between = [item for item in moved.body.items if moved.results.end <= item.start and item.end <= moved.words.start]
    for item in reversed(between):
        read_names = {name for one in needed for place, name in names.loads if one.start <= place < one.end}
        if any(name in read_names for place, name in names.stores if item.start <= place < item.end):
            needed.insert(0, item)
    return needed[:-1]


def taken_out(source: str, item: Item) -> Edit:
    """Take an item out with its lines, and with one of the empty lines on both sides."""
    start, end = source.rfind("\n", 0, item.start) + 1, source.find("\n", item.end) + 1
    if source[:start].endswith("\n\n") and source[end:].startswith("\n"):
        end += 1
    return Edit(start, end, "")
