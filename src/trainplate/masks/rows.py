"""One conversation as tokens, and how it is cut and padded."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Row:
    """One conversation: its ids, its mask, and its weights where they were asked for."""

    ids: NDArray[np.int32]
    mask: NDArray[np.uint8]
    weights: NDArray[np.float32] | None = None
    merged: int = 0
    """Tokens that hold the end of a prompt as well as the start of what is sampled."""
    torn: int = 0
    """Tokens that hold the end of what is sampled as well as what follows."""
    lost: int = 0
    """Trained tokens that were cut off."""
    stop_lost: bool = False
    """Whether the cut goes through a trained turn, so that nothing stops it."""
    by_offsets: bool = False
    """Whether the tokenizer's offsets decided, as the lengths of tokens did not add up to the text."""


@dataclass(frozen=True)
class Surrounding:
    """The special tokens that the tokenizer itself puts around a text."""

    before: tuple[int, ...] = ()
    after: tuple[int, ...] = ()

    @property
    def size(self) -> int:
        """How many there are."""
        return len(self.before) + len(self.after)


def cut(row: Row, length: int | None, side: str) -> Row:
    """Return a row with no more tokens than that, and what was lost by it."""
    if length is None or len(row.ids) <= length:
        return row
    kept = slice(0, length) if side == "right" else slice(len(row.ids) - length, None)
    gone = row.mask[length:] if side == "right" else row.mask[: len(row.ids) - length]
    torn = side == "right" and bool(row.mask[length] and (length == 0 or row.mask[length - 1]))
    return replace(
        row,
        ids=row.ids[kept].copy(),
        mask=row.mask[kept].copy(),
        weights=None if row.weights is None else row.weights[kept].copy(),
        lost=int(gone.sum()),
        stop_lost=torn,
    )


def surrounded(row: Row, around: Surrounding) -> Row:
    """Put the tokenizer's own special tokens around a row; none of them is trained."""
    if not around.before and not around.after:
        return row
    before, after = len(around.before), len(around.after)
    return replace(
        row,
        ids=np.concatenate([np.array(around.before, np.int32), row.ids, np.array(around.after, np.int32)]),
        mask=np.pad(row.mask, (before, after)),
        weights=None if row.weights is None else np.pad(row.weights, (before, after)),
    )


def surrounding_of(encoder: Any) -> Surrounding:
    """Find out which special tokens an encoder puts around a text."""
    plain = encoder.encode("a", add_special_tokens=False).ids
    full = encoder.encode("a", add_special_tokens=True).ids
    start = next(at for at in range(len(full) + 1) if full[at : at + len(plain)] == plain)
    return Surrounding(tuple(full[:start]), tuple(full[start + len(plain) :]))


@dataclass(frozen=True)
class Padding:
    """How rows are brought to one length."""

    side: str
    token: int | None
    length: int | None = None
    """To that length, or to that of the longest row."""
    multiple: int | None = None

    def width(self, rows: Sequence[Row]) -> int:
        """Return the length to which these rows are brought."""
        longest = max((len(row.ids) for row in rows), default=0)
        width = longest if self.length is None else max(self.length, longest)
        return width if not self.multiple else -(-width // self.multiple) * self.multiple

    def applied(self, values: Sequence[NDArray[Any]], width: int, filler: int | float) -> NDArray[Any]:
        """Return rows of values as one array, with the filler where a row has no value."""
        made = np.full((len(values), width), filler, dtype=values[0].dtype if values else np.int32)
        for index, value in enumerate(values):
            made[index, slice(0, len(value)) if self.side == "right" else slice(width - len(value), width)] = value
        return made
