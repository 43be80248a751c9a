"""Where a template reads the content of a message, and what happens there if the message has none."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from jinja2 import Undefined, nodes

from trainplate.conversations import Conversation, Message, text_of
from trainplate.errors import Declined
from trainplate.fixes.conditions.ancestors import ancestors
from trainplate.rendering import Handling, environment
from trainplate.rendering.instrumentation import compile_watched
from trainplate.rendering.render import CompiledTemplate
from trainplate.syntax import Edit, Tree, apply_edits, parse

KEY = "content"
EMPTY = "or ''"
ALONE = (nodes.Assign, nodes.Output, nodes.Call, nodes.Keyword)
"""What holds an expression without anything beside it, so that `or` in it needs no brackets."""
FREE = (*ALONE, nodes.Test, nodes.Not, nodes.And, nodes.Or, nodes.If, nodes.Filter, nodes.BinExpr, nodes.Compare)
"""What may hold an expression with a filter behind it, without brackets."""


class Recorder:
    """Notes which reading found nothing last, and lets chosen readings find an empty text, or null, instead."""

    __slots__ = ("found_nothing", "instead", "mended")

    def __init__(self, mended: frozenset[int], instead: str | None) -> None:
        self.mended, self.instead = mended, instead
        self.found_nothing: list[int] = []

    def reading(self, number: int, value: Any) -> Any:
        """Note a reading, and pass on what it found, or what is found instead."""
        if value is None or isinstance(value, Undefined):
            if number in self.mended:
                return self.instead
            self.found_nothing.append(number)
        return value


@dataclass(frozen=True)
class Readings:
    """A template compiled so that it tells where it reads contents."""

    tree: Tree
    places: tuple[nodes.Expr, ...]
    template: CompiledTemplate = field(repr=False)
    instead: str | None = ""
    """What a reading finds that is mended: an empty text, or null."""

    @property
    def asked_for_null(self) -> frozenset[int]:
        """The readings of which the template asks whether they are null."""
        tests = [test for test in self.tree.root.find_all(nodes.Test) if test.name == "none"]
        return frozenset(
            number for number, place in enumerate(self.places) if any(test.node is place for test in tests)
        )

    def render(self, conversation: Conversation, mended: frozenset[int]) -> tuple[str | None, list[int]]:
        """Return the text, or None where it is declined, and the readings that found nothing, in their order."""
        options: dict[str, Any] = dict(conversation.options)
        context: Any = self.template.context(conversation.messages, conversation.tools, False, options)
        context.recorder = recorder = Recorder(mended, self.instead)
        try:
            return self.template.run(context), recorder.found_nothing
        except Declined:
            return None, recorder.found_nothing

    def mended(self, places: frozenset[int]) -> str:
        """Return the source in which these readings find what is found instead where there is no content."""
        return apply_edits(self.tree.source, [self.edit(self.places[number]) for number in sorted(places)])

    def edit(self, place: nodes.Expr) -> Edit:
        """Put `or ''` or `| default(none)` behind one reading."""
        extent = self.tree.extent(place)
        above = ancestors(self.tree.root, place)
        bracketed = extent.outer_start < extent.start
        alone = bracketed or isinstance(above[-1], ALONE if self.instead == "" else FREE)
        text = f"{self.tree.text(place)} {'| default(none)' if self.instead is None else EMPTY}"
        return Edit(extent.start, extent.end, text if alone else f"({text})")


def keeping_null(read: Readings) -> Readings:
    """Return the same, told null as older releases of transformers tell it."""
    return replace(read, template=replace(read.template, handling=Handling(none_dropped=False)))


def readings(source: str, special_tokens: Mapping[str, str] | None, clock: datetime | None) -> Readings:
    """Compile a template so that it tells where it reads contents."""
    tree = parse.__wrapped__(source, environment(clock))  # its own: compiling uses it up
    places = tuple(node for node in tree.root.find_all((nodes.Getattr, nodes.Getitem)) if reads_content(node))
    compiled = compile_watched(tree.root, {id(node): ("reading", n) for n, node in enumerate(places)}, clock=clock)
    defaults: dict[str, Any] = {**environment(clock).globals, **(special_tokens or {})}
    return Readings(tree, places, CompiledTemplate(compiled, defaults))


def reads_content(node: nodes.Node) -> bool:
    """Say whether an expression is `x.content` or `x['content']`, read and not called."""
    if isinstance(node, nodes.Getattr):
        return node.attr == KEY
    return isinstance(node, nodes.Getitem) and isinstance(node.arg, nodes.Const) and node.arg.value == KEY


def calls_in_silence(message: Message) -> bool:
    """Say whether a message calls tools and says nothing."""
    return bool(message.get("tool_calls")) and not text_of(message.get(KEY))


def with_null(message: Message) -> Message:
    """Return a message with null as its content where it calls tools in silence."""
    return {**message, KEY: None} if calls_in_silence(message) else message


def with_empty_content(message: Message) -> Message:
    """Return a message with an empty content where it has none."""
    return {**message, KEY: ""} if calls_in_silence(message) and not message.get(KEY) else message


def without_content(message: Message) -> Message:
    """Return a message that calls tools in silence without the key."""
    return {key: value for key, value in message.items() if key != KEY} if calls_in_silence(message) else message
