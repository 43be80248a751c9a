"""A conversation grows turn by turn, and its forms say the same."""

import copy
import json

import pytest

from trainplate.conversations import (
    Conversation,
    Form,
    arguments_as_json_text,
    as_parts,
    given_arguments,
    named,
    spoken,
    suite,
    text_of,
    with_options,
    with_reasoning_key,
    words,
)


@pytest.fixture(params=suite(), ids=lambda conversation: conversation.name)
def conversation(request: pytest.FixtureRequest) -> Conversation:
    asked: Conversation = request.param
    return asked


def test_each_growth_adds_one_answer_to_what_asks_for_it(conversation: Conversation) -> None:
    grown = list(conversation.growths())
    assert len(grown) == len(conversation.turns)
    for asking, answered in grown:
        assert answered[:-1] == asking
        assert answered[-1]["role"] == "assistant"
        assert conversation.messages[: len(answered)] == answered


def test_parts_hold_the_same_text(conversation: Conversation) -> None:
    parted = as_parts(conversation)
    assert [text_of(m.get("content")) for m in parted.messages] == [
        text_of(m.get("content")) for m in conversation.messages
    ]
    assert not any(isinstance(message.get("content"), str) for message in parted.messages)
    assert as_parts(parted) == parted


def test_arguments_as_json_text_hold_the_same_values(conversation: Conversation) -> None:
    texts = list(given_arguments(arguments_as_json_text(conversation).messages))
    assert [json.loads(text) for text in texts] == list(given_arguments(conversation.messages))
    assert all(text.isascii() or "\\u" not in text for text in texts)


def test_json_text_stays_as_it_is_when_asked_for_twice(conversation: Conversation) -> None:
    once = arguments_as_json_text(conversation)
    assert arguments_as_json_text(once) == once


def test_reasoning_goes_under_the_other_key_alone(conversation: Conversation) -> None:
    renamed = with_reasoning_key(conversation, "thinking")
    assert not any("reasoning_content" in message for message in renamed.messages)
    assert with_reasoning_key(renamed, "reasoning_content") == conversation


def test_no_form_changes_the_conversation_that_it_is_made_of(conversation: Conversation) -> None:
    before = copy.deepcopy(conversation.messages)
    Form("parts", "text", "thinking").of(with_options(conversation, enable_thinking=False))
    assert conversation.messages == before


def test_label_names_the_options_and_the_form_of_arguments() -> None:
    call = named("call")
    assert call.label == "call"
    assert with_options(call, enable_thinking=False).label == "call [enable_thinking=False]"
    assert arguments_as_json_text(call).label == "call [arguments as JSON text]"


def test_options_are_added_to_those_there_are() -> None:
    both = with_options(with_options(named("call"), first=1), second=2)
    assert dict(both.options) == {"first": 1, "second": 2}


def test_spoken_is_the_first_word_of_the_content_alone() -> None:
    message = {"role": "assistant", "reasoning_content": "Ruby1", "content": "so Amber1 and Amber2"}
    assert spoken(message) == "Amber1"
    assert words(message) == ("Ruby1", "Amber1", "Amber2")
    assert spoken({"role": "assistant"}) == ""


def test_conversation_can_be_a_key() -> None:
    assert {conversation: conversation.name for conversation in suite()}[named("call")] == "call"
