"""How many tokens of a rendered conversation are trained, in one line."""

from collections.abc import Iterable, Sequence

Span = tuple[int, int]


def trained_tokens(offsets: Sequence[Span], spans: Iterable[Span]) -> list[int]:
    """Return 1 for each token that has a character in a trained span, 0 for the others."""
    wanted = list(spans)
    return [int(any(start < to and fro < end for fro, to in wanted)) for start, end in offsets]


def counts_line(mask: Sequence[int]) -> str:
    """Say how many tokens there are, and how many of them are trained."""
    share = f" ({sum(mask) / len(mask):.0%})" if mask else ""
    return f"{len(mask)} tokens, {sum(mask)} of them trained{share}"
