"""The value of this package: messages, tools and options under one name, with the reason they exist."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any

Message = dict[str, Any]
Tool = dict[str, Any]

# One stone for each kind of text, a number behind it: a rendering can be searched for any of them.
STONES = {
    "system": "Slate",
    "developer": "Diorite",
    "user": "Umber",
    "assistant": "Amber",
    "tool": "Topaz",
    "reasoning": "Ruby",
    "argument": "Coral",
}
WORD = re.compile(rf"(?:{'|'.join(STONES.values())})\d+")
REASONING_KEYS = ("reasoning_content", "reasoning", "thinking")


@dataclass(frozen=True)
class Conversation:
    """What is said to a template: messages, tools and options, and why they are said."""

    name: str
    messages: tuple[Message, ...] = field(hash=False)
    tools: tuple[Tool, ...] | None = field(default=None, hash=False)
    options: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}), hash=False)
    why: str = ""
    needs: frozenset[str] = frozenset()
    """Features (see `support.py`) without which a template cannot say this conversation."""

    @property
    def label(self) -> str:
        """Name the conversation and what was varied in it, as messages to people show it."""
        varied = [f"{key}={value!r}" for key, value in self.options.items()]
        if any(isinstance(arguments, str) for arguments in given_arguments(self.messages)):
            varied.append("arguments as JSON text")
        return f"{self.name} [{', '.join(varied)}]" if varied else self.name

    @cached_property
    def turns(self) -> tuple[int, ...]:
        """Return the positions of the assistant's messages."""
        return tuple(i for i, message in enumerate(self.messages) if message["role"] == "assistant")

    @cached_property
    def said(self) -> tuple[tuple[Message, tuple[str, ...]], ...]:
        """Return each message with its unique words, which every check looks for."""
        return tuple((message, words(message)) for message in self.messages)

    def growths(self) -> Iterator[tuple[tuple[Message, ...], tuple[Message, ...]]]:
        """Yield, for each assistant turn, the messages that ask for it and the messages that end with it."""
        for turn in self.turns:
            yield self.messages[:turn], self.messages[: turn + 1]


def given_arguments(messages: tuple[Message, ...]) -> Iterator[Any]:
    """Yield the arguments of every tool call, in order."""
    for message in messages:
        for call in message.get("tool_calls") or ():
            yield call["function"]["arguments"]


def text_of(content: Any) -> str:
    """Return the text of a message's content: the string itself, or its text parts joined."""
    if isinstance(content, str) or content is None:
        return content or ""
    return "".join(part["text"] for part in content if part.get("type") == "text")


def words(value: Any) -> tuple[str, ...]:
    """Return every unique word in a message, a content or a piece of text, in order."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return tuple(dict.fromkeys(WORD.findall(text)))


def spoken(message: Message) -> str:
    """Return the first unique word of a message's content, or nothing where the content is empty."""
    return next(iter(words(text_of(message.get("content")))), "")


def as_parts(conversation: Conversation) -> Conversation:
    """Turn every string content into one text part, the form in which processors want it."""
    return _with_messages(conversation, [_in_parts(message) for message in conversation.messages])


def _in_parts(message: Message) -> Message:
    content = message.get("content")
    return {**message, "content": [{"type": "text", "text": content}]} if isinstance(content, str) else message


def silence_as_null(conversation: Conversation) -> Conversation:
    """Turn the content of every message that calls tools and says nothing into null, as APIs return it."""
    return _with_messages(conversation, [_in_null(message) for message in conversation.messages])


def _in_null(message: Message) -> Message:
    silent = bool(message.get("tool_calls")) and not text_of(message.get("content"))
    return {**message, "content": None} if silent else message


def silence_as_empty(conversation: Conversation) -> Conversation:
    """Turn the content of every message that calls tools and has none into an empty text."""
    return _with_messages(conversation, [_in_empty(message) for message in conversation.messages])


def _in_empty(message: Message) -> Message:
    silent = bool(message.get("tool_calls")) and message.get("content") is None
    return {**message, "content": ""} if silent else message


def arguments_as_json_text(conversation: Conversation) -> Conversation:
    """Turn the arguments of every tool call into JSON text, the form in which some datasets carry them."""
    return _with_messages(conversation, [_in_json_text(message) for message in conversation.messages])


def _in_json_text(message: Message) -> Message:
    if not message.get("tool_calls"):
        return message
    calls = [{**call, "function": _text_arguments(call["function"])} for call in message["tool_calls"]]
    return {**message, "tool_calls": calls}


def _text_arguments(function: dict[str, Any]) -> dict[str, Any]:
    arguments = function["arguments"]
    return (
        function if isinstance(arguments, str) else {**function, "arguments": json.dumps(arguments, ensure_ascii=False)}
    )


def with_reasoning_key(conversation: Conversation, key: str) -> Conversation:
    """Carry the reasoning of every turn under another of the names it goes by."""
    return _with_messages(conversation, [_renamed(message, key) for message in conversation.messages])


def _renamed(message: Message, key: str) -> Message:
    return {key if name in REASONING_KEYS else name: value for name, value in message.items()}


def with_options(conversation: Conversation, **options: Any) -> Conversation:
    """Add options, such as `enable_thinking`, to those the conversation is rendered with."""
    return replace(conversation, options=MappingProxyType({**conversation.options, **options}))


def _with_messages(conversation: Conversation, messages: list[Message]) -> Conversation:
    return replace(conversation, messages=tuple(messages))
