"""Which tokens hold which characters by the tokenizer's own offsets, where lengths of tokens say nothing."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import Any

from trainplate.rendering.marks import Span

TokenRange = tuple[int, int, bool, bool]
"""The first token of a span, the first behind it, and whether the span begins or ends inside a token."""


def ranges_by_offsets(encoding: Any, spans: Sequence[Span]) -> Iterator[TokenRange]:
    """Yield the range of tokens of each span; only the tokens near its edges are asked for their places."""
    tokens = range(len(encoding))

    def start(token: int) -> int:
        return int(encoding.token_to_chars(token)[0])

    def late_end(token: int) -> int:  # twice as far, so that a token without text belongs to what follows
        begins, ends = encoding.token_to_chars(token)
        return int(max(2 * ends, 2 * begins + 1))

    for begins, ends in spans:
        first = bisect_right(tokens, 2 * begins, key=late_end)
        last = bisect_left(tokens, ends, key=start)
        torn_first = first < last and start(first) < begins
        torn_last = first < last and encoding.token_to_chars(last - 1)[1] > ends
        yield first, last, torn_first, torn_last
