"""From ranges of tokens to one value a token: a mask, or weights for the loss."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from trainplate.masks.alignment import Ranges

Mask = NDArray[np.uint8]
Weights = NDArray[np.float32]


def mask_of(ranges: Ranges, tokens: int) -> Mask:
    """Return 1 for each token in a range and 0 for all others."""
    change = np.zeros(tokens + 1, dtype=np.int32)
    held = ranges.first < ranges.last
    np.add.at(change, ranges.first[held], 1)
    np.add.at(change, ranges.last[held], -1)
    return (np.cumsum(change[:-1]) > 0).astype(np.uint8)


def weights_of(ranges: Ranges, weights: Sequence[float], tokens: int) -> Weights:
    """Return the weight of each token; one that lies in two ranges has the greater of their weights."""
    painted = np.zeros(tokens, dtype=np.float32)
    for first, last, weight in zip(ranges.first.tolist(), ranges.last.tolist(), weights, strict=True):
        np.maximum(painted[first:last], weight, out=painted[first:last])
    return painted
