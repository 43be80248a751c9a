"""The frozen conversations by which behaviour is recognised, read from `chat_templates/recognition.json`.

They are frozen because the fingerprints of known originals were taken with them: a change is a new version, and asks
for every fingerprint to be taken anew.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Any

from trainplate.conversations import Conversation
from trainplate.families.location import chat_templates_folder


@dataclass(frozen=True)
class Question:
    """One rendering that is asked for: a conversation under some options, with the generation prompt or without."""

    conversation: Conversation
    prompt: bool

    @property
    def label(self) -> str:
        """Name the question as messages to people show it."""
        return f"{self.conversation.label}{' + generation prompt' if self.prompt else ''}"


@dataclass(frozen=True)
class Recognition:
    """The questions in their fixed order, with the clock and the special tokens they are asked under."""

    version: int
    clock: datetime
    special_tokens: Mapping[str, str] = field(hash=False)
    """Sentinels: what a checkpoint's own tokens are is no part of how its template behaves."""
    questions: tuple[Question, ...]


@cache
def recognition() -> Recognition:
    """Return the recognition set; it is read once."""
    stored = json.loads((chat_templates_folder() / "recognition.json").read_text(encoding="utf-8"))
    return Recognition(
        version=stored["version"],
        clock=datetime.fromisoformat(stored["clock"]),
        special_tokens=stored["special_tokens"],
        questions=tuple(_questions(stored)),
    )


def _questions(stored: Mapping[str, Any]) -> Iterator[Question]:
    for told in stored["conversations"]:
        tools = tuple(stored["tools"]) if told["tools"] else None
        for options in told["options"]:
            conversation = Conversation(told["name"], tuple(told["messages"]), tools, options)
            for prompt in told["prompt"]:
                yield Question(conversation, prompt)
