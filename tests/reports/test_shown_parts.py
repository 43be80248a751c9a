"""Pieces join to the text they were cut from, and a token that crosses an edge is seen on both sides."""

from hypothesis import given
from hypothesis import strategies as st

from trainplate.auditing import Part
from trainplate.reports.shown_parts import Piece, cut

PARTS = st.lists(st.builds(Part, st.just("supplied"), st.text(), st.lists(st.integers(0, 5)).map(tuple)))


@given(PARTS)
def test_the_pieces_of_a_part_join_to_its_text(parts):
    """Whatever lengths a tokenizer states, no character is lost, added or moved into another part."""
    assert ["".join(piece.text for piece in part.pieces) for part in cut(parts)] == [part.text for part in parts]


def test_a_token_that_crosses_an_edge_goes_on_behind_it():
    first, second, third = cut([Part("supplied", "ab", (1, 3)), Part("prefilled", "c"), Part("trained", "de", (1,))])
    assert first.pieces == (Piece("a"), Piece("b"))
    assert second.pieces == (Piece("c", continues=True),)
    assert third.pieces == (Piece("d", continues=True), Piece("e"))


def test_tokens_that_share_a_character_are_one_piece_and_several_tokens():
    (part,) = cut([Part("trained", "🙂!", (1, 0, 0, 1))])
    assert part.pieces == (Piece("🙂"), Piece("!"))
    assert part.tokens == 4


def test_text_without_tokens_is_one_piece_that_is_no_token():
    (part,) = cut([Part("trained", "Yes.")])
    assert part.pieces == (Piece("Yes.", is_token=False),)
