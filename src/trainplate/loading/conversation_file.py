"""A user's own conversation, as JSON: a list of messages, or an object with messages, tools and options."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from trainplate.loading.text_file import failure, parse_json, read_text

WAY_OUT = 'write {"messages": [{"role": "user", "content": "Hi"}, …], "tools": […], "options": {…}}'


@dataclass(frozen=True)
class ConversationFile:
    """What the file says, in the form in which templates take it."""

    messages: tuple[dict[str, Any], ...]
    tools: tuple[dict[str, Any], ...] | None = None
    options: Mapping[str, Any] = field(default_factory=dict)


def load_conversation(path: Path) -> ConversationFile:
    """Return the conversation of a file; what is no conversation is named with the message that is wrong."""
    shown = str(path)
    stored = parse_json(read_text(path, shown), shown)
    if isinstance(stored, list):
        stored = {"messages": stored}
    if not isinstance(stored, dict) or not isinstance(stored.get("messages"), list) or not stored["messages"]:
        raise failure(shown, "holds no messages", WAY_OUT)
    for number, message in enumerate(stored["messages"], 1):
        if not isinstance(message, dict) or not isinstance(message.get("role"), str):
            raise failure(shown, f"message {number} is no object with a role", WAY_OUT)
    tools, options = stored.get("tools"), stored.get("options") or {}
    if not isinstance(tools, list | None) or not isinstance(options, dict):
        raise failure(shown, "tools must be a list, and options an object", WAY_OUT)
    return ConversationFile(tuple(stored["messages"]), tuple(tools) if tools else None, options)
