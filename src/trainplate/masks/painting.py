"""From ranges of tokens to one value a token: a mask, or weights for the loss."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from trainplate.masks.alignment import Ranges

Mask = NDArray[np.uint8]
Weights = NDArray[np.float32]


def mask_of(ranges: Ranges, tokens: int) -> Mask:
    """Return 1 for each token in a range and 0 for all others."""
    painted = np.zeros(tokens, dtype=np.uint8)
    for first, last in zip(ranges.first.tolist(), ranges.last.tolist(), strict=True):
        painted[first:last] = 1
    return painted


def weights_of(ranges: Ranges, weights: Sequence[float], tokens: int) -> Weights:
    """Return the weight of each token; one that lies in two ranges has the greater of their weights."""
    painted = np.zeros(tokens, dtype=np.float32)
    for first, last, weight in zip(ranges.first.tolist(), ranges.last.tolist(), weights, strict=True):
        np.maximum(painted[first:last], weight, out=painted[first:last])
    return painted
