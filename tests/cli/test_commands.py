"""Each command does what it says, and its exit code says what came of it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from trainplate.cli.app import run
from trainplate.demo import FOLDER

DEMO = str(FOLDER / "chat_template.jinja")
REFUSED = "{% for m in messages %}{{ range(100) | random }}{{ m.content }}{% endfor %}"
PLAIN = (
    "{% for m in messages %}{{ '<' + m.role + '>' + m.content + '</s>' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<assistant>' }}{% endif %}"
)


@pytest.fixture
def trainplate(capsys, monkeypatch):
    """Run a command without colour, and return its exit code and what it printed where."""
    monkeypatch.setenv("COLUMNS", "80")

    def ran(*arguments):
        code = run([str(argument) for argument in arguments])
        return code, *capsys.readouterr()

    return ran


@pytest.fixture
def named(tmp_path):
    """A source with two named templates."""
    entry = {"chat_template": {"default": PLAIN, "tool_use": PLAIN.replace("</s>", "</t>")}}
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(entry))
    return tmp_path / "tokenizer_config.json"


def test_demo_shows_findings_difference_and_trained_text(trainplate):
    code, out, err = trainplate("demo")
    assert (code, err) == (0, "")
    assert "reasoning-kept" in out
    assert "\n+" in out
    assert "⟦<think>6.4 m is plenty.</think>\nYes, at ten past nine.<|end|>" in out
    assert " of them trained" in out


def test_demo_touches_no_network(trainplate, monkeypatch):
    monkeypatch.setattr("socket.socket", lambda *_: pytest.fail("opened a socket"))
    monkeypatch.setattr("socket.getaddrinfo", lambda *_: pytest.fail("asked for an address"))
    assert trainplate("demo")[0] == 0


def test_patch_prints_the_training_template_alone(trainplate):
    code, out, err = trainplate("patch", DEMO)
    assert code == 0
    assert "generation" in out
    assert err.startswith(f"{DEMO}  ")
    assert "proof: " in err


def test_patch_writes_the_file_it_is_given(trainplate, tmp_path):
    code, out, err = trainplate("patch", DEMO, "-o", tmp_path / "t.jinja")
    assert (code, out) == (0, "")
    assert f"written to     {tmp_path}/t.jinja" in err
    assert (tmp_path / "t.jinja").read_text() == trainplate("patch", DEMO)[1]


def test_patching_a_patched_file_changes_nothing(trainplate, tmp_path):
    trainplate("patch", DEMO, "-o", tmp_path / "t.jinja")
    code, out, err = trainplate("patch", tmp_path / "t.jinja", "--diff")
    assert (code, out) == (0, "")
    assert "nothing to change" in " ".join(err.split())


def test_strip_takes_the_markers_out_again(trainplate, tmp_path):
    trainplate("patch", DEMO, "-o", tmp_path / "t.jinja")
    code, out, err = trainplate("patch", "--strip", tmp_path / "t.jinja")
    assert code == 0
    assert "generation %}" not in out
    assert "it prints the same" in err
    code, out, err = trainplate("patch", "--strip", tmp_path / "t.jinja", "-o", tmp_path / "served.jinja")
    assert (code, out) == (0, "")
    shown = [trainplate("show", tmp_path / name, "--original")[1] for name in ("t.jinja", "served.jinja")]
    assert shown[1] == shown[0].replace("⟦", "").replace("⟧", "")
    assert "\n-" in trainplate("patch", "--strip", tmp_path / "t.jinja", "--diff")[1]


def test_strip_leaves_a_template_without_markers_as_it_is(trainplate, tmp_path):
    (tmp_path / "t.jinja").write_bytes(PLAIN.encode() + b"\r\n")
    code, _, err = trainplate("patch", "--strip", tmp_path / "t.jinja", "-o", tmp_path / "u.jinja")
    assert code == 0
    assert "no markers to take out" in " ".join(err.split())
    assert (tmp_path / "u.jinja").read_bytes() == (tmp_path / "t.jinja").read_bytes()


def test_strip_of_what_is_no_template_shows_the_place(trainplate, tmp_path):
    (tmp_path / "t.jinja").write_text("{% generation %}{{ messages }}\n{% endfor %}")
    code, out, err = trainplate("patch", "--strip", tmp_path / "t.jinja")
    assert (code, out) == (2, "")
    assert f"{tmp_path}/t.jinja:2:" in err


def test_diff_prints_what_patch_prints_with_diff(trainplate):
    assert trainplate("diff", DEMO)[1] == trainplate("patch", DEMO, "--diff")[1] != ""


def test_each_named_template_is_patched_and_named(trainplate, named):
    code, out, err = trainplate("diff", named)
    assert code == 0
    assert f"{named}#chat_template[default]" in err
    assert f"{named}#chat_template[tool_use]" in err
    assert out.count("\n+++ ") == 2


def test_named_templates_are_written_where_transformers_looks_for_them(trainplate, named, tmp_path):
    assert trainplate("patch", named, "-o", tmp_path / "chat_template.jinja")[0] == 0
    assert "</s>" in (tmp_path / "chat_template.jinja").read_text()
    assert "</t>" in (tmp_path / "additional_chat_templates" / "tool_use.jinja").read_text()


def test_a_name_that_leads_elsewhere_is_not_written(trainplate, tmp_path):
    (tmp_path / "chat_template.json").write_text(json.dumps({"chat_template": {"../../t": PLAIN}}))
    code, _, err = trainplate("patch", tmp_path / "chat_template.json", "-o", tmp_path / "out.jinja")
    assert code == 2
    assert "its name cannot be a file's" in err
    assert [path.name for path in tmp_path.iterdir()] == ["chat_template.json"]


def test_show_puts_trained_text_in_brackets(trainplate, tmp_path):
    (tmp_path / "t.jinja").write_text(PLAIN)
    conversation = tmp_path / "c.json"
    conversation.write_text(json.dumps([{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Yes"}]))
    code, out, _ = trainplate("show", tmp_path / "t.jinja", "--conversation", conversation)
    assert (code, out) == (0, "<user>Hi</s><assistant>⟦Yes</s>⟧\n")
    code, out, _ = trainplate("show", tmp_path / "t.jinja", "--conversation", conversation, "--original")
    assert (code, out) == (0, "<user>Hi</s><assistant>Yes</s>\n")


def test_show_finds_a_conversation_that_the_template_takes(trainplate, tmp_path):
    (tmp_path / "t.jinja").write_text(PLAIN)
    code, out, _ = trainplate("show", tmp_path / "t.jinja")
    assert code == 0
    assert "<user>And tomorrow?</s><assistant>⟦Half an hour later.</s>⟧" in out


def test_show_says_why_a_conversation_is_declined(trainplate, tmp_path):
    (tmp_path / "t.jinja").write_text(PLAIN + "{% if tools %}{{ raise_exception('no tools, please') }}{% endif %}")
    conversation = tmp_path / "c.json"
    conversation.write_text('{"messages": [{"role": "user", "content": "Hi"}], "tools": [{}]}')
    code, out, err = trainplate("show", tmp_path / "t.jinja", "--conversation", conversation, "--original")
    assert (code, out) == (1, "")
    assert "declines the conversation: no tools, please" in err


def test_explain_lists_checks_and_explains_one(trainplate):
    code, listed, _ = trainplate("explain")
    assert code == 0
    assert "prefix-preserved" in listed
    assert max(map(len, listed.splitlines())) <= 80
    code, one, _ = trainplate("explain", "prefix_preserved")
    assert code == 0
    assert one.startswith("prefix-preserved\n\n")
    code, one, _ = trainplate("explain", "control-tokens-in-content")
    assert code == 0
    assert one.startswith("control-tokens-in-content (note)\n\n")
    assert "What to do: " in one
    assert max(map(len, one.splitlines())) <= 80
    code, _, err = trainplate("explain", "prefix")
    assert code == 2
    assert "one of: " in err


def test_version_is_printed(trainplate):
    code, out, _ = trainplate("--version")
    assert code == 0
    assert out.startswith("trainplate")


def test_no_colour_reaches_a_pipe_or_a_terminal_with_no_color():
    code = "from trainplate.cli import main; main()"
    for extra in ({}, {"FORCE_COLOR": "1", "NO_COLOR": "1"}):
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "src"), **extra}
        command = [sys.executable, "-c", code, "show", DEMO]
        result = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
        assert "\x1b" not in result.stdout
        assert "⟦" in result.stdout


def test_colour_takes_the_place_of_brackets(trainplate, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    _, out, _ = trainplate("show", DEMO)
    assert "\x1b[1;32m" in out
    assert "⟦" not in out
