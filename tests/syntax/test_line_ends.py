import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainplate.syntax import Edit, apply_edits, with_line_ends_of, with_newlines

MIXED = st.lists(st.sampled_from(["a", "b", " ", "\n", "\r", "\r\n", "{{ x }}", "\u2028"]), max_size=20).map("".join)


@given(MIXED)
def test_what_was_not_edited_comes_back_byte_for_byte(original: str) -> None:
    """Law: there and back gives the same text, mixed line ends included."""
    assert with_line_ends_of(original, with_newlines(original)) == original


@given(MIXED, MIXED.map(with_newlines))
def test_line_ends_are_all_that_is_given_back(original: str, edited: str) -> None:
    """Law: `with_newlines(with_line_ends_of(original, edited)) == edited`."""
    assert with_newlines(with_line_ends_of(original, edited)) == edited


@given(MIXED, st.data())
def test_given_edits_lead_to_the_same_text(original: str, data: st.DataObject) -> None:
    """Law: the same where the edits are known."""
    source = with_newlines(original)
    start = data.draw(st.integers(0, len(source)))
    end = data.draw(st.integers(start, len(source)))
    edits = [Edit(start, end, data.draw(MIXED.map(with_newlines))), Edit(start, start, "\n"), Edit(start, start, "a\n")]
    edited = apply_edits(source, edits)
    assert with_newlines(with_line_ends_of(original, edited, edits)) == edited


@pytest.mark.parametrize(
    ("original", "edited", "expected"),
    [
        ("a\r\nb\r\nc", "a\nB\nc", "a\r\nB\r\nc"),
        ("a\r\nb\nc\rd", "a\nb\nnew\nc\nD", "a\r\nb\nnew\nc\rD"),
        ("a\r\nb\nc\n", "a\nnew\nb\nc\n", "a\r\nnew\r\nb\nc\n"),
        ("a\r\nb\r\n", "new\na\nb\n", "new\r\na\r\nb\r\n"),
        ("a\rb\nc", "a\n\nc", "a\r\n\nc"),
        ("a", "a\nb", "a\nb"),
        ("a\r\n", "", ""),
    ],
)
def test_a_line_keeps_its_end_and_a_new_line_ends_as_the_one_before(original: str, edited: str, expected: str) -> None:
    assert with_line_ends_of(original, edited) == expected
