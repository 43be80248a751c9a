"""Whatever cannot be a source gets one message: the file, the line, and the way out."""

import os
import re

import pytest

from trainplate.errors import LoadingError
from trainplate.loading.source import load

BAD = {
    "no template in it": ("t.jinja", b"Dear reader,\n", r"t\.jinja:1: no \{\{ \}\} and no \{% %\}"),
    "empty": ("t.jinja", b" \n", r"t\.jinja:1: empty"),
    "Latin-1": ("t.jinja", b"{{ a }}\n\n{{ '\xe9' }}", r"t\.jinja:3: byte 13 \(0xe9\) is not UTF-8"),
    "UTF-16": ("t.jinja", "{{ a }}".encode("utf-16"), r"t\.jinja:1: byte 0 .* it looks like UTF-16"),
    "weights": ("t.gguf", b"GGUF\x03\0\0\0\xff", r"t\.gguf: a GGUF file"),
    "too big": ("t.jinja", b"{{ a }}" + bytes(64 * 2**20), r"t\.jinja: more than 64 MB"),
    "broken JSON": ("tokenizer_config.json", b'{\n "a": 1,\n}', r"tokenizer_config\.json:[23]:\d+: not JSON"),
    "a byte order mark": (
        "tokenizer_config.json",
        b"\xef\xbb\xbf{}",
        r"tokenizer_config\.json:1:1: not JSON: it begins with a byte order mark\n    way out   save it as",
    ),
    "deep JSON": (
        "chat_template.json",
        b"[" * 100_000,
        r"chat_template\.json: JSON that cannot be read: nested too deep",
    ),
    "a JSON list": ("chat_template.json", b"[]", r"chat_template\.json:1: expected a JSON object, found a list"),
    "no chat_template": ("tokenizer_config.json", b"{}", r"tokenizer_config\.json: has no chat_template"),
    "a number": ("chat_template.json", b'{"chat_template": 3}', r"found int"),
    "no names": ("chat_template.json", b'{"chat_template": {}}', r"found nothing"),
    "a nameless item": ("chat_template.json", b'{"chat_template": [{"name": "a"}]}', r"item 1 lacks"),
    "a named number": (
        "chat_template.json",
        b'{"chat_template": {"a": 3}}',
        r"chat_template\[a\]: expected .* found int",
    ),
    "half a character": (
        "chat_template.json",
        rb'{"chat_template": "{{ a }}\n\ud800"}',
        r"chat_template:2: half a surr",
    ),
}


def message_of(source):
    with pytest.raises(LoadingError) as caught:
        load(source)
    return str(caught.value)


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_named_with_its_line_and_the_way_out(tmp_path, name):
    file, data, expected = BAD[name]
    (tmp_path / file).write_bytes(data)
    message = message_of(tmp_path / file)
    assert re.search(expected, message)
    assert message.startswith(str(tmp_path))
    assert "\n    way out   " in message


@pytest.mark.parametrize("source", ["missing.jinja", "./missing", "/missing", "a/b/c", "missing/tokenizer_config.json"])
def test_a_missing_file_is_not_looked_for_on_the_hub(source, monkeypatch):
    monkeypatch.setattr("trainplate.loading.source.load_from_hub", lambda model: pytest.fail("asked the Hub"))
    assert message_of(source).startswith(f"{source}: no such file")


def test_a_folder_without_a_template_says_what_was_looked_for(tmp_path):
    (tmp_path / "tokenizer_config.json").write_text("{}")
    assert message_of(tmp_path).startswith(f"{tmp_path}: no chat template: neither chat_template.jinja nor")


def test_a_folder_of_other_templates_tells_to_name_one(tmp_path):
    (tmp_path / "my chat.jinja").write_text("{{ messages }}")
    assert message_of(tmp_path).endswith(f"way out   name one of the templates in it: '{tmp_path}/my chat.jinja'")


def test_a_command_in_a_way_out_is_one_that_a_shell_takes(tmp_path):
    (tmp_path / "my chat.jinja").write_bytes(b"\xff")
    assert f"-t UTF-8 '{tmp_path}/my chat.jinja' > utf8.jinja" in message_of(tmp_path / "my chat.jinja")


def test_an_unknown_name_in_trl_is_answered_with_the_known_ones():
    pytest.importorskip("trl", reason="needs the extra trl")
    assert re.search(
        r"trl:nothing: no such template .*\n    way out   name one of: .*qwen3, ", message_of("trl:nothing")
    )


def test_trl_is_named_where_it_is_not_installed(monkeypatch):
    monkeypatch.setattr("trainplate.loading.trl_package.find_spec", lambda name: None)
    assert "pip install 'trainplate[trl]'" in message_of("trl:qwen3")


@pytest.mark.parametrize("source", ["", "  ", "a\0b", "x" * 10_000, os.devnull])
def test_what_can_be_no_source_is_a_message_and_no_crash(source):
    assert "way out" in message_of(source)


def test_an_unreadable_file_is_named(tmp_path, monkeypatch):
    path = tmp_path / "t.jinja"
    path.write_text("{{ a }}")

    def closed(*args, **kwargs):  # as to anybody but root, to whom everything is readable
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(type(path), "open", closed)
    assert message_of(path).startswith(f"{path}: cannot be read: Permission denied\n    way out")
