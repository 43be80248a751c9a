"""Messages in the form that a template can take, with every change counted."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from trainplate.masks.training_template import training_template
from trainplate.masks.wants import Message, Wants, in_parts, wants_of
from trainplate.patching.patch import Patch
from trainplate.rendering import CompiledTemplate, compile_template
from trainplate.rendering.messages import REASONING_FIELDS

PARSED = "arguments parsed from JSON text"
WRITTEN = "arguments written as JSON text"
UNREADABLE = "arguments that are no JSON object, left as they are"
AS_PARTS = "contents made parts"
AS_TEXT = "contents made text"
FILLED = "missing contents filled in"
EMPTIED = "empty contents beside calls left out"
RENAMED = "reasoning moved to another field"


def normalise_messages(
    messages: Sequence[Mapping[str, Any]],
    template: Any,
    special_tokens: Mapping[str, str] | None = None,
) -> list[Message]:
    """Return messages as a template can take them; those that it takes as they are stay as they are.

    `template` is a template's text, a Patch, or a tokenizer, of which the training template counts. Arguments of tool
    calls become objects or JSON text, contents strings or parts, a content that is missed is filled in, an empty one
    beside which calls are lost is left out, and reasoning goes to the field that is read.
    """
    return normalised(messages, wants_of(as_compiled(template, special_tokens)))[0]


def as_compiled(template: Any, special_tokens: Mapping[str, str] | None) -> CompiledTemplate:
    """Return what was given as a template that can be asked."""
    if isinstance(template, CompiledTemplate):
        return template
    if isinstance(template, Patch):
        return compile_template(template.training_template, special_tokens=template.original.special_tokens)
    if isinstance(template, str):
        return compile_template(template, special_tokens=special_tokens)
    return training_template(template)


def normalised(messages: Sequence[Mapping[str, Any]], wants: Wants) -> tuple[list[Message], Counter[str]]:
    """Return messages as they are wanted, and how often each kind of change was made."""
    if wants == Wants():
        return list(map(as_dict, messages)), Counter()
    changing = Changing(wants, Counter())
    return [changing.message(as_dict(message)) for message in messages], changing.changes


def as_dict(message: Mapping[str, Any]) -> Message:
    """Return a message as a dict."""
    return message if isinstance(message, dict) else dict(message)


@dataclass(frozen=True)
class Changing:
    """Changes messages, and counts what it changes."""

    wants: Wants
    changes: Counter[str]

    def message(self, message: Message) -> Message:
        """Return one message as it is wanted."""
        message = self.content(message)
        if self.wants.arguments != "either" and message.get("tool_calls"):
            message = {**message, "tool_calls": [self.call(call) for call in message["tool_calls"]]}
        return self.reasoning(message)

    def content(self, message: Message) -> Message:
        """Return a message whose content has the form that its role wants."""
        content, role = message.get("content"), message.get("role")
        if content is None and self.wants.fills_content and message.get("tool_calls"):
            self.changes[FILLED] += 1
            return {**message, "content": ""}
        if content == "" and self.wants.drops_empty_content and message.get("tool_calls"):
            self.changes[EMPTIED] += 1
            return {key: value for key, value in message.items() if key != "content"}
        if isinstance(content, str) and role in self.wants.parts:
            self.changes[AS_PARTS] += 1
            return in_parts(message)
        if isinstance(content, list) and role in self.wants.strings and all(map(is_text, content)):
            self.changes[AS_TEXT] += 1
            return {**message, "content": "".join(part["text"] for part in content)}
        return message

    def call(self, call: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a tool call whose arguments have the form that is wanted."""
        function = call.get("function")
        if not isinstance(function, Mapping) or "arguments" not in function:
            return call
        arguments = self.arguments(function["arguments"])
        return (
            call if arguments is function["arguments"] else {**call, "function": {**function, "arguments": arguments}}
        )

    def arguments(self, arguments: Any) -> Any:
        """Return arguments as an object or as JSON text."""
        if self.wants.arguments == "text" and not isinstance(arguments, str):
            self.changes[WRITTEN] += 1
            return json.dumps(arguments, ensure_ascii=False)
        if self.wants.arguments == "objects" and isinstance(arguments, str):
            try:
                parsed = json.loads(arguments) if arguments.strip() else {}
            except ValueError:
                parsed = None
            if isinstance(parsed, dict):
                self.changes[PARSED] += 1
                return parsed
            self.changes[UNREADABLE] += 1
        return arguments

    def reasoning(self, message: Message) -> Message:
        """Return a message whose reasoning stands in the field that is read."""
        wanted = self.wants.reasoning
        if wanted is None or message.get(wanted) is not None:
            return message
        given = next((field for field in REASONING_FIELDS if message.get(field) is not None), None)
        if given is None:
            return message
        self.changes[RENAMED] += 1
        return {wanted if key == given else key: value for key, value in message.items() if key != wanted}


def is_text(part: Any) -> bool:
    """Say whether a part of a content is text."""
    return isinstance(part, Mapping) and part.get("type") == "text" and isinstance(part.get("text"), str)
