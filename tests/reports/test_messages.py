"""Messages name the place, the law, the conversation and the way out, and show where two texts part."""

from rich.cells import cell_len

from trainplate.errors import Refusal, SyntaxFault
from trainplate.reports.messages import fault_text, finding_text, refusal_text
from trainplate.verdict import SAID, Finding

BEFORE = "<user>\nhi<end>\n<bot>\n<think>\n\n</think>\n\n<call>"
AFTER = "<user>\nhi<end>\n<bot>\n<call> and then much more text than fits into the width of a message, cut"


def test_a_refusal_reads_as_all_messages_do():
    refusal = Refusal(
        "earlier text changes when a message is appended",
        check="prefix-preserved",
        conversation="tool-cycle, appending message 3 (tool)",
        before=BEFORE,
        after=AFTER,
    )
    assert refusal_text("folder/original.jinja", refusal, 80).plain.splitlines() == [
        "folder/original.jinja  prefix-preserved  earlier text changes when a message is",
        "    appended",
        "    conversation   tool-cycle, appending message 3 (tool)",
        r"    before         <user>\nhi<end>\n<bot>\n<think>\n\n</think>\n\n<call>",
        r"    after          <user>\nhi<end>\n<bot>\n<call> and then much more text than …",
        "                                            ^ from here on",
        "    way out        trainplate explain prefix-preserved; no file was written",
    ]


def test_what_differs_is_coloured():
    text = finding_text("a.jinja", Finding("same-turn", "the turn changes", "one", "ab", "ac"), 80)
    coloured = {text.plain[span.start : span.end]: span.style for span in text.spans if span.style in ("red", "green")}
    assert coloured == {"b": "red", "c": "green"}


def test_a_finding_without_texts_has_no_rows_for_them():
    text = finding_text("a.jinja", Finding("markers-count", "a marker inside a macro", "one-turn"), 80).plain
    assert text == "a.jinja  markers-count  a marker inside a macro\n    conversation   one-turn"


def test_a_text_that_ends_early_says_so():
    finding = Finding("reasoning-kept", "reasoning is dropped", "two-turns", "ab", "a")
    assert "after          a(nothing more)" in finding_text("a.jinja", finding, 80).plain


def test_what_was_said_and_what_is_printed_are_called_so_and_shown_from_their_beginnings():
    printed = "<|user|>" + "Why is the sky blue? " * 20
    finding = Finding("role-dropped", "it is left out", "developer", "  Answer briefly. ", printed, SAID)
    rows = finding_text("a.jinja", finding, 80).plain.splitlines()[2:]
    assert rows == [
        "    said           ␣␣Answer briefly.␣",
        "    printed        <|user|>Why is the sky blue? Why is the sky blue? Why is",
        "                   the sky blue? Why is the sky blue? Why is the sky blue? Why …",
    ]


def test_wide_letters_and_long_words_stay_within_the_width():
    lost = Finding("a", "b", "c", "问" * 200, "x" * 500, SAID)
    changed = Finding("a", "b", "c", "｜" * 20 + "y" * 200, "｜" * 20 + "问" * 200)
    for finding in (lost, changed):
        rows = finding_text("a.jinja", finding, 80).plain.splitlines()
        assert len(rows) >= 5
        assert max(map(cell_len, rows)) <= 80


def test_a_text_that_nobody_said_stands_alone():
    finding = Finding("implicit-system-prompt", "it speaks unasked", "two-turns", "", "You are a pilot.", SAID)
    assert finding_text("a.jinja", finding, 80).plain.splitlines()[2:] == ["    printed        You are a pilot."]


def test_a_fault_shows_the_users_own_line():
    fault = SyntaxFault("unknown tag 'loop'", name="a.jinja", line=2, column=3)
    assert fault_text("a.jinja", fault, "{{ a }}\n  {% loop %}\n", 80).plain.splitlines() == [
        "a.jinja:2:3  unknown tag 'loop'",
        "    line 2           {% loop %}",
        "    way out        mend the template there, then run this again",
    ]


def test_a_long_line_is_shown_around_the_fault():
    source = "x" * 5000 + "{% loop %}" + "y" * 5000
    shown = fault_text("a.jinja", SyntaxFault("unknown tag", line=1, column=5001), source, 80).plain
    assert "{% loop %}" in shown
    assert max(map(len, shown.splitlines())) <= 80
