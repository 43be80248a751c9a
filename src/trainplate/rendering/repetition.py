"""Macros that answer alike whenever they are asked alike, and what they answered.

A suite tells a template the same messages again and again, each time with one more; what a macro makes of a message or
of a tool is then made once. Only a macro is taken for one that has nothing else to go by: what it is handed, and what
the render was given.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import takewhile
from marshal import dumps
from typing import Any

from jinja2 import nodes
from jinja2.runtime import Context, Macro

Reads = Mapping[str, tuple[str, ...]]
"""Macros by their names, each with what it may read of what the render was given."""

MOST_KEPT = 16_000_000
"""Characters of questions and answers that are kept for one template."""
EXACT = 2
"""The version of `marshal` that writes equal values alike, whether or not they are one object."""
UNGIVEN = ...
"""Stands for a variable that was not given, and for what Jinja itself gives every render."""
IMPURE = frozenset(("cycler", "joiner", "lipsum", "strftime_now", "caller", "kwargs", "self", "super", "varargs"))
"""Functions that answer otherwise each time, and names that mean something beside what a macro is handed."""
CHANGING = frozenset(("random", "sameas"))
"""A filter that answers otherwise each time, and a test that equal values may answer in two ways."""
APPLYING = {"map": 0, "select": 0, "reject": 0, "selectattr": 1, "rejectattr": 1}
"""Filters that apply another filter or test, with the place of its name among their arguments."""
PLAIN = (
    *(nodes.Output, nodes.TemplateData, nodes.FilterBlock, nodes.Break, nodes.Continue),
    *(nodes.Const, nodes.List, nodes.Tuple, nodes.Dict, nodes.Pair, nodes.Keyword, nodes.Getattr, nodes.Getitem),
    *(nodes.Slice, nodes.Call, nodes.Filter, nodes.Test, nodes.Compare, nodes.Operand, nodes.Concat, nodes.CondExpr),
    *(nodes.BinExpr, nodes.UnaryExpr),
)
"""What does nothing but print and work out values, beside the statements that set names."""
MESSAGES = "messages"
COMPOSED = (nodes.Extends, nodes.Block, nodes.Include, nodes.Import, nodes.FromImport)


def repeatable_macros(tree: nodes.Template) -> Reads:
    """Return the macros of a template that answer alike whenever they are asked alike, and take long to do so."""
    macros = [node for node in tree.body if isinstance(node, nodes.Macro)]
    if not macros:
        return {}
    outside = Outside()
    outside.look_through(tree.body)
    readings = {macro.name: reading_of(macro) for macro in macros if outside.named.count(macro.name) == 1}
    known = {name: reading for name, reading in readings.items() if reading is not None}
    places = {macro.name: place for place, macro in enumerate(macros, start=1)}
    # None of the first is called before all of them are there; any other knows those in front of it.
    places |= {node.name: 0 for node in takewhile(only_defines, tree.body) if isinstance(node, nodes.Macro)}
    while unsure := {
        name
        for name, reading in known.items()
        for read in reading.found & outside.unsure
        if read not in known or places[read] > places[name]
    }:
        known = {name: reading for name, reading in known.items() if name not in unsure}
    return {} if outside.composed else dict(worthwhile(known))


def worthwhile(known: Mapping[str, "Reading"]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the macros in which there are loops, with all that they and those that they call read of a render.

    What reads the messages is not asked the same again, but for what it is handed of them.
    """
    for name in known:
        called, pending = {name}, [name]
        while pending:
            pending += known[pending.pop()].found & known.keys() - called
            called.update(pending)
        read = {other for one in called for other in known[one].found} - called
        if MESSAGES not in read and any(known[one].loops for one in called):
            yield name, (*sorted(read),)


def only_defines(node: nodes.Node) -> bool:
    """Say whether a statement calls nothing: a macro, or text that stands between macros."""
    printed = node.nodes if isinstance(node, nodes.Output) else [node]
    return all(isinstance(part, nodes.TemplateData | nodes.Macro) for part in printed)


class Outside:
    """What a template does outside of its macros."""

    def __init__(self) -> None:
        self.named: list[str] = []
        """What has a name there, as often as it is named: values that are set, loops go through, and macros."""
        self.composed = False
        """Whether it takes parts from other templates, or gives them its own."""

    @property
    def unsure(self) -> frozenset[str]:
        """Names that do not mean the same throughout a render, or in two of them."""
        return IMPURE.union(self.named)

    def look_through(self, body: Iterable[nodes.Node]) -> None:
        """Look through statements."""
        for node in body:
            self.composed = self.composed or isinstance(node, COMPOSED)
            if isinstance(node, nodes.Macro):
                self.named.append(node.name)
            elif isinstance(node, nodes.Name):
                self.named += [node.name] if node.ctx != "load" else []
            elif not isinstance(node, nodes.Expr) or isinstance(node, nodes.Tuple):
                self.look_through(node.iter_child_nodes())


