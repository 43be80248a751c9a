"""The named conversations, read from the files beside this one."""

import json
from functools import cache
from pathlib import Path

from trainplate.conversations.conversation import Conversation

FOLDER = Path(__file__).parent / "suite"


@cache
def suite() -> tuple[Conversation, ...]:
    """Return every named conversation, short ones first: the first that shows a fault is the easiest to read."""
    found = (read_conversation(path) for path in FOLDER.glob("*.json"))
    return tuple(sorted(found, key=lambda conversation: (len(conversation.messages), conversation.name)))


def named(name: str) -> Conversation:
    """Return the conversation of that name."""
    return _by_name()[name]


@cache
def _by_name() -> dict[str, Conversation]:
    return {conversation.name: conversation for conversation in suite()}


def read_conversation(path: Path) -> Conversation:
    """Read one conversation; its name is the file's name."""
    stored = json.loads(path.read_text(encoding="utf-8"))
    return Conversation(
        name=path.stem,
        messages=tuple(stored["messages"]),
        tools=tuple(stored["tools"]) if stored.get("tools") else None,
        why=stored.get("why", ""),
        needs=frozenset(stored.get("needs", ())),
    )
