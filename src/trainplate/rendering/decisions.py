"""Which way each condition of a template went while it rendered, and for which message."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Any, NamedTuple

from jinja2 import nodes

from trainplate.rendering.environment import environment
from trainplate.rendering.instrumentation import Watch, compile_watched
from trainplate.rendering.limits import DEFAULT_LIMITS, Limits, Meter
from trainplate.rendering.render import CompiledTemplate
from trainplate.syntax.tree import Tree, parse

LOOP_FLAGS = frozenset({"last", "first"})
NO_RULINGS: Mapping[int, "Ruling"] = MappingProxyType({})


@dataclass(frozen=True, eq=False, slots=True)
class Site:
    """An atom: an operand of `and`, `or`, `not` in a condition, or in a truth value that is stored or passed on."""

    number: int
    node: nodes.Node
    root: nodes.Node
    """The whole condition or value that the atom is part of."""
    owner: nodes.Node
    """What asks: an `if`, an inline `if`, a loop with a condition; or what is given the value."""
    loops: tuple[nodes.For, ...]
    """The loops around it, outermost first, within its macro where it stands in one."""


class Moment(NamedTuple):
    """The message whose turn it is in the innermost loop over messages; no index and no roles outside of any."""

    message: int | None = None
    loop: int = 0
    turn: int = 0
    """How many messages that loop has passed."""
    role: str = ""
    before: str = ""
    """The role of the message before, and below that of the one behind; nothing where there is none."""
    behind: str = ""


NOWHERE = Moment()


class Decision(NamedTuple):
    """One evaluation of an atom: for which message, with what outcome, behind how much printed text."""

    site: int
    moment: Moment
    value: bool
    position: int


Ruling = Callable[[bool, Moment, bool], bool]
"""Decides in place of an atom: from its value, the moment, and whether a generation prompt is asked for."""


class Left(NamedTuple):
    """The end of a loop: its number, and how much was printed before it."""

    loop: int
    position: int


@dataclass(frozen=True)
class Decided:
    """A rendered text, the decisions that led to it in their order, and where loops over messages ended."""

    text: str
    decisions: tuple[Decision, ...]
    ends: tuple[Left, ...]


@dataclass(frozen=True)
class Watched:
    """A template compiled once to tell its decisions; safe to share between threads."""

    tree: Tree
    sites: tuple[Site, ...]
    loops: tuple[nodes.For, ...]
    """All loops, by number."""
    template: CompiledTemplate = field(repr=False)

    def render(
        self,
        messages: Iterable[Mapping[str, Any]],
        tools: Any = None,
        *,
        add_generation_prompt: bool = False,
        rulings: Mapping[int, Ruling] = NO_RULINGS,
        **options: Any,
    ) -> Decided:
        """Return the text and how it came about, or raise `Declined` with the template's own message.

        `rulings` decide in place of atoms, by their numbers: the text is that of a template in which they are replaced.
        """
        context: Any = self.template.context(messages, tools, add_generation_prompt, options)
        context.recorder = recorder = Recorder(context["messages"], context.meter, rulings, add_generation_prompt)
        text = self.template.run(context)
        return Decided(text, tuple(recorder.decisions), tuple(recorder.ends))


class Frame:
    """A loop that is running, and the message whose turn it is in it."""

    __slots__ = ("loop", "moment", "turns")

    def __init__(self, loop: int) -> None:
        self.loop = loop
        self.turns = 0
        self.moment = NOWHERE


class Recorder:
    """Takes down each decision of one render."""

    __slots__ = ("decisions", "ends", "frames", "indices", "messages", "meter", "moment", "prompt", "roles", "rulings")

    def __init__(
        self, messages: Sequence[Mapping[str, Any]], meter: Meter, rulings: Mapping[int, Ruling], prompt: bool
    ) -> None:
        self.messages = messages
        self.indices = {id(message): index for index, message in reversed(list(enumerate(messages)))}
        self.roles = [str(message.get("role", "")) for message in messages]
        self.meter = meter
        self.rulings, self.prompt = rulings, prompt
        self.frames: list[Frame] = []
        self.decisions: list[Decision] = []
        self.ends: list[Left] = []
        self.moment = NOWHERE

    def atom(self, number: int, value: Any) -> Any:
        """Note which way an atom went, and pass its value on, or that of the ruling about it."""
        ruling = self.rulings.get(number)
        if ruling is not None:
            value = ruling(bool(value), self.moment, self.prompt)
        self.decisions.append(Decision(number, self.moment, bool(value), self.meter.written))
        return value

    def entered(self, number: int, item: Any) -> None:
        """Note that a turn of a loop begins."""
        if not self.frames or self.frames[-1].loop != number:
            self.frames.append(Frame(number))
        frame = self.frames[-1]
        frame.moment = self.told(item, number, frame.turns)
        frame.turns += 1
        self.look()

    def left(self, number: int, value: Any) -> None:
        """Note that a loop is over."""
        if self.frames and self.frames[-1].loop == number:
            if self.frames.pop().moment.message is not None:
                self.ends.append(Left(number, self.meter.written))
            self.look()

    def told(self, item: Any, loop: int, turn: int) -> Moment:
        """Return the moment of a message: the item itself, the one it was made from, or the one it counts to."""
        index = None
        if isinstance(item, dict):
            index = self.indices.get(id(item), turn if "role" in item else None)
        elif type(item) is int:
            index = item
        if index is None or not 0 <= index < len(self.messages):
            return NOWHERE
        role = str(item.get("role", "")) if isinstance(item, dict) else self.roles[index]
        around = ["", *self.roles, ""]
        return Moment(index, loop, turn, role, around[index], around[index + 2])

    def look(self) -> None:
        """Find the message whose turn it is: that of the innermost loop which has one."""
        moments = (frame.moment for frame in reversed(self.frames))
        self.moment = next((moment for moment in moments if moment.message is not None), NOWHERE)


def watch(
    source: str,
    special_tokens: Mapping[str, str] | None = None,
    clock: datetime | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Watched:
    """Compile a template whose renders tell their decisions; raises `SyntaxFault`."""
    tree = parse.__wrapped__(source, environment(clock))  # its own: the collector adds to it
    collector = Collector()
    tree.root.body = collector.statements(tree.root.body, ())
    compiled = compile_watched(tree.root, collector.watched, clock=clock)
    defaults: dict[str, Any] = {**environment(clock).globals, **(special_tokens or {})}
    template = CompiledTemplate(compiled, defaults, limits)
    return Watched(tree, tuple(collector.sites), tuple(collector.loops), template)


Loops = tuple[nodes.For, ...]


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
