"""Edges are found again in a normalised text, also where characters are composed across them."""

import unicodedata
from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from trainplate.masks.normal_text import Normaliser, byte_places

CHARACTERS = st.sampled_from([*"ab \n", "é", "e", "\u0301", "\u0323", "ﬁ", "½", "각", "ᄀ", "ᅡ", "ᆨ", "字", "🙂", "Å"])


@st.composite
def spans_of(draw):
    text = "".join(draw(st.lists(CHARACTERS, max_size=14)))
    edges = sorted(draw(st.sets(st.integers(0, len(text)), max_size=4)))
    edges = edges[: len(edges) // 2 * 2]
    return text, list(zip(edges[::2], edges[1::2], strict=True))


@given(spans_of(), st.sampled_from(["NFC", "NFD", "NFKC", "NFKD"]))
def test_a_span_holds_all_that_its_own_characters_become(drawn, form):
    text, spans = drawn
    normaliser = Normaliser(partial(unicodedata.normalize, form), form)
    whole = unicodedata.normalize(form, text).encode()
    places = byte_places(text, spans, normaliser)
    assert places is not None
    assert places.total == len(whole)
    assert places.edges == sorted(places.edges)
    for (start, end), first, last in zip(spans, places.edges[::2], places.edges[1::2], strict=True):
        held = unicodedata.normalize("NFD", whole[first:last].decode())
        own = unicodedata.normalize("NFD" if form in ("NFC", "NFD") else "NFKD", text[start:end])
        assert own in unicodedata.normalize("NFD" if form in ("NFC", "NFD") else "NFKD", held) or set(own) <= set(held)


def test_a_normaliser_that_is_no_form_of_unicode_is_checked_on_the_whole():
    lower = Normaliser(str.lower)
    assert byte_places("ÄBc", [(1, 2)], lower).edges == [2, 3]
    sensitive = Normaliser(lambda text: text.replace("ab", "x"))
    assert byte_places("cab", [(2, 3)], sensitive).edges == [1, 2], "the character that both become is the span's"
