"""What we say to a template, and what a template can be told."""

from trainplate.conversations.conversation import (
    Conversation,
    Message,
    Tool,
    arguments_as_json_text,
    as_parts,
    given_arguments,
    spoken,
    text_of,
    with_options,
    with_reasoning_key,
    words,
)
from trainplate.conversations.suite import read_conversation, suite

__all__ = [
    "Conversation",
    "Message",
    "Tool",
    "arguments_as_json_text",
    "as_parts",
    "given_arguments",
    "read_conversation",
    "spoken",
    "suite",
    "text_of",
    "with_options",
    "with_reasoning_key",
    "words",
]
