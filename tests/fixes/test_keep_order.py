from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from trainplate.conversations import Conversation
from trainplate.rendering import CompiledTemplate

Propose = Callable[[str, str], list[Any]]
Compile = Callable[[str], CompiledTemplate]
Tell = Callable[[str], tuple[Conversation, ...]]
Say = Callable[..., str | None]

CASES = Path(__file__).parent / "cases" / "keep-order"
MOVING = [
    (CASES / name / "before.jinja").read_text("utf-8")
    for name in ("words-behind-results", "words-captured", "results-in-the-block-of-calls")
]


@pytest.fixture(params=range(len(MOVING)))
def moving(request: pytest.FixtureRequest) -> str:
    return MOVING[request.param]


def test_words_stay_where_they_were_printed_first(
    moving: str, propose: Propose, compile: Compile, tell: Tell, say: Say
) -> None:
    """Law: what a turn prints when it is the last begins what is printed when others follow it."""
    before, after = compile(moving), compile(propose("keep-order", moving)[0].source)
    moved = 0
    for conversation in tell(moving):
        whole = str(say(after, conversation))
        for turn in conversation.turns:
            said = str(say(after, conversation, turn + 1))
            assert whole.startswith(said)
            moved += not str(say(before, conversation)).startswith(str(say(before, conversation, turn + 1)))
    assert moved


def test_what_stands_behind_results_is_printed_there_once_more(
    moving: str, propose: Propose, compile: Compile, tell: Tell, say: Say
) -> None:
    before, after = compile(moving), compile(propose("keep-order", moving)[0].source)
    told = next(one for one in tell(moving) if one.name == "call-with-content")
    theirs, ours = str(say(before, told, 3)), str(say(after, told, 3))
    said = str(say(before, told, 2))
    assert not theirs.startswith(said)
    assert ours.startswith(said)
    assert theirs.endswith(ours[len(said) :])
    assert "Amber1" in ours[len(said) :]


def test_every_other_conversation_is_printed_as_before(
    moving: str, propose: Propose, compile: Compile, tell: Tell, say: Say
) -> None:
    before, after = compile(moving), compile(propose("keep-order", moving)[0].source)
    for conversation in tell(moving):
        if not any(message.get("tool_calls") and message.get("content") for message in conversation.messages):
            assert say(after, conversation) == say(before, conversation)


@pytest.mark.parametrize("source", MOVING[1:])
def test_results_that_a_message_brings_along_keep_its_words_behind_them(
    source: str, propose: Propose, compile: Compile
) -> None:
    before, after = compile(source), compile(propose("keep-order", source)[0].source)
    call = {"type": "function", "function": {"name": "get_weather", "arguments": {"city": "Oslo"}}}
    answer = {"role": "assistant", "content": "Mild.", "tool_calls": [call], "results": ["12 degrees"]}
    messages = [{"role": "user", "content": "Oslo?"}, answer]
    assert after.render(messages) == before.render(messages)
    assert before.render(messages).count("Mild.") == 1


def test_words_within_a_line_are_left_where_they_are(propose: Propose) -> None:
    source = (
        "{% for m in messages %}{% if m.role == 'assistant' %}<a>{% set ns = namespace(seen=false) %}"
        "{% if m.tool_calls %}<call>{% for later in messages[loop.index:] if later.role == 'tool' %}"
        "{% set ns.seen = true %}<r>{{ later.content }}</r>{% endfor %}{% endif %}"
        "{{ m.content }}{% if not ns.seen %}<r>{% endif %}"
        "{% elif m.role != 'tool' %}<u>{{ m.content }}{% endif %}{% endfor %}"
    )
    assert propose("keep-order", source) == []
