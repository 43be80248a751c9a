"""Where a template prints the arguments of tool calls, and how it would print both dicts and JSON text there."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from jinja2 import nodes

from trainplate.fixes.conditions.ancestors import ancestors
from trainplate.syntax import Edit, Tree, apply_edits

KEY = "arguments"
INLINE = (nodes.Add, nodes.Concat)
"""What takes an expression as an operand, so that a condition in its place needs brackets."""


@dataclass(frozen=True)
class Use:
    """A place where arguments are printed: as they are, or through `tojson`."""

    arguments: nodes.Expr
    printed: nodes.Expr
    """The arguments with the filters behind them."""
    encoded: bool
    above: tuple[nodes.Node, ...]
    """The nodes around it, outermost first."""


def uses(tree: Tree) -> Iterator[Use]:
    """Yield the places where arguments are printed, or joined to what is printed, in order."""
    named = names_for_arguments(tree)
    found = []
    for node in (*tree.root.find_all((nodes.Getattr, nodes.Getitem, nodes.Name)),):
        if is_arguments(node) or (isinstance(node, nodes.Name) and node.ctx == "load" and node.name in named):
            use = use_of(node, ancestors(tree.root, node))
            if use is not None:
                found.append(use)
    yield from sorted(found, key=lambda use: tree.extent(use.arguments).start)


def is_arguments(node: nodes.Node) -> bool:
    """Say whether an expression is `x.arguments` or `x['arguments']`."""
    if isinstance(node, nodes.Getattr):
        return node.attr == KEY
    return isinstance(node, nodes.Getitem) and isinstance(node.arg, nodes.Const) and node.arg.value == KEY


def names_for_arguments(tree: Tree) -> set[str]:
    """Return the names that are given arguments as they are, and nothing else."""
    given: dict[str, list[bool]] = {}
    for statement in tree.root.find_all(nodes.Assign):
        if isinstance(statement.target, nodes.Name):
            given.setdefault(statement.target.name, []).append(is_arguments(statement.node))
    return {name for name, values in given.items() if all(values)}


def use_of(node: nodes.Expr, above: tuple[nodes.Node, ...]) -> Use | None:
    """Return how arguments are used, if they are printed or joined to something that is."""
    printed: nodes.Expr = node
    encoded = False
    while above and isinstance(filtered := above[-1], nodes.Filter) and filtered.node is printed:
        printed, above = filtered, above[:-1]
        encoded = encoded or filtered.name == "tojson"
    joined = above and isinstance(above[-1], nodes.Output | nodes.Add | nodes.Concat)
    return Use(node, printed, encoded, above) if joined else None


def guarded(tree: Tree, found: Sequence[Use]) -> str:
    """Return the source in which each place prints JSON text as it is, and everything else as JSON."""
    return apply_edits(tree.source, [guard(tree, use) for use in found])


def guard(tree: Tree, use: Use) -> Edit:
    """Put a condition in place of one use."""
    extent = tree.extent(use.printed)
    wording = choice(tree, use)
    brackets = isinstance(use.above[-1], INLINE) and extent.outer_start == extent.start
    return Edit(extent.start, extent.end, f"({wording})" if brackets else wording)


def choice(tree: Tree, use: Use) -> str:
    """Return an expression that prints JSON text as it is, and everything else as JSON."""
    arguments, printed = tree.text(use.arguments), tree.text(use.printed)
    return f"{arguments} if {arguments} is string else {printed if use.encoded else f'{arguments} | tojson'}"


def named_once(tree: Tree, found: Sequence[Use]) -> str | None:
    """Return the source in which each loop over calls first gives a name to the text of the arguments.

    None where the name is taken, or arguments are printed outside of such a loop.
    """
    if any(name.name == KEY for name in tree.root.find_all(nodes.Name)):
        return None
    edits = []
    for loop, together in groupby(found, key=loop_over_calls):
        inside = list(together)
        if loop is None or len({tree.text(use.arguments) for use in inside}) > 1:
            return None
        edits.append(statement_behind(tree, loop, f"set {KEY} = {choice(tree, inside[0])}"))
        edits += [Edit(tree.extent(use.printed).start, tree.extent(use.printed).end, KEY) for use in inside]
    return apply_edits(tree.source, edits)


def statement_behind(tree: Tree, loop: nodes.For, statement: str) -> Edit:
    """Insert a statement at the start of a loop, on a line of its own if the tag of the loop has one."""
    tag = tree.segments[tree.segment_index(loop)]
    opening, closing = tree.source[tag.start : tag.inner_start], tree.source[tag.inner_end : tag.end]
    following = tree.source[tag.end :]
    blank = following[: len(following) - len(following.lstrip())]
    line = blank[blank.rfind("\n") :] if "\n" in blank else ""
    return Edit(tag.end, tag.end, f"{line}{opening} {statement} {closing}")


def loop_over_calls(use: Use) -> nodes.For | None:
    """Return the loop whose item the arguments are taken from."""
    owner = use.arguments
    while isinstance(owner, nodes.Getattr | nodes.Getitem):
        owner = owner.node
    for parent in reversed(use.above):
        if isinstance(parent, nodes.For) and isinstance(parent.target, nodes.Name) and isinstance(owner, nodes.Name):
            return parent if parent.target.name == owner.name else None
    return None
