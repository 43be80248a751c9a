"""The fast encoder is used only while it gives the ids of the tokenizer, and whatever happens the result is right."""

import numpy as np
import pytest

pytest.importorskip("transformers", reason="needs the extra test")

from tiny_tokenizers import tiny

from trainplate import assistant_masks
from trainplate.masks import fast_encoding
from trainplate.masks.backend import backend_of
from trainplate.masks.encoding import encode
from trainplate.masks.fast_encoding import FastEncoder, OtherIds, flat, probes

TALK = [{"role": "user", "content": "the river"}, {"role": "assistant", "content": "the answer, é"}]


class Pretended:
    """Encodes as the tokenizer does, except for texts that hold a word."""

    def __init__(self, encoder, wrong="\0"):
        self.encoder, self.wrong = encoder, wrong

    def encode_batch_flat(self, texts):
        made = encode(self.encoder, [text.upper() if self.wrong in text else text for text in texts])
        return made.ids.astype(np.uint32).tobytes(), made.bounds.astype(np.uint64).tobytes()


def fast_of(tokenizer, **said):
    fast = backend_of(tokenizer).fast
    fast.native = Pretended(fast.encoder, **said)
    return fast


def test_masks_are_the_same_by_either_encoder(template):
    tokenizer = tiny("chatml")
    own = assistant_masks(tokenizer, [TALK] * 3, template=template, fast=False)
    fast = fast_of(tokenizer)
    other = assistant_masks(tokenizer, [TALK] * 3, template=template)
    assert fast.name == "fastokens"
    for name in ("input_ids", "assistant_masks"):
        assert [values.tolist() for values in other[name]] == [values.tolist() for values in own[name]]


def test_other_ids_on_the_data_end_the_use_of_the_encoder_and_the_result_is_right(template):
    tokenizer = tiny("chatml")
    expected = assistant_masks(tokenizer, [TALK] * 3, template=template, fast=False)
    fast = fast_of(tokenizer, wrong="river")
    found = assistant_masks(tokenizer, [TALK] * 3, template=template)
    assert [ids.tolist() for ids in found.input_ids] == [ids.tolist() for ids in expected.input_ids]
    assert fast.native is None
    assert fast.name == "tokenizers (fastokens: other ids on a sample of the data)"


def test_a_difference_is_raised_so_that_what_went_before_is_done_again():
    fast = fast_of(tiny("chatml"), wrong="river")
    with pytest.raises(OtherIds):
        fast.encode(["the river"])
    assert fast.encode(["the river"]) is None


@pytest.mark.parametrize(
    ("wrong", "name"),
    [("\0", "fastokens"), ("doesn't", "tokenizers (fastokens: other ids on the probes)")],
)
def test_the_encoder_is_compared_on_probes_when_it_is_loaded(monkeypatch, wrong, name):
    encoder = backend_of(tiny("chatml")).encoder
    module = type("fastokens", (), {"Tokenizer": type("Tokenizer", (), {"from_json_str": lambda text: native})})
    native = Pretended(encoder, wrong)
    monkeypatch.setitem(__import__("sys").modules, "fastokens", module)
    monkeypatch.setattr(fast_encoding, "find_spec", lambda package: True)
    fast = FastEncoder(encoder)
    if wrong == "\0":
        native.wrong = "nothing has this in it"
    fast.load()
    assert fast.name == name


def test_without_the_package_it_says_so(monkeypatch):
    monkeypatch.setattr(fast_encoding, "find_spec", lambda package: None)
    fast = FastEncoder(backend_of(tiny("chatml")).encoder)
    assert fast.encode(["x" * fast_encoding.WORTH_IT]) is None
    assert fast.name == "tokenizers (fastokens: not installed)"


def test_a_little_text_does_not_load_it():
    fast = FastEncoder(backend_of(tiny("chatml")).encoder)
    assert fast.encode(["the river"]) is None
    assert fast.name == "tokenizers"


def test_a_tokenizer_whose_tokens_have_no_lengths_keeps_its_own_encoder(template):
    tokenizer = tiny("stripping")
    assert assistant_masks(tokenizer, TALK, template=template).counts.by_offsets == 1
    assert "no lengths" in backend_of(tokenizer).fast.name


@pytest.mark.parametrize("kind", ["chatml", "bos", "legacy", "newlines"])
def test_the_real_package_gives_the_same_ids(kind):
    package = pytest.importorskip("fastokens", reason="needs the extra fast")
    encoder = backend_of(tiny(kind)).encoder
    texts = list(probes(encoder))
    found, own = flat(package.Tokenizer.from_json_str(encoder.to_str()), texts), encode(encoder, texts)
    assert np.array_equal(found.bounds, own.bounds)
    assert np.array_equal(found.ids, own.ids)
