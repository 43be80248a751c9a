"""The training templates that trl makes by hand agree with ours, or break a law of the contract that is listed."""

import pytest
from second_opinion import opinion

EVERY = 4
"""One original in so many is compared; `scripts/regenerate.py --engine --check` compares them all."""


@pytest.fixture(scope="module")
def compared(known_originals):
    with_opinion = [known for known in known_originals if known.family.second_opinion]
    return [(known, opinion(known.template, known.training)) for known in with_opinion[::EVERY]]


def test_where_trl_breaks_no_law_its_template_tells_and_trains_the_same(compared):
    for known, found in compared:
        assert found.breaks or not found.differs, known.template.name


def test_what_trl_breaks_is_what_is_listed(compared):
    for known, found in compared:
        assert found.breaks == known.family.second_opinion.breaks, known.template.name


def test_trl_is_compared_on_the_whole_suite(compared):
    assert compared
    assert all(found.conversations >= 30 for _, found in compared)
