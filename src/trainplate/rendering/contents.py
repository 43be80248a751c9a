"""What a syntax tree holds that Jinja looks for before it writes code, found in one walk.

Jinja walks through the whole tree for each thing that it looks for, and through every loop once more for each loop
around it. It is told the answers instead, by nodes that stand for them.
"""

import copy
from collections.abc import Iterator
from typing import Any, TypeVar

from jinja2 import nodes

AnyNode = TypeVar("AnyNode", bound=nodes.Node)
LOOP = "loop"
UNUSUAL = (nodes.Block, nodes.Extends, nodes.ImportedName)


class Contents:
    """Which loops of a tree read `loop`, and which filters and tests it names.

    Raises `nodes.Impossible` where there is more to find: blocks, imports, or another value with the name `loop`.
    """

    def __init__(self, tree: nodes.Template) -> None:
        self.reading: set[int] = set()
        """The ids of the loops whose bodies read `loop`."""
        self.filters: set[str] = set()
        self.tests: set[str] = set()
        self.reads_loop(tree)

    def reads_loop(self, node: Any) -> bool:
        """Look through a node, and say whether `loop` is read in it."""
        kind = node.__class__
        if kind is nodes.Name:
            return self.is_loop(node)
        if kind in UNUSUAL:
            raise nodes.Impossible
        if kind is nodes.Filter:
            self.filters.add(node.name)
        elif kind is nodes.Test:
            self.tests.add(node.name)
        inside = False
        if kind is nodes.For and (inside := self.any_reads_loop(node.iter_child_nodes(only=("body",)))):
            self.reading.add(id(node))
        return self.any_reads_loop(node.iter_child_nodes(exclude=("body",) if kind is nodes.For else None)) or inside

    def any_reads_loop(self, found: Iterator[nodes.Node]) -> bool:
        """Look through nodes, all of them, and say whether `loop` is read in one."""
        return True in [self.reads_loop(node) for node in found]

    def is_loop(self, name: Any) -> bool:
        """Say whether a name reads `loop`."""
        if name.name != LOOP:
            return False
        if name.ctx != "load":
            raise nodes.Impossible
        return True

    @property
    def named(self) -> list[nodes.Node]:
        """One node for each filter and test."""
        filters = [nodes.Filter(None, name, [], [], None, None) for name in self.filters]
        return [*filters, *(nodes.Test(nodes.Const(None), name, [], [], None, None) for name in self.tests)]

    def template(self, tree: nodes.Template) -> nodes.Template:
        """Return the tree so that Jinja finds at once that it has no blocks and imports."""
        return answering(tree, find_all=lambda kinds: iter(()))

    def loop(self, node: nodes.For, *, as_found: nodes.For) -> nodes.For:
        """Return a loop so that Jinja finds at once whether its body reads `loop`; its code is written as before."""
        names = [nodes.Name(LOOP, "load", lineno=node.lineno)] if id(as_found) in self.reading else []
        return answering(node, iter_child_nodes=lambda exclude=None, only=None: iter(names))


def contents_of(tree: nodes.Template) -> Contents | None:
    """Look through a tree; None where Jinja had better do so itself, as where it takes less depth than is nested."""
    try:
        return Contents(tree)
    except (nodes.Impossible, RecursionError):
        return None


def answering(node: AnyNode, **answers: Any) -> AnyNode:
    """Return a copy of a node that answers for itself when something is looked for in it."""
    copied = copy.copy(node)
    vars(copied).update(answers)
    return copied
