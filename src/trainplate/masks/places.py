"""Where each token stands in its text, from the lengths of tokens alone."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trainplate.masks.encoding import Bounds, Encoded
from trainplate.masks.token_lengths import TokenLengths

Places = NDArray[np.int64]


@dataclass(frozen=True)
class TokenPlaces:
    """The tokens of many texts on one line, in bytes: token t stands from `edges[t]` to `edges[t + 1]`."""

    edges: Places
    certain: NDArray[np.bool_]
    """Of which texts the tokens add up to the text; those of others stand anywhere."""
    empty: bool
    """Whether any token may have no text of its own, but a space that the tokenizer put there."""

    def first(self, places: Places) -> Places:
        """Return the first token that ends behind each place; one without text of its own belongs to what follows."""
        if not self.empty:
            return np.searchsorted(self.edges[1:], places, side="right")
        late = np.maximum(2 * self.edges[1:], 2 * self.edges[:-1] + 1)
        return np.searchsorted(late, 2 * places, side="right")

    def last(self, places: Places) -> Places:
        """Return the first token that begins at or behind each place."""
        return np.searchsorted(self.edges[:-1], places, side="left")


def token_places(encoded: Encoded, totals: Sequence[int | None], lengths: TokenLengths) -> TokenPlaces:
    """Lay the tokens of many texts on one line, and say of which texts they add up to the total."""
    taken = lengths.bytes_of[encoded.ids]
    if lengths.prefix != "none":
        taken = taken - put_in_front(encoded, lengths)
    edges = line(taken)
    found = edges[encoded.bounds[1:]] - edges[encoded.bounds[:-1]]
    certain = found == np.array([-1 if total is None else total for total in totals], dtype=np.int64)
    if not certain.all():
        taken = np.where(np.repeat(certain, np.diff(encoded.bounds)), taken, 1)
        edges = line(taken)
    return TokenPlaces(edges, certain, lengths.prefix != "none")


def line(taken: Places) -> Places:
    """Return where each token begins, and where the last ends."""
    edges = np.zeros(len(taken) + 1, dtype=np.int64)
    np.cumsum(taken, out=edges[1:])
    return edges


def put_in_front(encoded: Encoded, lengths: TokenLengths) -> NDArray[np.bool_]:
    """Say which tokens begin with a space that the tokenizer has put there."""
    first = np.zeros(len(encoded.ids), dtype=np.bool_)
    starts: Bounds = encoded.bounds[:-1]
    first[starts[starts < encoded.bounds[1:]]] = True
    added = lengths.added[encoded.ids]
    if lengths.prefix == "each":
        first[1:] |= added[:-1]
    return first & ~added
