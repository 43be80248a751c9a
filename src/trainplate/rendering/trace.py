"""Which piece of source wrote each character of a rendering."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple

from jinja2 import nodes

from trainplate.rendering.environment import environment
from trainplate.rendering.instrumentation import Watch, compile_watched
from trainplate.rendering.limits import DEFAULT_LIMITS, Limits
from trainplate.rendering.render import CompiledTemplate
from trainplate.syntax.tree import Extent, Tree, parse


class Place(StrEnum):
    """Where a piece prints to: straight into the text, or into something that holds it first."""

    TEXT = "text"
    MACRO = "macro"
    CAPTURE = "capture"
    FILTER = "filter"
    CALL = "call"
    RECURSION = "recursion"
    ASSIGNMENT = "assignment"
    """It prints nothing: it is part of a value that `{% set %}` gives a name."""


@dataclass(frozen=True, eq=False, slots=True)
class Piece:
    """A text, an expression or a statement that prints: a child of an output, or an operand within one.

    `parent` is the number of the piece that it is an operand of; operands are those of `+` and `~` and the branches
    of a conditional expression.
    """

    number: int
    node: nodes.Node
    segment: int
    extent: Extent
    place: Place
    parent: int | None = None
    target: str = ""
    """The name that an assignment gives its value to."""
    loops: tuple[int, ...] = ()
    """The loops around it, by the number of each in the template, the innermost first."""


class Write(NamedTuple):
    """The text `[start, end)` that a piece wrote, and what wrote the parts of it where that is known."""

    piece: Piece
    start: int
    end: int
    role: str | None
    """The role of the message that a loop around the piece is at."""
    parts: "tuple[Write, ...]" = ()

    def leaves(self) -> "Iterator[Write]":
        """The smallest known parts, in order."""
        if not self.parts:
            yield self
        for part in self.parts:
            yield from part.leaves()


@dataclass(frozen=True)
class Traced:
    """A rendered text and the pieces that wrote it; law: they partition the text, in order."""

    text: str
    writes: tuple[Write, ...]


class Recorder:
    """Takes down what each piece evaluates to in one render; a negative number is a loop that takes up a message."""

    __slots__ = ("events",)

    def __init__(self) -> None:
        self.events: list[tuple[int, str]] = []

    def turn(self, number: int, value: Any) -> None:
        """Note the role of the message that a loop takes up."""
        if isinstance(value, dict):
            self.events.append((~number, str(value.get("role", ""))))

    def piece(self, number: int, value: Any) -> Any:
        """Note what is printed, and pass it on."""
        self.events.append((number, value if type(value) is str else str(value)))
        return value

    def assigned(self, number: int, value: Any) -> Any:
        """Note a text that is given a name, and pass on any value."""
        if type(value) is str:
            self.events.append((number, value))
        return value


@dataclass(frozen=True)
class Tracer:
    """A template compiled once to be traced; safe to share between threads."""

    tree: Tree
    pieces: tuple[Piece, ...]
    template: CompiledTemplate = field(repr=False)

    def render(
        self,
        messages: Iterable[Mapping[str, Any]],
        tools: Any = None,
        *,
        add_generation_prompt: bool = False,
        **options: Any,
    ) -> Traced:
        """Return the text and who wrote it, or raise `Declined` with the template's own message."""
        context: Any = self.template.context(messages, tools, add_generation_prompt, options)
        context.recorder = recorder = Recorder()
        text = "".join(self.template.pieces(context))
        return Traced(text, assembled(self.pieces, recorder.events))


