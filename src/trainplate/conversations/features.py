"""The features a conversation can need, each with the named conversation that asks a template for it."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from trainplate.conversations.conversation import (
    REASONING_KEYS,
    STONES,
    Conversation,
    Message,
    Tool,
    text_of,
    words,
)


class Answer(StrEnum):
    """What a template does with a feature it is shown."""

    PRINTED = "printed"
    DROPPED = "dropped"
    """The conversation renders, without the text in question."""
    GARBLED = "garbled"
    """The text stands in Python's spelling of a list, which no model should see."""
    DECLINED = "declined"


@dataclass(frozen=True)
class Feature:
    """Something a template may or may not take: the conversation that shows it, and whose words must be printed."""

    meaning: str
    probe: str
    speakers: tuple[str, ...]
    """Keys of `STONES`; none stands for the names of the tools."""

    def expected(self, conversation: Conversation) -> tuple[str, ...]:
        """Return the words of its conversation that must be printed."""
        if not self.speakers:
            return tuple(tool["function"]["name"] for tool in conversation.tools or ())
        stones = tuple(STONES[speaker] for speaker in self.speakers)
        return tuple(word for word in words(conversation.messages) if word.startswith(stones))


FEATURES = {
    "system": Feature("a system message at the start", "system", ("system",)),
    "late-system": Feature("a system message in the middle", "system-late", ("system",)),
    "developer": Feature("a developer message at the start", "developer", ("developer",)),
    "assistant-first": Feature("an assistant message before any other", "assistant-first", ("assistant",)),
    "answers-in-a-row": Feature("two assistant messages in a row", "answers-in-a-row", ("assistant",)),
    "user-twice": Feature("two user messages in a row", "user-twice", ("user",)),
    "parts": Feature("contents as lists of text parts", "parts", ("user", "assistant")),
    "images": Feature("pictures among the parts of a user message", "image-two-turns", ("user", "assistant")),
    "reasoning": Feature("reasoning as a field of the last turn", "reasoning", ("reasoning",)),
    "reasoning-in-history": Feature("reasoning of earlier turns", "reasoning-two-turns", ("reasoning",)),
    "inline-reasoning": Feature("a think block in the last content", "inline-reasoning", ("reasoning",)),
    "inline-reasoning-in-history": Feature("those of earlier turns", "inline-reasoning-two-turns", ("reasoning",)),
    "tools": Feature("definitions of tools", "tools-no-call", ()),
    "calls": Feature("a tool call", "call", ("argument",)),
    "text-arguments": Feature("arguments as JSON text", "call", ("argument",)),
    "several-calls": Feature("several tool calls in one turn", "two-calls", ("argument",)),
    "call-content": Feature("text beside a tool call", "call-with-content", ("assistant", "argument")),
    "missing-content": Feature("a tool call without the key `content`", "call-missing-content", ("argument",)),
    "none-content": Feature("a tool call with null as content", "call-content-none", ("argument",)),
    "tool": Feature("tool results", "tool-cycle", ("argument", "tool")),
}
CALL_FEATURES = ("several-calls", "call-content", "missing-content", "none-content", "tool")
"""Those that cannot be had where a template declines calls."""
REASONING_FEATURES = ("reasoning", "reasoning-in-history")
PLAIN_FEATURES = tuple(
    feature for feature in FEATURES if feature not in {"calls", "text-arguments", *CALL_FEATURES, *REASONING_FEATURES}
)


def features_of(messages: Sequence[Message], tools: Sequence[Tool] | None = None) -> frozenset[str]:
    """Return the features that a conversation uses, and that a template must take to be told it."""
    found = {"tools"} if tools else set()
    for before, message in pairwise([None, *messages]):
        assert message is not None
        found |= features_of_role(message["role"], before["role"] if before else None)
        found |= features_of_content(message) | features_of_calls(message)
    return frozenset(found)


def features_of_role(role: str, before: str | None) -> set[str]:
    """Return the features of a message's role behind the role before it."""
    match role, before:
        case "system", None:
            return {"system"}
        case "system", _:
            return {"late-system"}
        case "developer" | "tool", _:
            return {role}
        case "assistant", None | "system" | "developer":
            return {"assistant-first"}
        case "assistant", "assistant":
            return {"answers-in-a-row"}
        case "user", "user":
            return {"user-twice"}
    return set()


def features_of_content(message: Message) -> set[str]:
    """Return the features of what a message says, calls aside."""
    found = {"reasoning"} if any(message.get(key) for key in REASONING_KEYS) else set()
    if isinstance(content := message.get("content"), list):
        found |= {"parts"} if all(part["type"] == "text" for part in content) else {"parts", "images"}
    return found


def features_of_calls(message: Message) -> set[str]:
    """Return the features of a message's tool calls and of the text beside them."""
    if not (calls := message.get("tool_calls")):
        return set()
    found = {"calls"} if len(calls) == 1 else {"calls", "several-calls"}
    if "content" not in message:
        return found | {"missing-content"}
    if message["content"] is None:
        return found | {"none-content"}
    return found | ({"call-content"} if text_of(message["content"]) else set())
