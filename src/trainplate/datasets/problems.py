"""What can be wrong with a row of a data set, and what is done about it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from trainplate.errors import TrainplateError
from trainplate.masks.masker import Messages
from trainplate.rendering.messages import REASONING_FIELDS

FAILED = "failed"
UNTRAINED = "untrained"
CUT = "cut"
REASONING_DROPPED = "reasoning-dropped"
CONTROL_TOKENS = "control-tokens"
UNTOLD_FIELDS = "untold-fields"
MEANINGS = {
    FAILED: "could not be rendered",
    UNTRAINED: "have no token to train",
    CUT: "lose part of an answer, or its stop token, to max_length",
    REASONING_DROPPED: "have reasoning that the template does not print",
    CONTROL_TOKENS: "hold text that is read as control tokens",
    UNTOLD_FIELDS: "have unproven fields in answers",
}
DROPPED = (FAILED, UNTRAINED)
"""What is dropped unless asked otherwise; the rest is kept, and counted."""


@dataclass(frozen=True)
class Problem:
    """Something that is wrong with one row."""

    kind: str
    detail: str


def dropped_kinds(kinds: str | Sequence[str]) -> frozenset[str]:
    """Return the kinds of rows to drop; those that fail can only be dropped."""
    asked = frozenset([kinds] if isinstance(kinds, str) else kinds)
    unknown = sorted(asked - set(MEANINGS))
    if unknown:
        way_out = f"any of {', '.join(MEANINGS)}"
        raise TrainplateError(f"drop: {', '.join(map(repr, unknown))}\n    way out   {way_out}")
    return asked | {FAILED}


@dataclass(frozen=True)
class ControlTokens:
    """The special tokens of a tokenizer, found in the texts of messages."""

    beginnings: tuple[str, ...]
    pattern: re.Pattern[str]

    def found_in(self, messages: Messages) -> str | None:
        """Return the first special token that a message holds as text."""
        for text in texts_of(messages):
            if any(beginning in text for beginning in self.beginnings) and (match := self.pattern.search(text)):
                return match.group()
        return None


def control_tokens(encoder: Any) -> ControlTokens | None:
    """Return what finds an encoder's special tokens; None where it has none."""
    special = [token.content for token in encoder.get_added_tokens_decoder().values() if token.special]
    named = sorted((token for token in special if token.strip()), key=len, reverse=True)
    if not named:
        return None
    return ControlTokens(tuple({token[:2] for token in named}), re.compile("|".join(map(re.escape, named))))


def texts_of(value: Any) -> Iterator[str]:
    """Yield every text inside messages, except the names of roles and keys."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            if key not in ("role", "type"):
                yield from texts_of(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from texts_of(item)


def dropped_reasoning(messages: Messages, texts: Sequence[str]) -> str | None:
    """Return the start of a reasoning that stands in none of the rendered texts."""
    for message in messages:
        reasoning = next((message[field] for field in REASONING_FIELDS if message.get(field)), None)
        if isinstance(reasoning, str) and not any(reasoning.strip() in text for text in texts):
            return reasoning.strip()[:40]
    return None
