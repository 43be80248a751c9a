from collections.abc import Callable
from dataclasses import replace
from typing import Any

from trainplate.conversations import Conversation, text_of
from trainplate.rendering import CompiledTemplate, Handling

Propose = Callable[[str, str], list[Any]]
Compile = Callable[[str], CompiledTemplate]
Tell = Callable[[str], tuple[Conversation, ...]]
Say = Callable[..., str | None]


def silent(one: Conversation, **content: str | None) -> Conversation:
    """Return the conversation with this content, or none, in each message that calls tools and says nothing."""
    messages = [
        {**{key: value for key, value in message.items() if key != "content"}, **content}
        if message.get("tool_calls") and not text_of(message.get("content"))
        else message
        for message in one.messages
    ]
    return replace(one, messages=tuple(messages))


def test_content_may_be_missing_where_it_may_be_empty(
    original: str, tell: Tell, compile: Compile, propose: Propose, say: Say
) -> None:
    for proposal in propose("missing-content", original):
        before, after = compile(original), compile(proposal.source)
        asks_for_null = "default(none)" in proposal.source
        keeping = replace(before, handling=Handling(none_dropped=False))
        for one in tell(original):
            wanted = say(keeping, silent(one, content=None)) if asks_for_null else say(before, silent(one, content=""))
            if wanted is not None:
                assert say(after, silent(one)) == wanted, one.name
            assert say(after, one) == (say(before, one) or say(after, one)), one.name
