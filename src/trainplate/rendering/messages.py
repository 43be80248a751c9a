"""What transformers does to messages before a template sees them."""

from collections.abc import Iterable, Mapping
from typing import Any

Message = dict[str, Any]

REASONING_FIELDS = ("reasoning_content", "thinking", "reasoning")
"""The names reasoning is passed under; the first is the standard one and wins."""


def as_transformers_does(
    messages: Iterable[Mapping[str, Any]], *, none_dropped: bool = True, reasoning_aliased: bool = True
) -> list[Message]:
    """Hand a template the messages as transformers 5.24 would, leaving the given ones untouched.

    Keys whose value is None are dropped, and reasoning is offered under the names templates read. Releases before
    5.24 do neither, so both can be switched off. A message that needs no change is passed on, not copied.
    """
    seen = [checked(message) for message in messages]
    if none_dropped:
        seen = [without_none(message) for message in seen]
    if reasoning_aliased:
        seen = [with_reasoning_aliases(message) for message in seen]
    return seen


def checked(message: Mapping[str, Any]) -> Message:
    """Return the message as a dict, or say what stands in its place."""
    if isinstance(message, dict):
        return message
    if isinstance(message, Mapping):
        return dict(message)
    raise TypeError(f"A message should be a dict with a role and content, but one is {message!r}.")


def without_none(message: Message) -> Message:
    """Drop the keys whose value is None, as many templates print the word None for them."""
    if any(value is None for value in message.values()):
        return {key: value for key, value in message.items() if value is not None}
    return message


def with_reasoning_aliases(message: Message) -> Message:
    """Offer reasoning as `reasoning_content`, and as `thinking` where that is not taken."""
    for field in REASONING_FIELDS:
        if (reasoning := message.get(field)) is not None:
            return {"thinking": reasoning, **message, "reasoning_content": reasoning}
    return message
