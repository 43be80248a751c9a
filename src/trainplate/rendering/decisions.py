"""Which way each condition of a template went while it rendered, and for which message."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Any, NamedTuple

from jinja2 import nodes

from trainplate.rendering.atoms import Collector, Site
from trainplate.rendering.environment import environment
from trainplate.rendering.instrumentation import compile_watched
from trainplate.rendering.limits import DEFAULT_LIMITS, Limits, Meter
from trainplate.rendering.render import CompiledTemplate
from trainplate.syntax.tree import Tree, parse

NO_RULINGS: Mapping[int, "Ruling"] = MappingProxyType({})


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
