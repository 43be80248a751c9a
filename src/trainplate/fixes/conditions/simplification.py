"""Boolean simplification of a condition, in the words of its source."""

from collections.abc import Mapping
from dataclasses import dataclass

from jinja2 import nodes

from trainplate.syntax import Tree

Value = bool | str
"""What an atom becomes: a constant, or another condition, in the words of the template."""

TOP, OR, AND, NOT, ATOM = range(5)
"""How tightly the outermost operator of a condition binds."""


@dataclass(frozen=True)
class Text:
    """What is left of a condition, without brackets around it."""

    text: str
    binds: int
    changed: bool = False


@dataclass(frozen=True)
class Simplifier:
    """Puts values in place of atoms (by identity) and drops what no longer counts; the rest keeps its words."""

    tree: Tree
    values: Mapping[int, Value]

    def simplified(self, node: nodes.Node) -> bool | Text:
        """Return the constant that a condition amounts to, or what is left of it."""
        value = self.values.get(id(node))
        if value is not None:
            return value if isinstance(value, bool) else Text(value, binding(value), changed=True)
        match node:
            case nodes.And():
                return self.pair(node, neutral=True, binds=AND)
            case nodes.Or():
                return self.pair(node, neutral=False, binds=OR)
            case nodes.Not():
                return self.negation(node)
        return Text(self.tree.text(node), TOP if isinstance(node, nodes.CondExpr) else ATOM)

    def pair(self, node: nodes.And | nodes.Or, *, neutral: bool, binds: int) -> bool | Text:
        """Simplify `a and b` (neutral: true) or `a or b` (neutral: false)."""
        left, right = self.simplified(node.left), self.simplified(node.right)
        if (not neutral) in (left, right):
            return not neutral
        if isinstance(left, bool):
            return right if isinstance(right, bool) else Text(right.text, right.binds, changed=True)
        if isinstance(right, bool):
            return Text(left.text, left.binds, changed=True)
        between = self.tree.source[self.tree.extent(node.left).outer_end : self.tree.extent(node.right).outer_start]
        text = self.operand(node.left, left, binds) + between + self.operand(node.right, right, binds)
        return Text(text, binds, left.changed or right.changed)

    def negation(self, node: nodes.Not) -> bool | Text:
        """Simplify `not a`; `a is not b` is a negation too."""
        inner = self.simplified(node.node)
        if isinstance(inner, bool):
            return not inner
        if not inner.changed:
            return Text(self.tree.text(node), NOT)
        return Text(f"not {self.operand(node.node, inner, NOT)}", NOT, changed=True)

    def operand(self, node: nodes.Node, rest: Text, around: int) -> str:
        """Return an operand with the brackets that it had, if it may still need them, or now needs."""
        extent = self.tree.extent(node)
        if not rest.changed:
            return self.tree.source[extent.outer_start : extent.outer_end]
        had_brackets = extent.outer_start < extent.start and rest.binds < ATOM
        return f"({rest.text})" if had_brackets or rest.binds < around else rest.text


def binding(condition: str) -> int:
    """Return how tightly a condition of our own writing binds."""
    if " or " in condition:
        return OR
    if " and " in condition:
        return AND
    return NOT if condition.startswith("not ") else ATOM