def reading_of(macro: nodes.Macro) -> "Reading | None":
    """Return what a macro reads from outside; None where it may do more than work out a text from that.

    None, too, where it is nested more deeply than can be told.
    """
    reading = Reading()
    try:
        reading.macro(macro, frozenset())
    except (nodes.Impossible, RecursionError):
        return None
    return reading


class Reading:
    """Goes through statements as they are run, and notes what is read before it is surely set."""

    def __init__(self) -> None:
        self.found: set[str] = set()
        self.loops = False

    def run(self, body: Iterable[nodes.Node], own: frozenset[str]) -> None:
        """Go through statements that know these names as their own."""
        for node in body:
            own = self.step(node, own)

    def step(self, node: nodes.Node, own: frozenset[str]) -> frozenset[str]:
        """Go through one node, and return the names that what follows knows as its own."""
        if isinstance(node, nodes.Name):
            self.found |= {node.name} - own
        elif isinstance(node, nodes.Assign):
            self.run([node.node], own)
            return own | self.names(node.target, own)
        elif isinstance(node, nodes.AssignBlock):
            self.run([*node.body, *([node.filter] if node.filter else [])], own)
            return own | self.names(node.target, own)
        elif isinstance(node, nodes.For):
            self.loops = True
            self.run([node.iter, *node.else_], own)
            inside = own | self.names(node.target, own) | {"loop"}
            self.run([*([node.test] if node.test else []), *node.body], inside)
        elif isinstance(node, nodes.If):
            self.run([node.test], own)
            for branch in (node.body, node.elif_, node.else_):
                self.run(branch, own)
        elif isinstance(node, nodes.Macro):
            self.macro(node, own)
            return own | {node.name}
        elif not isinstance(node, PLAIN) or changes(node):
            raise nodes.Impossible
        else:
            self.run(node.iter_child_nodes(), own)
        return own

    def macro(self, macro: nodes.Macro, own: frozenset[str]) -> None:
        """Go through a macro, which may call itself."""
        self.run(macro.defaults, own)
        self.run(macro.body, own.union([macro.name], (argument.name for argument in macro.args)))

    def names(self, target: nodes.Node, own: frozenset[str]) -> set[str]:
        """Return the names that something is assigned to; what is assigned to part of a namespace reads that."""
        if isinstance(target, nodes.Name):
            return {target.name}
        if isinstance(target, nodes.NSRef):
            self.found |= {target.name} - own
        return set().union(*(self.names(part, own) for part in target.iter_child_nodes()))


def changes(node: nodes.Node) -> bool:
    """Say whether a filter or test may answer otherwise when it is asked the same again, or applies one that may."""
    if not isinstance(node, nodes.Filter | nodes.Test):
        return False
    if node.name not in APPLYING:
        return node.name in CHANGING
    applied = [*node.args, nodes.Const("")][APPLYING[node.name] :][:1]
    constant = [name.value for name in applied if isinstance(name, nodes.Const)]
    return node.dyn_args is not None or len(constant) < len(applied) or not CHANGING.isdisjoint(constant)


class Answers:
    """What the repeatable macros of one template answered; threads may share it."""

    def __init__(self, reads: Reads) -> None:
        self.reads = reads
        self.known: dict[tuple[bytes, bytes], str] = {}
        self.size = 0

    def of(self, macro: Macro, context: Context, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
        """Return what a macro answers in a render: what it answered to the same before, or what it does now."""
        name = macro.name
        try:
            asked = dumps((name, args, kwargs), EXACT)
            given = context.given.get(name) or self.given(context, name)  # type: ignore[attr-defined]
        except ValueError:  # for what is no plain data may mean something else the next time
            return str(macro(context.eval_ctx, *args, **kwargs))
        known = self.known.get((asked, given))
        if known is None:
            known = str(macro(context.eval_ctx, *args, **kwargs))
            self.size += len(asked) + len(given) + len(known)
            if self.size <= MOST_KEPT:
                self.known[asked, given] = known
        return known

    def given(self, context: Context, name: str) -> bytes:
        """Return all that a macro may read of what a render was given; it stays the same for the whole render."""
        own = context.environment.globals
        values = {read: context.parent.get(read, UNGIVEN) for read in self.reads[name]}
        theirs = [UNGIVEN if value is own.get(read, UNGIVEN) else value for read, value in values.items()]
        written = context.given[name] = dumps(theirs, EXACT)  # type: ignore[attr-defined]
        return written
