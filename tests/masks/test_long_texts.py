"""Long texts in parts: the ids are those of the whole."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny_tokenizers import KINDS, tiny

from trainplate.masks import encoding, long_texts
from trainplate.masks.encoding import encode
from trainplate.masks.long_texts import Seams


def encoder(kind: str) -> Any:
    """Return the encoder of a tiny tokenizer."""
    return tiny(kind).backend_tokenizer


@pytest.mark.parametrize("kind", sorted(KINDS))
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_ids_of_parts_are_the_ids_of_the_whole(kind: str, data: st.DataObject) -> None:
    """Law: wherever a text is cut, its tokens stay as they are."""
    own = encoder(kind)
    tokens = [token.content for token in own.get_added_tokens_decoder().values()]
    words = st.sampled_from([*tokens, " ", "\n", "\n\n\n", "a word", " two  ", "é\u0301", "<", "|", "\n\n", "<|im"])
    text = "".join(data.draw(st.lists(words, min_size=1, max_size=40)))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(long_texts, "LONG", 1)
        patched.setattr(long_texts, "PART", 1)
        found = encode(own, [text, "beside it", text])
    whole = own.encode(text, add_special_tokens=False).ids
    assert found.ids[: found.bounds[1]].tolist() == whole
    assert found.ids[found.bounds[2] :].tolist() == whole


def test_a_long_text_is_cut_and_a_short_one_is_not() -> None:
    seams = Seams(encoder("chatml"))
    turn = "<|im_start|>user\n" + "word " * 2_000 + "<|im_end|>\n"
    assert seams.parts(turn) == [turn]
    assert len(seams.parts(turn * 20)) > 5
    assert "".join(seams.parts(turn * 20)) == turn * 20


def test_a_text_is_never_cut_at_a_token_that_strips_what_stands_beside_it() -> None:
    from tokenizers import AddedToken

    own = tiny("chatml").backend_tokenizer
    own.add_special_tokens([AddedToken("<strips>", lstrip=True, normalized=False)])
    assert "<strips>" not in Seams(own).parting
    assert encoding.encode(own, ["a <strips> b"]).bounds.tolist()[0] == 0
