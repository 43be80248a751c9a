"""How a template speaks of a message and of the one before it, to ask for their roles in the same way."""

import re
from dataclasses import dataclass

from jinja2 import nodes

from trainplate.fixes.marking.draft import Draft
from trainplate.fixes.marking.literals import write_literal
from trainplate.fixes.marking.roles import ACCESSORS, loops_around


@dataclass(frozen=True)
class Wording:
    """The words for the message at hand and for the message before it."""

    accessor: str
    """How a role is asked for, with `{0}` for the message."""
    message: str
    before: str
    quote: str

    @property
    def role(self) -> str:
        """The role of the message at hand."""
        return self.accessor.format(self.message)

    @property
    def role_before(self) -> str:
        """The role of the message before."""
        return self.accessor.format(self.before)

    def calls(self, message: str) -> str:
        """Ask for the tool calls of a message."""
        return self.accessor.replace("role", "tool_calls").format(message)

    def asks(self, test: str) -> bool:
        """Say whether a condition is no more than whether the message at hand has something other than its role."""
        field = rf"{re.escape(self.message)}(?:\.(?!role\b)\w+|\[(['\"])(?!role\b)\w+\1\])"
        return re.fullmatch(field, test) is not None

    def said_before(self, test: str) -> str:
        """Ask of the message before what a condition asks of the message at hand."""
        return re.sub(rf"\b{re.escape(self.message)}\b", self.before.replace("\\", r"\\"), test)

    def text(self, value: str) -> str:
        """Write a text as the file writes its own."""
        return write_literal(value, self.quote)


def wording_at(draft: Draft, position: int, *, filtered: bool = False) -> Wording | None:
    """Return how to speak of messages at a position; None where the loop around it is over something else.

    `filtered` is whether that loop will leave messages out.
    """
    loops = loops_around(draft, position)
    if not loops or not isinstance(loops[0].target, nodes.Name):
        return None
    loop, message = loops[0], loops[0].target.name
    accessor = next((accessor for accessor in ACCESSORS if accessor.format(message) in draft.source), None)
    if accessor is None:
        return None
    plain = isinstance(loop.iter, nodes.Name) and loop.test is None and not filtered
    before = f"{draft.tracer.tree.text(loop.iter)}[loop.index0 - 1]" if plain else "loop.previtem"
    quote = '"' if draft.source.count('"') > draft.source.count("'") else "'"
    return Wording(accessor, message, before, quote)
