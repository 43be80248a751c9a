"""What a template can take, found out by telling it: contents, arguments and reasoning each come in several forms."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

from trainplate.errors import Declined, TrainplateError
from trainplate.rendering import CompiledTemplate
from trainplate.rendering.messages import REASONING_FIELDS

Message = dict[str, Any]

QUESTION, ANSWER, RESULT, REASON, VALUE = "Umber one", "Amber two", "Topaz three", "Ruby four", "Coral five"
ARGUMENTS = {"city": VALUE, "days": 2}
AS_TEXT = '{"city": "Coral five", "days": 2}'
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "forecast",
            "description": "Tell the weather.",
            "parameters": {"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}},
        },
    }
]
IN_PYTHON = ("'type': 'text'", '"type": "text"', "{'city'")
"""How a list or dict looks that was printed as Python has it, or a list of parts as JSON."""


@dataclass(frozen=True)
class Wants:
    """The forms that a template takes; what is not told apart here is left as it comes."""

    strings: frozenset[str] = frozenset()
    """Roles whose content must be a string."""
    parts: frozenset[str] = frozenset()
    """Roles whose content must be a list of parts."""
    arguments: str = "either"
    """The arguments of a tool call: `either`, `objects` or `text`."""
    fills_content: bool = False
    """Whether a turn that only calls tools must have an empty content."""
    drops_empty_content: bool = False
    """Whether a turn that only calls tools must have no content at all: beside an empty one its calls are lost."""
    reasoning: str | None = None
    """The field in which reasoning must come, where it makes a difference."""


_known: WeakKeyDictionary[Any, Wants] = WeakKeyDictionary()


def wants_of(template: CompiledTemplate) -> Wants:
    """Return what a template takes; it is asked once, in some fifteen renders."""
    known = _known.get(template.compiled)
    if known is None:
        known = _known[template.compiled] = asked(template)
    return known


def asked(template: CompiledTemplate) -> Wants:
    """Find out what a template takes."""
    ask = Asking(template)
    only = {role: ask.only_form(role, told) for role, told in spoken_by_role().items()}
    return Wants(
        strings=frozenset(role for role, form in only.items() if form == "strings"),
        parts=frozenset(role for role, form in only.items() if form == "parts"),
        arguments=ask.arguments(only["assistant"] == "parts"),
        fills_content=ask.fills_content(),
        drops_empty_content=ask.drops_empty_content(),
        reasoning=ask.reasoning(),
    )


def spoken_by_role() -> dict[str, list[Message]]:
    """Return, for each role, messages of which the last by that role can be said in two forms."""
    user, answer = {"role": "user", "content": QUESTION}, {"role": "assistant", "content": ANSWER}
    called = {"role": "assistant", "content": "", "tool_calls": [call(ARGUMENTS)]}
    return {
        "system": [{"role": "system", "content": RESULT}, user, answer],
        "user": [user, answer],
        "assistant": [user, answer],
        "tool": [user, called, {"role": "tool", "name": "forecast", "content": RESULT}, answer],
    }


def call(arguments: Any) -> Message:
    """Return a call of the tool that every probe has."""
    return {"id": "call00001", "type": "function", "function": {"name": "forecast", "arguments": arguments}}


@dataclass(frozen=True)
class Asking:
    """A template that is told probes, and looked at for the words in them."""

    template: CompiledTemplate

    def says(self, messages: Sequence[Mapping[str, Any]], *expected: str, tools: Any = None) -> str | None:
        """Return what the template prints where that holds all the words, in no spelling of Python's."""
        try:
            text = self.template.render(messages, tools)
        except (Declined, TrainplateError):
            return None
        garbled = any(spelling in text for spelling in IN_PYTHON)
        return text if all(word in text for word in expected) and not garbled else None

    def only_form(self, role: str, told: list[Message]) -> str | None:
        """Return the form that contents of a role must have; None where both do, or neither."""
        tools = TOOLS if role == "tool" else None
        words = [str(message["content"]) for message in told if message["role"] == role]
        as_strings = self.says(told, *words, tools=tools)
        as_parts = self.says([in_parts(m) if m["role"] == role else m for m in told], *words, tools=tools)
        if (as_strings is None) == (as_parts is None):
            return None
        return "strings" if as_parts is None else "parts"

    def arguments(self, parts: bool) -> str:
        """Return the form that arguments must have; text that comes out quoted once more is not taken."""
        objects, text = (self.called(arguments, parts) for arguments in (ARGUMENTS, AS_TEXT))
        if objects is not None and (text is None or '\\"city' in text):
            return "objects"
        return "text" if objects is None and text is not None else "either"

    def called(self, arguments: Any, parts: bool = False, **content: Any) -> str | None:
        """Say a turn that calls a tool."""
        told: list[Message] = [{"role": "user", "content": QUESTION}]
        told.append({"role": "assistant", **(content or {"content": ""}), "tool_calls": [call(arguments)]})
        return self.says([in_parts(m) for m in told] if parts else told, VALUE, tools=TOOLS)

    def fills_content(self) -> bool:
        """Say whether a call is printed beside an empty content, and not without one."""
        filled = self.called(ARGUMENTS)
        return filled is not None and self.called_without_content() != filled

    def drops_empty_content(self) -> bool:
        """Say whether a call is printed where there is no content, and not beside an empty one."""
        return self.called(ARGUMENTS) is None and self.called_without_content() is not None

    def called_without_content(self) -> str | None:
        """Say a turn that calls a tool and has no content."""
        turn: Message = {"role": "assistant", "tool_calls": [call(ARGUMENTS)]}
        return self.says([{"role": "user", "content": QUESTION}, turn], VALUE, tools=TOOLS)

    def reasoning(self) -> str | None:
        """Return the field of which reasoning is printed, where another field's is not."""
        answers = {field: self.reasoned(field) for field in REASONING_FIELDS}
        taken = [field for field, answer in answers.items() if answer is not None]
        return taken[0] if taken and len(taken) < len(answers) else None

    def reasoned(self, field: str) -> str | None:
        """Say a turn with reasoning in a field."""
        answer = {"role": "assistant", "content": ANSWER, field: REASON}
        return self.says([{"role": "user", "content": QUESTION}, answer], REASON)


def in_parts(message: Mapping[str, Any]) -> Message:
    """Return a message with its content as one text part."""
    return {**message, "content": [{"type": "text", "text": message["content"]}]}
