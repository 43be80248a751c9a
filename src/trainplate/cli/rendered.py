"""Which conversation to show a template with, and what the template makes of it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from trainplate.conversations import Conversation, arguments_as_json_text, as_parts
from trainplate.demo import demo_conversation
from trainplate.errors import Declined, LoadingError
from trainplate.loading.conversation_file import load_conversation
from trainplate.rendering import CompiledTemplate, Marked

WAY_OUT = "give a conversation that it takes: --conversation FILE"


def conversation_in(path: Path) -> Conversation:
    """Return the user's own conversation."""
    stored = load_conversation(path)
    return Conversation(path.stem, stored.messages, stored.tools, stored.options)


def known_conversations() -> Iterator[Conversation]:
    """Yield conversations from the richest to the plainest, and each in the forms that templates want."""
    for conversation in sailing():
        yield from (conversation, arguments_as_json_text(conversation), as_parts(conversation))


def sailing() -> tuple[Conversation, Conversation]:
    """Return the demo's conversation, with its tools and without."""
    messages, tools = demo_conversation()
    plain = Conversation("sailing, without tools", tuple(without_tools(messages)))
    return Conversation("sailing", tuple(messages), tuple(tools)), plain


def without_tools(messages: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the questions and the answers, in turn."""
    for message in messages:
        if message["content"] and message["role"] != "tool":
            yield message


def shown(template: CompiledTemplate, conversation: Conversation | None) -> Marked:
    """Render the given conversation, or the richest known one of which the template leaves out nothing."""
    if conversation is not None:
        return template.render_marked(conversation.messages, conversation.tools, **conversation.options)
    for known in known_conversations():
        try:
            marked = template.render_marked(known.messages, known.tools)
        except Declined:
            continue
        if all(text in marked.text for text in said(known)):
            return marked
    raise LoadingError(f"{template.name}: takes none of the conversations that are at hand\n    way out   {WAY_OUT}")


def said(conversation: Conversation) -> Iterator[str]:
    """Yield what must be found in a rendering: each content as text, and each argument."""
    for message in conversation.messages:
        content = message["content"]
        yield content if isinstance(content, str) else "".join(part["text"] for part in content)
        for call in message.get("tool_calls", ()):
            yield call["function"]["name"]
