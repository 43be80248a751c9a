"""Trained text is in brackets without colour, and coloured without brackets."""

from trainplate.reports.marked_conversation import TRAINED, marked_text

TEXT, SPANS = "<user>Hi<end><bot>Yes<end>\n", [(18, 26)]


def test_brackets_stand_around_trained_text():
    assert marked_text(TEXT, SPANS, coloured=False).plain == "<user>Hi<end><bot>⟦Yes<end>⟧\n"


def test_colour_leaves_the_text_as_it_is():
    shown = marked_text(TEXT, SPANS, coloured=True)
    assert shown.plain == TEXT
    assert [(span.start, span.end, span.style) for span in shown.spans] == [(18, 26, TRAINED)]


def test_escapes_do_not_move_the_marks():
    assert marked_text("\x1b\x1bab", [(2, 3)], coloured=False).plain == "\\x1b\\x1b⟦a⟧b"


def test_spans_that_touch_are_shown_as_one():
    assert marked_text("abcde", [(1, 2), (2, 3), (4, 5)], coloured=False).plain == "a⟦bc⟧d⟦e⟧"
