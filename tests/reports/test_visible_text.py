"""Text from templates cannot steer a terminal, and two texts are shown from where they part."""

from hypothesis import given
from hypothesis import strategies as st

from trainplate.reports.visible_text import LEAD, excerpts, harmless, in_one_line


def test_control_characters_are_spelled_out():
    assert harmless("a\x1b[31mb\r\n\tc\x9b\x00") == "a\\x1b[31mb\\r\n\tc\\x9b\\x00"


def test_line_ends_are_spelled_out_in_a_row():
    assert in_one_line("a\r\nb\tc\u2028") == "a\\r\\nb\\tc\\u2028"


@given(st.text())
def test_a_row_has_no_character_that_a_terminal_obeys(text):
    """No control character is left."""
    assert in_one_line(text).isprintable() or not any(ord(character) < 32 for character in in_one_line(text))
    assert "\x1b" not in harmless(text)


def test_excerpts_begin_a_little_before_the_texts_part():
    before, after = excerpts("x" * 100 + "one", "x" * 100 + "two", 60)
    assert before.same == after.same == "…" + "x" * LEAD
    assert (before.own, after.own) == ("one", "two")


def test_a_long_rest_is_cut_to_the_width():
    before, after = excerpts("a" + "b" * 500, "a", 40)
    assert len(before.same + before.own) == 40
    assert before.own.endswith("…")
    assert after.own == ""


@given(st.text(max_size=200), st.text(max_size=200), st.integers(40, 120))
def test_an_excerpt_is_never_wider_than_asked_for(before, after, width):
    """Each excerpt fits, unless escapes in the common part alone are wider."""
    for excerpt in excerpts(before, after, width):
        assert len(excerpt.same + excerpt.own) <= max(width, len(excerpt.same) + 1)
