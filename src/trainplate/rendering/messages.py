"""What transformers does to messages before a template sees them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

Message = dict[str, Any]

REASONING_FIELDS = ("reasoning_content", "thinking", "reasoning")
"""The names reasoning is passed under; the first is the standard one and wins."""


@dataclass(frozen=True)
class Handling:
    """Which of the changes that transformers 5.24 makes to messages are made; older releases make none of them."""

    none_dropped: bool = True
    reasoning_aliased: bool = True

    def applied(self, messages: Iterable[Mapping[str, Any]]) -> list[Message]:
        """Return the messages as a template sees them; the given ones stay as they are.

        This runs before every render: a message that needs no change is passed on, not copied.
        """
        return [self.seen(message) for message in messages]

    def seen(self, message: Mapping[str, Any]) -> Message:
        """Return one message as a template sees it."""
        shown = as_dict(message)
        if self.none_dropped:
            shown = without_none(shown)
        return with_reasoning_aliases(shown) if self.reasoning_aliased else shown


AS_TRANSFORMERS = Handling()


def as_transformers_does(
    messages: Iterable[Mapping[str, Any]], *, none_dropped: bool = True, reasoning_aliased: bool = True
) -> list[Message]:
    """Return the messages as transformers 5.24 hands them to a template; the given ones stay as they are.

    Keys whose value is None are dropped, and reasoning is offered under the names that templates read.
    """
    return Handling(none_dropped, reasoning_aliased).applied(messages)


def as_dict(message: Mapping[str, Any]) -> Message:
    """Return a message as a dict, or say what stands in its place."""
    if isinstance(message, dict):
        return message
    if isinstance(message, Mapping):
        return dict(message)
    raise TypeError(f"a message should be a dict with a role and content, but one is {message!r}")


def without_none(message: Message) -> Message:
    """Drop the keys whose value is None, as many templates print the word None for them."""
    for value in message.values():
        if value is None:
            return {key: kept for key, kept in message.items() if kept is not None}
    return message


def with_reasoning_aliases(message: Message) -> Message:
    """Offer reasoning as `reasoning_content`, and as `thinking` where that is not taken."""
    for field in REASONING_FIELDS:
        if field in message and (reasoning := message[field]) is not None:
            return {"thinking": reasoning, **message, "reasoning_content": reasoning}
    return message


def plain_data(value: Any) -> Any:
    """Rebuild what a caller hands over from plain JSON types, as transformers does at its own border.

    Objects of other types may have methods that write files; a template sees their type's name instead.
    """
    if value is None or type(value) in (str, int, float, bool):
        return value
    for base in (str, int, float):
        if isinstance(value, base):
            return base(value) if base is not str else str.__str__(value)
    if isinstance(value, Mapping):
        return {plain_data(key): plain_data(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(map(plain_data, value))
    return plain_object(value)


def plain_object(value: Any) -> Any:
    """Rebuild a number of numpy, a dataclass or a pydantic model; name the type of anything else."""
    if type(value).__module__ == "numpy" and getattr(value, "ndim", 1) == 0 and hasattr(value, "item"):
        return plain_data(value.item())
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain_data(getattr(value, field.name)) for field in fields(value)}
    if callable(getattr(value, "model_dump", None)):
        return plain_data(value.model_dump())
    return f"<{type(value).__name__}>"
