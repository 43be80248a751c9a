"""Messages reach a template as transformers hands them over, and the caller's own stay as they are."""

import copy
from dataclasses import dataclass
from types import MappingProxyType

import pytest

from trainplate.rendering import Handling, as_transformers_does, compile_template
from trainplate.rendering.messages import plain_data

MESSAGES = [
    {"role": "user", "content": "What is it?"},
    {"role": "assistant", "content": None, "tool_calls": None, "reasoning": "Look."},
    {"role": "assistant", "thinking": "Look.", "content": "It is sunny.", "name": None},
    {"role": "assistant", "reasoning_content": "", "thinking": "Think.", "content": "Rain."},
    {"role": "assistant", "reasoning_content": None, "thinking": None, "reasoning": None, "content": ""},
    {"role": "assistant", "reasoning": {"steps": [1]}, "content": [{"type": "text", "text": None}]},
]


def test_nothing_given_is_changed():
    before = copy.deepcopy(MESSAGES)
    as_transformers_does(MESSAGES)
    assert before == MESSAGES


def transformers_with(name):
    """The functions of transformers by which it changes messages; older releases change none."""
    theirs = pytest.importorskip("transformers.utils.chat_template_utils")
    return theirs if hasattr(theirs, name) else pytest.skip("this release of transformers leaves messages as they are")


def test_a_message_that_needs_no_change_is_not_copied():
    assert as_transformers_does(MESSAGES)[0] is MESSAGES[0]


def test_messages_are_those_of_transformers_in_the_order_of_its_keys():
    theirs = transformers_with("_normalize_chat_messages")
    expected = theirs._alias_reasoning_fields(theirs._normalize_chat_messages(MESSAGES))
    assert [list(message.items()) for message in as_transformers_does(MESSAGES)] == [
        list(message.items()) for message in expected
    ]


def test_both_changes_can_be_switched_off_as_older_releases_make_neither():
    assert as_transformers_does(MESSAGES, none_dropped=False, reasoning_aliased=False) == MESSAGES
    source = "{{ messages[1].content }}|{{ messages[1].reasoning_content }}"
    assert compile_template(source).render(MESSAGES) == "|Look."
    assert compile_template(source, handling=Handling(False, False)).render(MESSAGES) == "None|"


def test_any_mapping_is_a_message_and_nothing_else_is():
    assert as_transformers_does([MappingProxyType(MESSAGES[0])]) == MESSAGES[:1]
    with pytest.raises(TypeError, match="'hello'"):
        as_transformers_does(["hello"])


class Word(str):
    def write(self):
        raise AssertionError("a template reached a method of its caller's")


@dataclass
class Call:
    name: Word
    arguments: tuple


def test_objects_are_rebuilt_from_plain_types():
    numpy = pytest.importorskip("numpy")
    given = {
        "call": Call(Word("look"), (1, True, None)),
        "flag": numpy.bool_(False),
        "image": numpy.zeros(3),
        Word("a"): 2.5,
        "type": Call,
    }
    theirs = transformers_with("_plain_template_data")
    assert plain_data(given) == theirs._plain_template_data(given)
    assert type(plain_data(given)["call"]["name"]) is str
