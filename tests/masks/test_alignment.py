"""Which tokens hold which characters: by lengths as by offsets, and as anyone would count them."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

pytest.importorskip("transformers", reason="needs the extra test")

from tiny_tokenizers import KINDS, tiny

from trainplate.masks.alignment import align
from trainplate.masks.backend import backend_of
from trainplate.masks.encoding import portions
from trainplate.masks.painting import mask_of, weights_of
from trainplate.rendering import Marked

PIECES = st.sampled_from(
    [
        "the", "answer", " river", "hello", "x", ".", ".\n\n", "\n", "\n\n", " ", "  ", "\t", "é", "🙂", "字", "▁", "<",
        "<|im_start|>", "<|im_end|>", "<think>", "<|eot_id|>", "</s>", "<s>", "[INST]", "<|end|>", "<|assistant|>",
        "<end_of_turn>", "<0x0A>", "<unk>", "1234", "don't", "ﬁ",
    ]
)  # fmt: skip


@st.composite
def marked_texts(draw):
    text = "".join(draw(st.lists(PIECES, max_size=12)))
    edges = sorted(draw(st.sets(st.integers(0, len(text)), max_size=6)))
    return Marked(text, tuple(zip(edges[::2], edges[1::2], strict=False)))


@pytest.fixture(scope="module", params=[kind for kind in KINDS if kind != "nfkc"])
def backend(request):
    return backend_of(tiny(request.param))


@given(texts=st.lists(marked_texts(), min_size=1, max_size=4))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_lengths_and_offsets_name_the_same_tokens(backend, texts):
    by_lengths, by_offsets = align(backend, texts), align(replace(backend, lengths=None), texts)
    assert np.array_equal(by_lengths.encoded.ids, by_offsets.encoded.ids)
    for name in ("torn_first", "torn_last", "bounds"):
        assert np.array_equal(getattr(by_lengths.ranges, name), getattr(by_offsets.ranges, name)), name
    masks = [mask_of(one.ranges, len(one.encoded.ids)) for one in (by_lengths, by_offsets)]
    assert masks[0].tolist() == masks[1].tolist()


@given(texts=st.lists(marked_texts(), min_size=1, max_size=4))
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_token_is_in_a_span_if_any_of_its_characters_is(backend, texts):
    aligned = align(backend, texts)
    mask = mask_of(aligned.ranges, len(aligned.encoded.ids))
    for index, marked in enumerate(texts):
        encoding = backend.with_offsets().encode(marked.text, add_special_tokens=False)
        own = mask[aligned.encoded.bounds[index] : aligned.encoded.bounds[index + 1]]
        held = [any(a < end and b > start for start, end in marked.spans) for a, b in encoding.offsets]
        blank = [a == b for a, b in encoding.offsets]
        assert [bool(one) for one, skip in zip(own, blank, strict=True) if not skip] == [
            one for one, skip in zip(held, blank, strict=True) if not skip
        ]


def test_lengths_are_enough_for_every_kind_without_stripping_tokens(backend):
    aligned = align(backend, [Marked("the answer.\n\n don't <think> 🙂", ((4, 12),))])
    strips = any(token.rstrip for token in backend.encoder.get_added_tokens_decoder().values())
    assert aligned.by_offsets.tolist() == [strips]


def test_a_text_whose_tokens_do_not_add_up_leaves_its_neighbours_alone():
    backend = backend_of(tiny("spaced"))
    texts = [Marked("the answer", ((0, 10),)), Marked("▁▁ the answer", ((0, 3),)), Marked("hello", ((0, 5),))]
    aligned = align(backend, texts)
    assert aligned.by_offsets.tolist() == [False, True, False]
    mask = mask_of(aligned.ranges, len(aligned.encoded.ids))
    bounds = aligned.encoded.bounds.tolist()
    assert mask[bounds[0] : bounds[1]].all()
    assert mask[bounds[2] : bounds[3]].all()


def test_where_two_weights_meet_in_a_token_the_greater_counts():
    ranges = align(backend_of(tiny("chatml")), [Marked("\n\n", ((0, 1), (1, 2)))]).ranges
    assert weights_of(ranges, [0.25, 0.5], 1).tolist() == [0.5]


@given(st.lists(st.integers(0, 30), max_size=12))
def test_portions_hold_every_text_once_and_in_order(sizes):
    found = [index for portion in portions(["x" * size for size in sizes], characters=40) for index in portion]
    assert found == list(range(len(sizes)))
