"""The terminal's report says the verdict first and what to do last, fits its width, and shows colour only as style.

The texts in `audit_texts` are reports as a terminal of 80 columns shows them; a report that changes is to be read and
then put there.
"""

from dataclasses import replace
from pathlib import Path

import pytest
from handmade_audits import good_audit, hostile_audit, patched_audit, refused_audit

from trainplate.auditing import Facts, Knob, Severity, Supports, Trainable
from trainplate.families.difference import Difference, OwnLine
from trainplate.families.identification import Match, Rung
from trainplate.reports.audit_table import table_text
from trainplate.reports.audit_text import COLOURS, STYLES, audit_text
from trainplate.reports.audit_words import family_line, patch_line
from trainplate.reports.collection import Collection, Unread

FOLDER = Path(__file__).parent / "audit_texts"
SEVERAL = Collection((patched_audit(), good_audit(), refused_audit()), (Unread("lost.jinja", "no such file"),))
REPORTS = {
    "patched": audit_text(patched_audit(), 80),
    "good": audit_text(good_audit(), 80),
    "refused": audit_text(refused_audit(), 80),
    "several": table_text(SEVERAL, 80),
}


def too_wide(text, width):
    """The lines that are too wide, but for commands, which stand whole on a line of their own."""
    return [line for line in text.splitlines() if len(line) > width and not line.startswith("        trainplate ")]


@pytest.mark.parametrize("name", REPORTS)
def test_the_report_reads_as_it_was_read_last(name):
    assert REPORTS[name].plain + "\n" == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("width", [60, 80, 100])
@pytest.mark.parametrize("audit", [patched_audit(), good_audit(), refused_audit()], ids=["patched", "good", "refused"])
def test_no_line_is_wider_than_asked_for(audit, width):
    assert too_wide(audit_text(audit, width).plain, width) == []
    assert too_wide(table_text(Collection((audit,)), width).plain, width) == []


def test_a_template_cannot_steer_the_terminal():
    audit = hostile_audit()
    for text in (audit_text(audit, 80), table_text(Collection((audit,)), 80)):
        assert not {character for character in text.plain if ord(character) < 32 and character != "\n"}
        assert not {"\u202e", "\ud800", "\x9b"} & set(text.plain)


def test_each_severity_and_the_verdict_stand_in_words_and_in_colour():
    text = audit_text(patched_audit(), 80)
    coloured = {(text.plain[span.start : span.end], span.style) for span in text.spans}
    assert ("error", STYLES[Severity.ERROR]) in coloured
    assert ("note", STYLES[Severity.NOTE]) in coloured
    assert ("can be trained on after patching", COLOURS[Trainable.AFTER_PATCHING]) in coloured


def test_what_is_long_is_cut_and_a_page_is_named_that_shows_it():
    audit = replace(patched_audit(), facts=Facts(default_system_prompt="You are helpful. " * 200))
    text = audit_text(audit, 80).plain
    assert text.count("You are helpful.") < 20
    assert "…" in text
    assert "--html" in text


def test_an_option_without_values_has_no_empty_brackets():
    supports = Supports(knobs=(Knob("reasoning_effort", (), "no value was tried"),))
    assert "reasoning_effort: no value was tried" in audit_text(replace(good_audit(), supports=supports), 80).plain


def test_how_many_conversations_show_a_problem_is_told():
    audit = refused_audit()
    problem = replace(audit.problems[0], conversations=12)
    assert "conversation   one-turn and 11 more\n" in audit_text(replace(audit, problems=(problem,)), 80).plain


@pytest.mark.parametrize(
    ("match", "line"),
    [
        (None, "none that is known"),
        (Match("qwen3", "v1", Rung.BYTES), "Qwen3 (qwen3 v1), same bytes"),
        (
            Match("qwen3", "v1", Rung.NORMAL_FORM, difference=Difference(manners=("comments",))),
            "Qwen3 (qwen3 v1), same normal form; other comments",
        ),
        (
            Match("qwen3", "v1", Rung.NEAREST, ("x v1",), Difference((), (OwnLine(7, "a"), OwnLine(9, "b")), 2), 0.913),
            "Qwen3 (qwen3 v1), nearest, 91% alike; so are x v1; own lines 7, 9; 2 pieces missing",
        ),
    ],
)
def test_the_family_is_named_with_what_sets_the_template_apart(match, line):
    assert family_line(match) == line


def test_a_recorded_patch_is_told_with_the_original_that_it_was_recorded_for():
    patch = replace(patched_audit().patch, record="qwen3 v1")
    assert ", recorded for qwen3 v1, proven on a suite of conversations" in patch_line(patch)


def test_the_table_keeps_the_end_of_long_names():
    audit = patched_audit("a/very/long/path/" * 6 + "with/the/file/at/its/end/harbour.jinja")
    line = table_text(Collection((audit,)), 80).plain.splitlines()[1]
    assert line.startswith("…")
    assert "at/its/end/harbour.jinja  after patching" in line


def test_the_table_counts_what_is_not_ignored():
    row = table_text(SEVERAL, 80).plain.splitlines()[1]
    counts = [patched_audit().counted(severity) for severity in Severity]
    assert row.split()[-3:] == [str(count or "-") for count in counts]
