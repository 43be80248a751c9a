"""The form in which a template wants a conversation: contents, arguments and reasoning can each be said in two ways."""

from dataclasses import dataclass
from typing import Literal

from trainplate.conversations.conversation import (
    REASONING_KEYS,
    Conversation,
    arguments_as_json_text,
    as_parts,
    with_reasoning_key,
)


@dataclass(frozen=True)
class Form:
    """How a template wants what it is told."""

    contents: Literal["strings", "parts"] = "strings"
    """Strings where it takes both."""
    arguments: Literal["objects", "text"] = "objects"
    """The arguments of tool calls; text only where it declines objects."""
    reasoning_key: str = REASONING_KEYS[0]

    def of(self, conversation: Conversation) -> Conversation:
        """Say a conversation in this form."""
        if self.contents == "parts":
            conversation = as_parts(conversation)
        if self.arguments == "text":
            conversation = arguments_as_json_text(conversation)
        if self.reasoning_key != REASONING_KEYS[0]:
            conversation = with_reasoning_key(conversation, self.reasoning_key)
        return conversation