def trace(
    source: str,
    special_tokens: Mapping[str, str] | None = None,
    clock: datetime | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Tracer:
    """Compile a template whose renders say which piece wrote each character; raises `SyntaxFault`."""
    tree = parse.__wrapped__(source, environment(clock))  # its own: other renders keep notes on theirs
    collector = Collector(tree)
    collector.statements(tree.root.body, Place.TEXT)
    compiled = compile_watched(tree.root, collector.watched, clock=clock)
    template = CompiledTemplate(compiled, dict(special_tokens or {}), limits, "<template>")
    return Tracer(tree, tuple(collector.pieces), template)


CAUGHT: dict[type[nodes.Node], Place] = {
    nodes.Macro: Place.MACRO,
    nodes.CallBlock: Place.CALL,
    nodes.FilterBlock: Place.FILTER,
    nodes.AssignBlock: Place.CAPTURE,
}

PRINTED_WHOLE = (Place.CALL, Place.FILTER, Place.RECURSION)


class Collector:
    """Numbers the pieces of a tree in the order of the source."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.pieces: list[Piece] = []
        self.watched: dict[int, Watch] = {}
        self.loops: tuple[int, ...] = ()
        self.known_loops = 0

    def statements(self, body: Sequence[nodes.Node], place: Place) -> None:
        """Collect what a sequence of statements prints to a place."""
        for node in body:
            if isinstance(node, nodes.Output):
                for child in node.nodes:
                    self.piece(child, place)
            elif isinstance(node, nodes.Assign):
                self.assignment(node)
            elif isinstance(node, nodes.For) and isinstance(node.target, nodes.Name):
                self.loop(node, node.target.name, place)
            else:
                self.within(node, place)

    def within(self, node: nodes.Node, place: Place) -> None:
        """Collect what the bodies of a statement print, and the statement itself where it prints that as a whole."""
        inner = place_within(node, place)
        if inner is not place and inner in PRINTED_WHOLE:
            self.piece(node, place)
        for name in ("body", "elif_", "else_"):
            self.statements(getattr(node, name, None) or (), inner)

    def loop(self, node: nodes.For, target: str, place: Place) -> None:
        """Collect what a loop prints, and let it tell which message it is at."""
        around, self.loops = self.loops, (self.known_loops, *self.loops)
        self.known_loops += 1
        self.within(node, place)
        item = nodes.Name(target, "load", lineno=node.lineno)
        self.watched[id(item)] = ("turn", self.loops[0])
        node.body.insert(0, nodes.ExprStmt(item, lineno=node.lineno))
        self.loops = around

    def assignment(self, node: nodes.Assign) -> None:
        """Collect the operands of a value that is given a name."""
        if isinstance(node.target, nodes.Name | nodes.NSRef):
            self.piece(node.node, Place.ASSIGNMENT, target=key_of(node.target))

    def piece(self, node: nodes.Node, place: Place, parent: int | None = None, target: str = "") -> None:
        """Collect an expression, and its operands behind it."""
        number = len(self.pieces)
        extent, segment = self.tree.extent(node), self.tree.segment_index(node)
        self.pieces.append(Piece(number, node, segment, extent, place, parent, target, self.loops))
        self.watched[id(node)] = ("assigned" if target else "piece", number)
        for operand in operands(node):
            self.piece(operand, place, number)


def place_within(node: nodes.Node, place: Place) -> Place:
    """Say where the body of a statement prints to, if the statement itself stands at `place`."""
    if isinstance(node, nodes.CallBlock) and isinstance(node.call.node, nodes.ExtensionAttribute):
        return place  # a generation block prints in place
    if isinstance(node, nodes.For) and node.recursive:
        return Place.RECURSION
    return CAUGHT.get(type(node), place)


def operands(node: nodes.Node) -> tuple[nodes.Node, ...]:
    """Return the parts whose texts, in order, make the text of an expression; each branch of a condition is one."""
    if isinstance(node, nodes.Add):
        right_to_left: list[nodes.Node] = []
        while isinstance(node, nodes.Add):
            right_to_left.append(node.right)
            node = node.left
        return (node, *reversed(right_to_left))
    if isinstance(node, nodes.Concat):
        return tuple(node.nodes)
    if isinstance(node, nodes.CondExpr):
        return (node.expr1, node.expr2) if node.expr2 is not None else (node.expr1,)
    return ()


def key_of(node: nodes.Node) -> str:
    """Return the name under which a value is kept and found: `x`, or `ns.x`."""
    match node:
        case nodes.Name(name=name):
            return str(name)
        case nodes.NSRef(name=name, attr=attr) | nodes.Getattr(node=nodes.Name(name=name), attr=attr):
            return f"{name}.{attr}"
    return ""


class Part(NamedTuple):
    """A write that has no place in the text yet."""

    piece: Piece
    text: str
    parts: "tuple[Part, ...]" = ()


def assembled(pieces: Sequence[Piece], events: Iterable[tuple[int, str]]) -> tuple[Write, ...]:
    """Put the events of a render together: operands under their expressions, what a macro printed under its call."""
    writes: list[Write] = []
    operands_of: dict[int, list[Part]] = {}
    values: dict[str, Part] = {}
    caught: list[Part] = []
    roles: dict[int, str] = {}
    position = 0
    for number, text in events:
        if number < 0:
            roles[~number] = text
            continue
        piece = pieces[number]
        part = Part(piece, text, parts_of(piece, text, operands_of.pop(number, []), values, caught))
        if piece.parent is not None:
            operands_of.setdefault(piece.parent, []).append(part)
        elif piece.place is Place.ASSIGNMENT:
            values[piece.target] = part
        elif piece.place is not Place.TEXT:
            caught.append(part)
        else:
            role = next((roles[loop] for loop in piece.loops if roles.get(loop)), None)
            writes.append(placed(part, position, role))
            position += len(text)
    return tuple(writes)


def parts_of(
    piece: Piece, text: str, given: list[Part], values: Mapping[str, Part], caught: list[Part]
) -> tuple[Part, ...]:
    """Return the parts that make up a piece's text letter for letter, or nothing."""
    if not given and isinstance(piece.node, nodes.Call):
        given = called(text, caught)
    elif not given and (known := values.get(key_of(piece.node))):
        given = [known]
    if given and "".join([part.text for part in given]) == text:
        return tuple(given)
    return ()


def called(text: str, caught: list[Part]) -> list[Part]:
    """Take from the caught parts the last ones that make up what a macro returned."""
    length, first = 0, len(caught)
    while first and length < len(text):
        first -= 1
        length += len(caught[first].text)
    taken = caught[first:]
    if "".join([part.text for part in taken]) != text:
        return []
    del caught[first:]
    return taken


def placed(part: Part, position: int, role: str | None) -> Write:
    """Give a part and all within it their places in the text."""
    inner, start = [], position
    for child in part.parts:
        inner.append(placed(child, start, role))
        start += len(child.text)
    return Write(part.piece, position, position + len(part.text), role, tuple(inner))
