"""Every report ends with what to do: commands that can be copied, the most urgent first."""

import shlex
from dataclasses import replace

import pytest
from handmade_audits import good_audit, hostile_audit, patched_audit, refused_audit

from trainplate.auditing import Problem, Severity
from trainplate.reports.next_steps import next_steps


def commands(audit, **where):
    """The commands of an audit's steps."""
    return [step.command for step in next_steps(audit, **where) if step.command]


@pytest.mark.parametrize("audit", [patched_audit(), good_audit(), refused_audit(), hostile_audit()])
def test_there_is_always_something_to_do(audit):
    assert [step.why for step in next_steps(audit)]


@pytest.mark.parametrize(
    ("source", "written"),
    [
        ("models/qwen", "chat_template_training.jinja"),
        ("trl:qwen3", "chat_template_training.jinja"),
        ("org/model", "chat_template_training.jinja"),
        ("a/b.jinja", "a/b_training.jinja"),
        ("tokenizer_config.json", "chat_template_training.jinja"),
    ],
)
def test_a_training_template_is_written_where_it_belongs(source, written):
    assert commands(patched_audit(source))[0] == f"trainplate patch {source} -o {written}"


def test_a_name_with_spaces_or_worse_is_one_word_of_the_command():
    name = "my models/x; rm -rf $HOME.jinja"
    assert shlex.split(commands(patched_audit(name))[0])[2] == name


def test_a_live_tokenizer_is_told_in_python():
    assert commands(patched_audit("<tokenizer>")) == [
        "tokenizer.chat_template = trainplate.patch(tokenizer).training_template"
    ]


def test_a_refusal_leads_to_the_law():
    assert commands(refused_audit())[0] == "trainplate explain same-turn"


def test_a_page_is_not_told_to_make_a_page():
    assert any("--html" in command for command in commands(patched_audit()))
    assert not any("--html" in command for command in commands(patched_audit(), on_page=True))


def test_warnings_are_to_be_read_and_ignored_ones_are_not():
    warning = Problem("clock", Severity.WARNING, "the date is printed", "pass a date")
    read = "read what else was found: patching changes no prompt, so these stay as they are"
    for problem, expected in ((warning, True), (replace(warning, ignored="we know"), False)):
        steps = next_steps(replace(patched_audit(), problems=(problem,)))
        assert (read in [step.why for step in steps]) is expected
