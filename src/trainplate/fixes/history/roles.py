"""Tests of a message's role, written as the template writes them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from jinja2 import nodes

from trainplate.syntax import Tree


@dataclass(frozen=True)
class Wording:
    """How a message's role is asked for at one place of a template."""

    role: str
    """The expression: `message.role`, or as the template has it."""
    quote: str
    own_loop: bool
    """Whether `loop` is there the loop over the messages."""

    @property
    def last_of_row(self) -> str:
        """A condition that is true for the last of several messages of one role in a row."""
        following = re.sub(r"^\w+", "loop.nextitem", self.role)
        return f"loop.last or {following} != {self.role}"

    @staticmethod
    def of(loops: Sequence[nodes.For], tree: Tree) -> "Wording | None":
        """Return the wording inside these loops, outermost first; None where no message is at hand."""
        for number, loop in enumerate(reversed(loops)):
            name = loop.target.name if isinstance(loop.target, nodes.Name) else ""
            found = re.search(role_pattern(name), tree.source)
            if name and found:
                return Wording(found.group(), quotes(tree.source), own_loop=number == 0)
        return None


def role_test(role: str, values: Mapping[str, bool], quote: str) -> str:
    """Return a condition on the role that is true for the roles given as true."""
    yes = [name for name, value in values.items() if value]
    no = [name for name, value in values.items() if not value]
    if len(yes) == 1 or len(no) == 1:
        sign, (name,) = ("==", yes) if len(yes) == 1 else ("!=", no)
        return f"{role} {sign} {quote}{name}{quote}"
    listed = ", ".join(f"{quote}{name}{quote}" for name in yes)
    return f"{role} in [{listed}]"


def role_pattern(message: str) -> str:
    """Return an expression that finds the role of a message in the source."""
    return rf"\b{re.escape(message)}(?:\.role\b|\[(['\"])role\1\])"


def quotes(source: str) -> str:
    """Return the quotes in which the template writes roles."""
    found: list[str] = re.findall(r"(['\"])(?:user|assistant|system|tool)\1", source)
    return '"' if found.count('"') > found.count("'") else "'"
