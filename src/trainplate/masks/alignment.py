"""Which tokens hold which characters: from spans of text to ranges of tokens.

A token is in a span if any of its characters is. The places of tokens come from their lengths, which need no offsets
and are right also where offsets are not (trimmed, or of a character composed across an edge). Where the lengths do not
add up to the text, the tokenizer's offsets decide.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trainplate.masks.backend import Backend
from trainplate.masks.encoding import Bounds, Encoded, bounds_of, encode, joined
from trainplate.masks.normal_text import BytePlaces, byte_places
from trainplate.masks.offsets import ranges_by_offsets
from trainplate.masks.places import Places, TokenPlaces, token_places
from trainplate.rendering.marks import Marked


@dataclass(frozen=True)
class Ranges:
    """The tokens of every span, from `first` to before `last`, counted over all texts end to end."""

    first: Places
    last: Places
    torn_first: NDArray[np.bool_]
    """Which spans begin inside a token, so that a token of the prompt merges with what is sampled."""
    torn_last: NDArray[np.bool_]
    bounds: Bounds
    """The spans of text i are those from `bounds[i]` to `bounds[i + 1]`."""


@dataclass(frozen=True)
class Aligned:
    """Texts as tokens, the tokens of their spans, and which of the texts needed offsets."""

    encoded: Encoded
    ranges: Ranges
    by_offsets: NDArray[np.bool_]


def align(backend: Backend, marked: Sequence[Marked], *, fast: bool = False) -> Aligned:
    """Encode marked texts and find the tokens of their spans; `fast` allows the fast encoder, if it is equal.

    Raises OtherIds where it turns out not to be, so that everything before is to be done again.
    """
    texts = [one.text for one in marked]
    bounds = bounds_of((len(one.spans) for one in marked), len(marked))
    if backend.lengths is None:
        encodings = backend.with_offsets().encode_batch(texts, add_special_tokens=False)
        encoded = joined(encodings)
        return Aligned(
            encoded,
            mended(unknown(bounds), encoded, marked, dict(enumerate(encodings))),
            np.ones(len(marked), np.bool_),
        )
    encoded = (backend.fast.encode(texts) if fast else None) or encode(backend.encoder, texts)
    found = [byte_places(one.text, one.spans, backend.normaliser) for one in marked]
    places = token_places(encoded, [None if one is None else one.total for one in found], backend.lengths)
    edges = [[] if one is None else one.edges for one in found]
    ranges = ranges_by_lengths(places, encoded, edges, bounds)
    note_composed(ranges, found)
    unsure = np.flatnonzero(~places.certain).tolist()
    if unsure:
        encodings = backend.with_offsets().encode_batch([texts[index] for index in unsure], add_special_tokens=False)
        ranges = mended(ranges, encoded, marked, dict(zip(unsure, encodings, strict=True)))
    return Aligned(encoded, ranges, ~places.certain)


def ranges_by_lengths(places: TokenPlaces, encoded: Encoded, edges: Sequence[Sequence[int]], bounds: Bounds) -> Ranges:
    """Look the edges of all spans up among the places of the tokens; those of unsure texts are looked up in vain."""
    owner = np.repeat(np.arange(len(edges)), np.diff(bounds))
    pairs = np.zeros((len(owner), 2), dtype=np.int64)
    for index, own in enumerate(edges):
        if own:
            pairs[bounds[index] : bounds[index + 1]] = np.array(own, dtype=np.int64).reshape(-1, 2)
    pairs += places.edges[encoded.bounds[owner]][:, None]
    first = np.maximum(places.first(pairs[:, 0]), encoded.bounds[owner])
    last = np.minimum(places.last(pairs[:, 1]), encoded.bounds[owner + 1])
    held = first < last
    torn_first = held & (places.edges[np.minimum(first, len(encoded.ids))] < pairs[:, 0])
    torn_last = held & (places.edges[last] > pairs[:, 1])
    return Ranges(first, last, torn_first, torn_last, bounds)


def note_composed(ranges: Ranges, found: Sequence[BytePlaces | None]) -> None:
    """Count a character that is composed across an edge as a token that lies across it."""
    for index, one in enumerate(found):
        if one is not None and any(one.composed):
            spans = slice(ranges.bounds[index], ranges.bounds[index + 1])
            ranges.torn_first[spans] |= np.array(one.composed[::2])
            ranges.torn_last[spans] |= np.array(one.composed[1::2])


def unknown(bounds: Bounds) -> Ranges:
    """Return ranges that are still to be found."""
    nowhere, nothing = np.zeros(bounds[-1], dtype=np.int64), np.zeros(bounds[-1], dtype=np.bool_)
    return Ranges(nowhere, nowhere.copy(), nothing, nothing.copy(), bounds)


def mended(ranges: Ranges, encoded: Encoded, marked: Sequence[Marked], encodings: dict[int, Any]) -> Ranges:
    """Put in the ranges of those texts that were encoded with offsets."""
    for index, encoding in encodings.items():
        base, at = int(encoded.bounds[index]), int(ranges.bounds[index])
        for first, last, torn_first, torn_last in ranges_by_offsets(encoding, marked[index].spans):
            ranges.first[at], ranges.last[at] = base + first, base + last
            ranges.torn_first[at], ranges.torn_last[at] = torn_first, torn_last
            at += 1
    return ranges
