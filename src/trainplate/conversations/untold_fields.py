"""Which fields of an answer a template asks for that no conversation tells: nothing is known of what they print.

Gemma 4 takes results in the very message that calls the tools, Command A a plan beside the calls. The text of such a
field is the model's or it is not; no published description says so in a form that could be relied on.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from trainplate.conversations.conversation import REASONING_KEYS, Conversation, as_parts
from trainplate.conversations.suite_files import named
from trainplate.errors import Declined
from trainplate.rendering import CompiledTemplate, Handling

TOLD = frozenset(("role", "content", "name", "tool_calls", "tool_call_id", *REASONING_KEYS))
ASKED_WITH = (
    "one-turn", "two-turns", "call", "call-with-content", "two-calls", "tool-cycle", "tool-cycle-then-user",
    "reasoning", "reasoned-tool-cycles", "inline-reasoning", "assistant-first", "answers-in-a-row",
)  # fmt: skip
"""Conversations that lead through all that a template does with answers."""


def untold_fields(template: CompiledTemplate, told: Sequence[Conversation] = ()) -> tuple[str, ...]:
    """Return the fields that a template asks answers for beyond those of conversations, in the order of their names.

    It is asked by telling it conversations: those given, or else a dozen of the suite, with texts and with parts.
    """
    plain = [] if told else [*map(named, ASKED_WITH)]
    asked: set[str] = set()
    # Messages are changed here as they would be, so that what listens is what the template is given.
    bare = replace(template, handling=Handling(none_dropped=False, reasoning_aliased=False))
    for one in (*told, *plain, *map(as_parts, plain)):
        messages = [
            Listening(message, asked) if message["role"] == "assistant" else message
            for message in template.handling.applied(one.messages)
        ]
        with suppress(Declined):
            bare.render(messages, list(one.tools) if one.tools else None, **one.options)
    return tuple(sorted(asked - TOLD))


def fields_held(messages: Iterable[Mapping[str, Any]], fields: Collection[str]) -> Iterator[str]:
    """Yield each of some fields that an answer has something in."""
    for message in messages if fields else ():
        if message.get("role") == "assistant":
            yield from (field for field in fields if message.get(field))


class Listening(dict[str, Any]):
    """A message that notes what it is asked for in vain."""

    def __init__(self, message: Mapping[str, Any], asked: set[str]) -> None:
        super().__init__(message)
        self._asked = asked

    def get(self, key: str, default: Any = None) -> Any:
        """Return a field, or what stands for one that is missing."""
        found = key in self
        return super().get(key, default) if found else default

    def __contains__(self, key: object) -> bool:
        """Say whether there is such a field."""
        found = super().__contains__(key)
        if not found and isinstance(key, str):
            self._asked.add(key)
        return found

    def __missing__(self, key: str) -> Any:
        self._asked.add(key)
        raise KeyError(key)
