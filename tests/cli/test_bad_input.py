"""Bad input ends in one clear message and an exit code, never in a traceback or half a file."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from trainplate.cli.app import run

GOOD = (
    "{% for m in messages %}{{ '<' + m.role + '>' + m.content + '</s>' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<assistant>' }}{% endif %}"
)
BAD = {
    "no template": ("t.jinja", "Dear reader", 2, "t.jinja:1: no {{ }} and no {% %}"),
    "empty": ("t.jinja", "", 2, "t.jinja:1: empty"),
    "an open tag": ("t.jinja", "{{ a }}\n{% for m in messages %}", 2, "t.jinja:"),
    "an unknown tag": ("t.jinja", "{{ a }}\n{% loop %}", 2, "t.jinja:2:"),
    "always raises": ("t.jinja", "{{ raise_exception('never') }}", 1, "t.jinja "),
    "broken JSON": ("tokenizer_config.json", "{", 2, "tokenizer_config.json:1:2: not JSON"),
    "not UTF-8": ("t.jinja", b"{{ a }}\n\xff", 2, "t.jinja:2: byte 8 (0xff) is not UTF-8"),
    "nested beyond all bounds": ("t.jinja", "{{ " + "(" * 5000 + "1" + ")" * 5000 + " }}", 2, "t.jinja:"),
    "calls itself": ("t.jinja", "{% macro a() %}{{ a() }}{% endmacro %}{{ a() }}", 1, "t.jinja"),
    "prints nothing that was said": ("t.jinja", "{{ 'always the same' }}", 1, "t.jinja "),
}


def check_message(err, expected, tmp_path):
    assert f"{tmp_path}/{expected}" in " ".join(err.split())
    assert "Traceback" not in err
    assert "a fault of trainplate itself" not in err


@pytest.mark.parametrize("command", ["patch", "diff", "show"])
@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_message_with_file_line_and_way_out(tmp_path, capsys, name, command):
    file, text, code, expected = BAD[name]
    (tmp_path / file).write_bytes(text if isinstance(text, bytes) else text.encode())
    assert run([command, str(tmp_path / file)]) == code
    printed = capsys.readouterr()
    check_message(printed.err, expected, tmp_path)
    assert printed.out == ""
    assert "way out" in printed.err


@pytest.mark.parametrize("name", BAD)
def test_nothing_is_written_for_bad_input(tmp_path, name):
    file, text, code, _ = BAD[name]
    (tmp_path / file).write_bytes(text if isinstance(text, bytes) else text.encode())
    (tmp_path / "out.jinja").write_text("old")
    assert run(["patch", str(tmp_path / file), "-o", str(tmp_path / "out.jinja")]) == code
    assert {path.name for path in tmp_path.iterdir()} == {file, "out.jinja"}
    assert (tmp_path / "out.jinja").read_text() == "old"


def test_one_bad_template_among_named_ones_does_not_stop_the_others(tmp_path, capsys):
    entry = {"chat_template": {"default": "{% loop %}", "tool_use": GOOD}}
    (tmp_path / "chat_template.json").write_text(json.dumps(entry))
    assert run(["patch", str(tmp_path), "--diff"]) == 2
    printed = capsys.readouterr()
    assert "[default]:1:" in printed.err
    assert "[tool_use]" in printed.err
    assert "generation" in printed.out


def test_an_output_that_cannot_be_written_is_one_message(tmp_path, capsys):
    (tmp_path / "t.jinja").write_text(GOOD)
    assert run(["patch", str(tmp_path / "t.jinja"), "-o", str(tmp_path / "missing" / "out.jinja")]) == 2
    assert "missing/out.jinja: cannot be written: No such file or directory" in " ".join(
        capsys.readouterr().err.split()
    )


@pytest.mark.parametrize("arguments", [["nonsense"], ["patch"], ["patch", "a", "b"], ["show", "--nonsense"]])
def test_wrong_usage_exits_with_2(arguments, capsys):
    assert run(arguments) == 2
    assert "Usage" in capsys.readouterr().err


def test_a_fault_of_our_own_is_one_message_too(monkeypatch, capsys):
    def broken(source):
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr("trainplate.cli.outcomes.load", broken)
    assert run(["diff", "t.jinja"]) == 2
    assert "a fault of trainplate itself: ZeroDivisionError: division by zero" in capsys.readouterr().err


def test_a_terminal_that_knows_no_brackets_is_served(tmp_path):
    (tmp_path / "t.jinja").write_text(GOOD)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "src"), "PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-c", "from trainplate.cli import main; main()", "show", str(tmp_path / "t.jinja")]
    result = subprocess.run(command, check=True, capture_output=True, env=environment)
    assert rb"\u27e6Half an hour later.</s>\u27e7" in result.stdout
