"""Endings that nobody asked for: what a template prints behind its last message, whether or not it is to answer."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from jinja2 import nodes

from trainplate.fixes.conditions.clauses import blocks
from trainplate.fixes.conditions.settlement import Revision
from trainplate.fixes.conditions.simplification import AND, Simplifier, Text
from trainplate.rendering.atoms import atoms
from trainplate.syntax import Kind, Tree

ASKED = "add_generation_prompt"


@dataclass(frozen=True)
class Unit:
    """A statement behind the loop over the messages, by the first and last of its segments."""

    node: nodes.Node
    first: int
    last: int


def endings_shed(tree: Tree, loop: nodes.For) -> Iterator[str]:
    """Yield sources in which something behind a loop prints only when a generation prompt is asked for.

    First one statement at a time, then all that stand behind the loop.
    """
    found = list(units(tree, loop))
    for unit in found:
        yield from shed(tree, unit)
    if len(found) > 1:
        yield from wrapped(tree, Unit(found[0].node, found[0].first, found[-1].last))


def units(tree: Tree, loop: nodes.For) -> Iterator[Unit]:
    """Yield the statements behind a loop that can print, nearest first."""
    ends = blocks(tree.segments)
    for body in reversed(list(bodies_around(tree.root.body, loop))):
        place = next(i for i, node in enumerate(body) if node is loop or contains(node, loop))
        for node in body[place + 1 :]:
            if isinstance(node, nodes.Output):
                yield from (Unit(child, tree.segment_index(child), tree.segment_index(child)) for child in node.nodes)
            elif isinstance(node, nodes.If):
                first = tree.segment_index(node)
                yield Unit(node, first, ends[first].end)


def bodies_around(body: Sequence[nodes.Node], inner: nodes.Node) -> Iterator[Sequence[nodes.Node]]:
    """Yield the sequences of statements that hold a node, outermost first."""
    yield body
    for node in body:
        for clause in (node, *getattr(node, "elif_", ())) if contains(node, inner) else ():
            for held in (getattr(clause, "body", []), getattr(clause, "else_", [])):
                if any(one is inner or contains(one, inner) for one in held or []):
                    yield from bodies_around(held, inner)


def contains(node: nodes.Node, inner: nodes.Node) -> bool:
    """Say whether a node has another somewhere below it."""
    return any(child is inner or contains(child, inner) for child in node.iter_child_nodes())


def shed(tree: Tree, unit: Unit) -> Iterator[str]:
    """Yield sources in which one statement prints nothing that was not asked for."""
    revision = Revision(tree)
    if isinstance(unit.node, nodes.If):
        clauses_shed(revision, unit.node, blocks(tree.segments)[unit.first].openings)
    elif isinstance(unit.node, nodes.CondExpr):
        branch_shed(revision, unit.node)
    edited = revision.written()
    if edited not in (None, tree.source):
        yield str(edited)
    elif not isinstance(unit.node, nodes.If) or not mentions(unit.node, ASKED):
        yield from wrapped(tree, unit)


def clauses_shed(revision: Revision, block: nodes.If, tags: Sequence[int]) -> None:
    """Drop the clauses of an `if` that are taken when no answer is asked for, or make them depend on it."""
    always_asked = False
    for clause, tag in zip((block, *block.elif_), tags, strict=False):
        asked, unasked = (under(revision.tree, clause.test, value) for value in (True, False))
        if asked is False or (always_asked and unasked is not False):
            revision.clauses[tag] = False
        elif unasked is not False and len(tags) == 1:
            text = Text(revision.tree.text(clause.test), AND) if unasked is True else unasked
            revision.replace(clause.test, f"{bracketed(text)} and {ASKED}")
        always_asked = always_asked or asked is True
    if len(tags) > len(block.elif_) + 1 and mentions(block, ASKED):
        revision.clauses[tags[-1]] = False


def branch_shed(revision: Revision, choice: nodes.CondExpr) -> None:
    """Empty the branch of an inline `if` that is taken when no answer is asked for."""
    asked, unasked = (under(revision.tree, choice.test, value) for value in (True, False))
    if asked is True and unasked is False and choice.expr2 is not None:
        revision.replace(choice.expr2, "''")
    elif asked is False and unasked is True:
        revision.replace(choice.expr1, "''")


def under(tree: Tree, test: nodes.Node, asked: bool) -> bool | Text:
    """Return what is left of a condition if an answer is, or is not, asked for."""
    named = [atom for atom in atoms(test) if isinstance(atom, nodes.Name) and atom.name == ASKED]
    return Simplifier(tree, {id(atom): asked for atom in named}).simplified(test)


def bracketed(condition: Text) -> str:
    """Return a condition as an operand of `and`."""
    return condition.text if condition.binds >= AND else f"({condition.text})"


def mentions(block: nodes.If, name: str) -> bool:
    """Say whether a condition of an `if` block depends on a name."""
    tests = [clause.test for clause in (block, *block.elif_)]
    return any(
        node.name == name
        for test in tests
        for node in (test, *test.find_all(nodes.Name))
        if isinstance(node, nodes.Name)
    )


def wrapped(tree: Tree, unit: Unit) -> Iterator[str]:
    """Yield sources in which a stretch of segments stands in an `if` of its own."""
    source, first, last = tree.source, tree.segments[unit.first], tree.segments[unit.last]
    start = first.start + first_printed(first.kind, source[first.start : first.end])
    end = last.end if last.kind is not Kind.TEXT else last.start + len(source[last.start : last.end].rstrip())
    line = source[source.rfind("\n", 0, start) + 1 : start]
    sign = "-" if source[first.start + 2 : first.start + 3] == "-" and first.kind is not Kind.TEXT else ""
    opening, closing = f"{{%{sign} if {ASKED} %}}", f"{{%{sign} endif %}}"
    inner = source[start:end]
    if not line.strip():
        yield f"{source[:start]}{opening}\n{line}{inner}\n{line}{closing}{source[end:]}"
        yield f"{source[:start]}{opening}\n{line}{inner}{closing}{source[end:]}"
    yield f"{source[:start]}{opening}{inner}{closing}{source[end:]}"
    if first.kind is Kind.TEXT and unit.first == unit.last:
        quoted = repr(first.printed)
        yield f"{source[: first.start]}{{{{ {quoted} if {ASKED} }}}}{source[first.end :]}"
        before = source[first.start : first.end].removesuffix(first.printed)
        yield f"{source[: first.start]}{before}{{{{ {quoted} if {ASKED} }}}}{source[first.end :]}"
        yield f"{source[:start]}{opening}{source[start : first.end]}{closing}{source[first.end :]}"


def first_printed(kind: Kind, text: str) -> int:
    """Return how far in a segment the first character stands that is no white space."""
    return len(text) - len(text.lstrip()) if kind is Kind.TEXT else 0
