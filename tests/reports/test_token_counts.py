"""A token is trained when any of its characters is."""

from trainplate.reports.token_counts import counts_line, trained_tokens


def test_a_token_across_an_edge_is_trained():
    assert trained_tokens([(0, 2), (2, 4), (4, 6), (6, 6)], [(3, 5)]) == [0, 1, 1, 0]


def test_counts_are_said_in_a_line():
    assert counts_line([0, 1, 1, 0]) == "4 tokens, 2 of them trained (50%)"
    assert counts_line([]) == "0 tokens, 0 of them trained"
