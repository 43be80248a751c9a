"""Which messages print nothing: those of assistants have no marker to take, and no other has one to leave out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from jinja2 import nodes

from trainplate.conversations import Conversation
from trainplate.fixes.marking.blocks import all_bodies
from trainplate.fixes.marking.conditions import holds, negated, path_tests
from trainplate.fixes.marking.draft import Draft
from trainplate.fixes.marking.roles import loops_around
from trainplate.fixes.stops.endings import Ending
from trainplate.fixes.stops.openings import rendered
from trainplate.fixes.stops.wording import wording_at
from trainplate.syntax import Edit

ASKED = 4
"""Behind how many turns a message is told, to see whether it prints."""


@dataclass(frozen=True)
class Silences:
    """When a message prints nothing."""

    roles: tuple[str, ...] = ()
    """The roles that never print anything behind a turn: the loop is to leave them out."""
    tests: tuple[str, ...] = ()
    """Conditions on a message, apart from its role, any of which keeps an assistant's from being printed."""


def silences_of(draft: Draft, growths: Sequence[Conversation], endings: Sequence[Ending]) -> tuple[Silences, ...]:
    """Measure which messages print nothing: of the roles that speak behind turns in conversations, then of all."""
    tests, silent = tests_of(draft, endings), tuple(silent_roles(draft, growths))
    following = {str(growth.messages[turn]["role"]) for growth in growths for turn in behind_turns(growth)}
    narrow = tuple(role for role in silent if role in following)
    return tuple(dict.fromkeys((Silences(narrow, tests), Silences(silent, tests))))


def behind_turns(growth: Conversation) -> list[int]:
    """Return the positions behind an assistant's messages."""
    return [turn + 1 for turn in growth.turns if turn + 1 < len(growth.messages)]


def silent_roles(draft: Draft, growths: Sequence[Conversation]) -> Iterator[str]:
    """Yield the roles whose messages print nothing behind turns."""
    said = {str(message["role"]): message for growth in growths for message in growth.messages}
    turns = [(growth, answered) for growth in growths for _, answered in growth.growths()][:ASKED]
    for role, message in sorted(said.items()):
        pairs = [(rendered(draft, growth, turn), rendered(draft, growth, [*turn, message])) for growth, turn in turns]
        texts = [(turn.text, both.text) for turn, both in pairs if turn is not None and both is not None]
        if role != "assistant" and texts and all(turn == both for turn, both in texts):
            yield role


def tests_of(draft: Draft, endings: Sequence[Ending]) -> tuple[str, ...]:
    """Return the conditions under which an assistant's message is not printed."""
    if len(endings) != 1:
        return ()
    item = endings[0].item
    wording = wording_at(draft, item.start)
    around = [body for body in all_bodies(draft.root) if body.keyword == "for" and body.start <= item.start < body.end]
    tests = path_tests(draft, around[-1], item) if around and wording is not None else None
    return tuple(negated(test) for test in tests or () if wording is not None and wording.asks(test))


def filters(draft: Draft, positions: Sequence[int], roles: Sequence[str]) -> Iterator[Edit]:
    """Yield the edits by which the loops around some positions leave out messages of some roles."""
    for loop, position in {loops_around(draft, position)[0]: position for position in positions}.items():
        wording = wording_at(draft, position)
        left = [role for role in roles if wording is not None and not leaves_out(draft, loop, wording.message, role)]
        if wording is None or not left:
            continue
        names = ", ".join(map(wording.text, left))
        test = f"{wording.role} != {names}" if len(left) == 1 else f"{wording.role} not in [{names}]"
        yield filtered(draft, loop, test)


def leaves_out(draft: Draft, loop: nodes.For, message: str, role: str) -> bool:
    """Say whether a loop leaves out the messages of a role already."""
    return loop.test is not None and holds(draft.tracer.tree.text(loop.test), {message: {"role": role}}) is False


def filtered(draft: Draft, loop: nodes.For, test: str) -> Edit:
    """Add a condition to a loop."""
    tree = draft.tracer.tree
    if loop.test is None:
        end = tree.extent(loop.iter).outer_end
        return Edit(end, end, f" if {test}")
    extent = tree.extent(loop.test)
    written = draft.source[extent.outer_start : extent.outer_end]
    kept = f"({written})" if isinstance(loop.test, nodes.Or | nodes.CondExpr) else written
    return Edit(extent.outer_start, extent.outer_end, f"{kept} and {test}")
