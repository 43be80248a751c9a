"""Lets conversations share what they say alike, so that a template need not be told it twice."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from trainplate.conversations.conversation import Conversation, Message


class Sharing:
    """Messages and tools that are written alike become one object, by which what was said to them is found again."""

    def __init__(self) -> None:
        self.written: dict[str, Any] = {}
        self.known: dict[int, tuple[Any, Any]] = {}
        """Each value by its id, kept for as long as that is to mean it, and what stands for it."""

    def of(self, conversation: Conversation) -> Conversation:
        """Return the conversation with messages and tools that others share.

        What it says twice itself stays two messages.
        """
        messages: list[Message] = []
        for message in conversation.messages:
            shared = self.one(message)
            messages.append(message if any(shared is earlier for earlier in messages) else shared)
        return replace(conversation, messages=tuple(messages), tools=self.one(conversation.tools))

    def pairs(self, pairs: Iterable[tuple[Conversation, Conversation]]) -> Iterator[tuple[Conversation, Conversation]]:
        """Yield pairs of conversations likewise."""
        return ((self.of(one), self.of(other)) for one, other in pairs)

    def one(self, value: Any) -> Any:
        """Return what stands for a value."""
        if id(value) not in self.known:
            self.known[id(value)] = value, self.written.setdefault(repr(value), value)
        return self.known[id(value)][1]
