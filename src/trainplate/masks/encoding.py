"""Texts as token ids, all texts of a batch end to end in one array."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trainplate.masks.long_texts import Seams, in_parts

Ids = NDArray[np.int32]
Bounds = NDArray[np.int64]

CHARACTERS_AT_ONCE = 2_000_000
"""About how much text is encoded at once: enough for all threads; the library takes 100 bytes a token meanwhile."""


@dataclass(frozen=True)
class Encoded:
    """The ids of many texts in one array; those of text i are `ids[bounds[i] : bounds[i + 1]]`."""

    ids: Ids
    bounds: Bounds


def encode(encoder: Any, texts: Sequence[str]) -> Encoded:
    """Encode texts as they are, without special tokens of the tokenizer's own, on all threads."""
    encode_batch = getattr(encoder, "encode_batch_fast", encoder.encode_batch)
    parts, counts = in_parts(Seams(encoder), texts)
    encoded = joined(encode_batch(parts, add_special_tokens=False))
    return encoded if len(parts) == len(texts) else Encoded(encoded.ids, encoded.bounds[bounds_of(counts, len(texts))])


def joined(encodings: Sequence[Any]) -> Encoded:
    """Lay the ids of encodings end to end."""
    bounds = bounds_of(map(len, encodings), len(encodings))
    ids = np.empty(bounds[-1], dtype=np.int32)
    for index, encoding in enumerate(encodings):
        ids[bounds[index] : bounds[index + 1]] = encoding.ids
    return Encoded(ids, bounds)


def bounds_of(sizes: Iterable[int], count: int) -> Bounds:
    """Return where each of so many parts begins and ends when they are laid end to end."""
    bounds = np.zeros(count + 1, dtype=np.int64)
    np.cumsum(np.fromiter(sizes, dtype=np.int64, count=count), out=bounds[1:])
    return bounds


def portions(texts: Sequence[str], characters: int = CHARACTERS_AT_ONCE) -> Iterator[range]:
    """Cut a sequence of texts into ranges that hold about so many characters each."""
    start = size = 0
    for index, text in enumerate(texts):
        size += len(text)
        if size >= characters:
            yield range(start, index + 1)
            start, size = index + 1, 0
    if start < len(texts):
        yield range(start, len(texts))
