"""Whether answers have fields that a training template reads and is not proven for."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from trainplate.conversations import fields_held

UNTOLD = (
    "answers have {!r}, which the template reads and nothing is proven of: what it prints may be trained or not\n"
    "    way out   leave the field out, or look at what is trained: trainplate show SOURCE --conversation FILE"
)


def fields_in_use(fields: Collection[str], conversation: Any) -> set[str]:
    """Return those of some fields that an answer has something in, in one conversation or in any of several."""
    return set(fields_held(messages_in(conversation), fields))


def messages_in(conversation: Any) -> Iterable[Mapping[str, Any]]:
    """Yield the messages of one conversation or of several, whatever holds them."""
    held = getattr(conversation, "messages", conversation)
    for item in () if held is None else held:
        if isinstance(item, Mapping):
            yield item
        elif (isinstance(item, Sequence) and not isinstance(item, str)) or hasattr(item, "messages"):
            yield from messages_in(item)
