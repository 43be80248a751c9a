"""The named conversations are well formed, tell their words apart, and say why they exist."""

import json
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest

from trainplate.conversations import FEATURES, Conversation, features_of, named, read_conversation, spoken, suite, words
from trainplate.conversations.suite_files import FOLDER

FILES = sorted(FOLDER.glob("*.json"))
KEYS = {
    "system": {"role", "content"},
    "developer": {"role", "content"},
    "user": {"role", "content"},
    "assistant": {"role", "content", "reasoning_content", "tool_calls"},
    "tool": {"role", "name", "tool_call_id", "content"},
}
SPEAKERS = {
    "system": "Slate",
    "developer": "Diorite",
    "user": "Umber",
    "assistant": "Amber",
    "tool": "Topaz",
}


@pytest.fixture(params=FILES, ids=lambda path: path.stem)
def stored(request: pytest.FixtureRequest) -> dict[str, Any]:
    held: dict[str, Any] = json.loads(request.param.read_text(encoding="utf-8"))
    return held


@pytest.fixture(params=suite(), ids=lambda conversation: conversation.name)
def conversation(request: pytest.FixtureRequest) -> Conversation:
    asked: Conversation = request.param
    return asked


def test_file_holds_these_four_keys_and_says_why(stored: dict[str, Any]) -> None:
    assert list(stored) == ["why", "needs", "tools", "messages"]
    assert stored["why"].endswith(".")
    assert stored["messages"]
    assert stored["tools"] is None or stored["tools"]


def test_message_has_the_keys_of_its_role(stored: dict[str, Any]) -> None:
    for message in stored["messages"]:
        assert set(message) <= KEYS[message["role"]]
        assert message["role"] == "assistant" or "content" in message
        assert isinstance(message.get("reasoning_content", ""), str)
        assert_is_content(message.get("content"))


def assert_is_content(content: Any) -> None:
    if not isinstance(content, list):
        assert content is None or isinstance(content, str)
        return
    for part in content:
        assert part == {"type": "image"} or (set(part) == {"type", "text"} and part["type"] == "text")


def test_tool_is_described_as_a_json_schema(stored: dict[str, Any]) -> None:
    for tool in stored["tools"] or ():
        assert set(tool) == {"type", "function"}
        assert tool["type"] == "function"
        function = tool["function"]
        assert set(function) == {"name", "description", "parameters"}
        assert function["parameters"]["type"] == "object"
        assert set(function["parameters"]["required"]) <= set(function["parameters"]["properties"])


def test_every_result_answers_a_call_and_carries_its_tool_name(stored: dict[str, Any]) -> None:
    called: dict[str, str] = {}
    for message in stored["messages"]:
        for call in message.get("tool_calls", ()):
            assert set(call) == {"id", "type", "function"}
            assert set(call["function"]) == {"name", "arguments"}
            assert isinstance(call["function"]["arguments"], dict)
            assert len(call["id"]) == 9
            assert call["id"].isalnum()
            assert call["id"] not in called
            called[call["id"]] = call["function"]["name"]
        if message["role"] == "tool":
            assert called[message["tool_call_id"]] == message["name"]


def test_called_tool_is_among_those_offered(conversation: Conversation) -> None:
    offered = {tool["function"]["name"] for tool in conversation.tools or ()}
    called = {call["function"]["name"] for message in conversation.messages for call in message.get("tool_calls") or ()}
    assert called <= offered or not offered


def test_no_word_is_said_twice_or_stands_within_another(conversation: Conversation) -> None:
    said = [word for message in conversation.messages for word in words(message)]
    assert len(said) == len(set(said))
    assert not [pair for pair in combinations(said, 2) if pair[0] in pair[1] or pair[1] in pair[0]]
    text = json.dumps(conversation.messages, ensure_ascii=False)
    assert all(text.count(word) == 1 for word in said)


def test_every_text_holds_a_word_of_its_speaker(conversation: Conversation) -> None:
    for message in conversation.messages:
        if message.get("content"):
            assert any(word.startswith(SPEAKERS[message["role"]]) for word in words(message["content"]))
            assert spoken(message)
        if message.get("reasoning_content"):
            assert words(message["reasoning_content"])[0].startswith("Ruby")


def test_needs_are_the_features_in_use(conversation: Conversation) -> None:
    assert conversation.needs == features_of(conversation.messages, conversation.tools)
    assert conversation.needs <= set(FEATURES)


def test_every_feature_is_probed_by_a_conversation_that_has_its_words() -> None:
    for feature in FEATURES.values():
        assert feature.expected(named(feature.probe))


def test_short_conversations_come_first() -> None:
    lengths = [len(conversation.messages) for conversation in suite()]
    assert lengths == sorted(lengths)


def test_suite_is_read_once_and_whole() -> None:
    assert suite() is suite()
    assert {conversation.name for conversation in suite()} == {path.stem for path in FILES}
    assert read_conversation(FILES[0]) == named(FILES[0].stem)


def roles(conversation: Conversation) -> str:
    return "".join(message["role"][0] for message in conversation.messages)


def kinds() -> Iterator[str]:
    for conversation in suite():
        yield roles(conversation)


@pytest.mark.parametrize(
    "shape", ["ua", "uaua", "sua", "uaa", "au", "uu", "uata", "uatata", "uatu", "uatauata", "uattta"]
)
def test_suite_has_conversations_of_this_shape(shape: str) -> None:
    assert any(shape in kind for kind in kinds())
