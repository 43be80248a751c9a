"""The form in which a template wants a conversation: contents, arguments, reasoning and silence, each in two ways."""

from dataclasses import dataclass
from typing import Literal

from trainplate.conversations.conversation import (
    REASONING_KEYS,
    Conversation,
    arguments_as_json_text,
    as_parts,
    silence_as_null,
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
    silence: Literal["empty", "null"] = "empty"
    """The content of a message that calls tools and says nothing; null only where calls beside empty ones are dropped.

    transformers 5.24 leaves such a key out, so that the original can be heard only as older releases render it.
    """

    def of(self, conversation: Conversation) -> Conversation:
        """Say a conversation in this form."""
        if self.contents == "parts":
            conversation = as_parts(conversation)
        if self.arguments == "text":
            conversation = arguments_as_json_text(conversation)
        if self.silence == "null":
            conversation = silence_as_null(conversation)
        if self.reasoning_key != REASONING_KEYS[0]:
            conversation = with_reasoning_key(conversation, self.reasoning_key)
        return conversation
