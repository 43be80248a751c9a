"""Ranges of rendered text, as sets of characters: union, difference, and what lies outside."""

from collections.abc import Iterable

Span = tuple[int, int]


def joined(spans: Iterable[Span]) -> list[Span]:
    """Return the same characters as the fewest spans, in order, empty ones left out."""
    done: list[Span] = []
    for start, end in sorted(span for span in spans if span[0] < span[1]):
        if done and start <= done[-1][1]:
            done[-1] = (done[-1][0], max(end, done[-1][1]))
        else:
            done.append((start, end))
    return done


def without(spans: Iterable[Span], removed: Iterable[Span]) -> list[Span]:
    """Return the characters of `spans` that are in no span of `removed`."""
    left = joined(spans)
    for start, end in joined(removed):
        left = [piece for a, b in left for piece in ((a, min(b, start)), (max(a, end), b)) if piece[0] < piece[1]]
    return left
