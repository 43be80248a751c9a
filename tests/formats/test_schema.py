"""A file is validated before it is a format; every error names the file and the key."""

import json

import pytest

from trainplate.errors import LoadingError
from trainplate.formats import FormatError, format_from_json, format_from_toml, format_to_json, load_format

GOOD = {
    "version": 2,
    "name": "Minimal",
    "stops": ["</s>"],
    "parts": {"user": "<u>{content}", "assistant": "<a>{content}</s>"},
}


def faulty(**changes):
    parts = {**GOOD["parts"], **changes.pop("parts", {})}
    return {**GOOD, **changes, "parts": {name: text for name, text in parts.items() if text is not None}}


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (faulty(stop=["x"]), "stop: no such key\n    way out   perhaps stops is meant"),
        (faulty(parts={"usr": "x{content}"}), "parts.usr: no such key\n    way out   perhaps user is meant"),
        (faulty(parts={"user": None}), "parts.user: is missing"),
        (faulty(parts={"user": 7}), "parts.user: must be a text, but is 7"),
        (faulty(parts={"user": "no place"}), "parts.user: has {content} 0 times"),
        (faulty(parts={"user": "{content}{content}"}), "parts.user: has {content} 2 times"),
        (faulty(parts={"user": "{content}{tools}"}), "parts.user: cannot see {tools}"),
        (faulty(parts={"assistant": "<a>{content}"}), "parts.assistant: ends with '', in which none of stops is found"),
        (faulty(parts={"assistant": "<{name}>{content}</s>"}), "parts.assistant: sees {role} or {name}"),
        (faulty(parts={"call": "<{content}>"}), "parts.call: nowhere says {name}"),
        (faulty(parts={"calls": "<{content}>"}), "parts.call: is missing, though parts.calls stands around it"),
        (faulty(parts={"tools": "<{content}>"}), "parts.system: is missing, though tools stand inside it"),
        (faulty(stops=[]), "stops: names nothing that ends a turn"),
        (faulty(stops="</s>"), "stops: must be a list of texts, but is '</s>'"),
        (faulty(name=""), "name: must be a text, but is ''"),
        (faulty(separator="{content}"), "separator: cannot see {content}"),
        (faulty(start="{role}"), "start: cannot see {role}"),
        (faulty(tools_in="end"), "tools_in: must be one of system, start"),
        (faulty(special_tokens={"eos": "</s>"}), "special_tokens.eos: must be a text under a name such as eos_token"),
        (faulty(special_tokens=[]), "special_tokens: must be a table, but is []"),
        (
            faulty(version=3),
            "version: must be a number from 1 to 2, but is 3\n    way out   install a newer trainplate",
        ),
        (faulty(version="2"), "version: must be a number from 1 to 2, but is '2'"),
    ],
)
def test_a_fault_names_the_file_the_key_and_the_way_out(values, message):
    with pytest.raises(FormatError) as caught:
        format_from_json(json.dumps(values), "mine.json")
    assert str(caught.value).startswith(f"mine.json: {message}")
    assert "\n    way out   " in str(caught.value)


def test_a_format_without_faults_is_read_from_toml_and_json(tmp_path):
    read = format_from_json(json.dumps(GOOD))
    (tmp_path / "mine.json").write_text(format_to_json(read))
    (tmp_path / "mine.toml").write_text(
        'version = 2\nname = "Minimal"\nstops = ["</s>"]\n[parts]\nuser = "<u>{content}"\n'
        'assistant = "<a>{content}</s>"\n'
    )
    assert load_format(tmp_path / "mine.json") == load_format(str(tmp_path / "mine.toml")) == read


@pytest.mark.parametrize("text", ["[]", '"text"', "7"])
def test_json_that_is_no_object_is_no_format(text):
    with pytest.raises(FormatError, match=r"mine\.json: version: is missing"):
        format_from_json(text, "mine.json")


def test_broken_files_are_named_with_the_place():
    with pytest.raises(FormatError, match=r"mine\.toml: not TOML: .*line 2"):
        format_from_toml("version = 2\nname = \n", "mine.toml")
    with pytest.raises(LoadingError, match=r"mine\.json:1:2: not JSON"):
        format_from_json("{", "mine.json")


def test_an_unknown_name_is_answered_with_the_known_ones():
    with pytest.raises(FormatError, match=r"nothing: is neither .*\n.*alpaca, chatml, command_r, llama3, mistral"):
        load_format("nothing")
    with pytest.raises(LoadingError, match=r"missing\.toml: no such file"):
        load_format("missing.toml")
