"""The atoms of a template's conditions: what `and`, `or` and `not` join, each with its place."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from jinja2 import nodes

from trainplate.rendering.instrumentation import Watch

LOOP_FLAGS = frozenset({"last", "first"})
Loops = tuple[nodes.For, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Site:
    """An atom: an operand of `and`, `or`, `not` in a condition, or in a truth value that is stored or passed on."""

    number: int
    node: nodes.Node
    root: nodes.Node
    """The whole condition or value that the atom is part of."""
    owner: nodes.Node
    """What asks: an `if`, an inline `if`, a loop with a condition; or what is given the value."""
    loops: Loops
    """The loops around it, outermost first, within its macro where it stands in one."""


class Collector:
    """Numbers atoms and loops in the order of the source, and adds to each loop what tells its turns."""

    def __init__(self) -> None:
        self.sites: list[Site] = []
        self.loops: list[nodes.For] = []
        self.watched: dict[int, Watch] = {}
        self.kept: list[nodes.Node] = []

    def statements(self, body: Sequence[nodes.Node], loops: Loops) -> list[nodes.Node]:
        """Collect from a sequence of statements, and return it with the end of every loop told behind it."""
        made: list[nodes.Node] = []
        for node in body:
            made.append(node)
            if isinstance(node, nodes.For):
                number = self.loop(node, loops)
                made.append(self.telling("left", number, nodes.Const(None, lineno=node.lineno)))
            else:
                self.statement(node, loops)
        return made

    def statement(self, node: nodes.Node, loops: Loops) -> None:
        """Collect from one statement and all within it."""
        if isinstance(node, nodes.If):
            self.condition(node.test, node.test, node, loops)
        elif isinstance(node, nodes.Assign):
            self.value(node.node, node.node, node, loops)
        self.inside(node, () if isinstance(node, nodes.Macro) else loops)
        for child in node.iter_child_nodes(exclude=("body", "else_", "elif_")):
            self.expression(child, loops)

    def inside(self, node: Any, loops: Loops) -> None:
        """Collect from the statements that another one holds."""
        for name in ("body", "else_"):
            if getattr(node, name, None):
                setattr(node, name, self.statements(getattr(node, name), loops))
        for clause in getattr(node, "elif_", ()):
            self.statement(clause, loops)

    def loop(self, node: nodes.For, loops: Loops) -> int:
        """Number a loop, collect from it, and have it tell whose turn it is."""
        number = len(self.loops)
        self.loops.append(node)
        if node.test is not None:
            self.condition(node.test, node.test, node, (*loops, node))
        for child in node.iter_child_nodes(exclude=("body", "else_")):
            self.expression(child, loops)
        self.inside(node, (*loops, node))
        if isinstance(node.target, nodes.Name):
            item = nodes.Name(node.target.name, "load", lineno=node.lineno)
            node.body = [self.telling("entered", number, item), *node.body]
        return number

    def telling(self, method: str, number: int, node: nodes.Expr) -> nodes.ExprStmt:
        """Make a statement that hands a value to the recorder."""
        self.watched[id(node)] = (method, number)
        self.kept.append(node)
        return nodes.ExprStmt(node, lineno=node.lineno)

    def expression(self, node: nodes.Node, loops: Loops) -> None:
        """Collect the conditions within an expression, and the truth values that it passes to calls."""
        if isinstance(node, nodes.CondExpr):
            self.condition(node.test, node.test, node, loops)
        if isinstance(node, nodes.Call):
            for argument in (*node.args, *(pair.value for pair in node.kwargs)):
                self.value(argument, argument, node, loops)
        for child in node.iter_child_nodes():
            self.expression(child, loops)

    def condition(self, node: nodes.Node, root: nodes.Node, owner: nodes.Node, loops: Loops) -> None:
        """Collect the atoms of a condition, where nothing but their truth counts."""
        for part in operands(node):
            self.condition(part, root, owner, loops)
        if not operands(node):
            self.site(node, root, owner, loops)

    def value(self, node: nodes.Node, root: nodes.Node, owner: nodes.Node, loops: Loops) -> None:
        """Collect the atoms of a value that can be nothing but true or false."""
        if isinstance(root, nodes.Not) or all(is_truth(atom) for atom in atoms(root)):
            self.condition(node, root, owner, loops)

    def site(self, node: nodes.Node, root: nodes.Node, owner: nodes.Node, loops: Loops) -> None:
        """Number one atom."""
        self.watched[id(node)] = ("atom", len(self.sites))
        self.sites.append(Site(len(self.sites), node, root, owner, loops))


def operands(node: nodes.Node) -> tuple[nodes.Node, ...]:
    """Return the operands of `and`, `or` and `not`; an atom has none."""
    if isinstance(node, nodes.And | nodes.Or):
        return node.left, node.right
    return (node.node,) if isinstance(node, nodes.Not) else ()


def atoms(node: nodes.Node) -> Iterator[nodes.Node]:
    """Yield the atoms of a condition, in order."""
    if not operands(node):
        yield node
    for part in operands(node):
        yield from atoms(part)


def is_truth(node: nodes.Node) -> bool:
    """Say whether an atom can be nothing but true or false."""
    if isinstance(node, nodes.Getattr) and isinstance(node.node, nodes.Name):
        return node.node.name == "loop" and node.attr in LOOP_FLAGS
    return isinstance(node, nodes.Compare | nodes.Test)
