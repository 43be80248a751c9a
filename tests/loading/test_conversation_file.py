"""A user's own conversation is read, or what is wrong with it is said."""

import json

import pytest

from trainplate.errors import LoadingError
from trainplate.loading.conversation_file import load_conversation

MESSAGES = [{"role": "user", "content": "Hi"}]


def stored(tmp_path, value):
    path = tmp_path / "conversation.json"
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return path


def test_a_list_is_the_messages(tmp_path):
    assert load_conversation(stored(tmp_path, MESSAGES)).messages == tuple(MESSAGES)


def test_an_object_may_have_tools_and_options(tmp_path):
    value = {"messages": MESSAGES, "tools": [{"type": "function"}], "options": {"enable_thinking": False}}
    read = load_conversation(stored(tmp_path, value))
    assert (read.tools, read.options) == (({"type": "function"},), {"enable_thinking": False})


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("{", r"conversation\.json:1:2: not JSON"),
        ([], "holds no messages"),
        ({"messages": "Hi"}, "holds no messages"),
        ([*MESSAGES, {"content": "Hi"}], "message 2 is no object with a role"),
        (["Hi"], "message 1 is no object with a role"),
        ({"messages": MESSAGES, "tools": {}}, "tools must be a list"),
    ],
)
def test_what_is_no_conversation_is_named_with_the_way_out(tmp_path, value, expected):
    with pytest.raises(LoadingError, match=f"{expected}(.|\n)*way out"):
        load_conversation(stored(tmp_path, value))


def test_a_file_of_several_conversations_is_told_from_broken_json(tmp_path):
    path = tmp_path / "told.jsonl"
    path.write_text('[{"role": "user", "content": "a"}]\n[{"role": "user", "content": "b"}]\n')
    with pytest.raises(LoadingError, match=r"told\.jsonl:2:1: more stands behind the end of the JSON"):
        load_conversation(path)
