"""Cutting string constants as they are written."""

from hypothesis import given, settings
from hypothesis import strategies as st
from jinja2 import Environment

from trainplate.fixes.marking.literals import cut_literal, write_literal

ENVIRONMENT = Environment()
QUOTES = st.sampled_from("'\"")


def value(literal: str) -> str:
    return str(ENVIRONMENT.compile_expression(literal)())


@settings(deadline=None)
@given(st.text(), QUOTES, st.data())
def test_halves_join_to_the_whole(text: str, quote: str, data: st.DataObject) -> None:
    """Law: the first half has the length asked for, and both together say what the constant says."""
    offset = data.draw(st.integers(0, len(text)))
    halves = cut_literal(write_literal(text, quote), offset)
    assert halves is not None
    assert [value(half) for half in halves] == [text[:offset], text[offset:]]


def test_escapes_are_not_torn() -> None:
    assert cut_literal(r"'a\n\x41\u00e9b'", 2) == (r"'a\n'", r"'\x41\u00e9b'")


def test_a_character_that_is_half_an_escape_cannot_be_cut() -> None:
    assert cut_literal("'a' 'b'", 1) is None
