"""Spans are sets of characters."""

from hypothesis import given
from hypothesis import strategies as st

from trainplate.checks.spans import Span, joined, without

SPANS = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 8)).map(lambda pair: (pair[0], pair[0] + pair[1])))


def characters(spans: list[Span]) -> set[int]:
    return {character for start, end in spans for character in range(start, end)}


@given(SPANS)
def test_joining_keeps_the_characters(spans: list[Span]) -> None:
    assert characters(joined(spans)) == characters(spans)


@given(SPANS)
def test_joined_spans_are_in_order_and_apart_and_not_empty(spans: list[Span]) -> None:
    edges = [edge for span in joined(spans) for edge in span]
    assert edges == sorted(set(edges))


@given(SPANS, SPANS)
def test_without_is_the_difference_of_the_characters(spans: list[Span], removed: list[Span]) -> None:
    assert characters(without(spans, removed)) == characters(spans) - characters(removed)


@given(SPANS, SPANS)
def test_what_is_left_and_what_is_shared_make_up_the_whole(spans: list[Span], removed: list[Span]) -> None:
    left = without(spans, removed)
    shared = without(spans, left)
    assert joined(left + shared) == joined(spans)
    assert without(left, shared) == left
