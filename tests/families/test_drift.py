"""Drift: what is found in a copy and not known of its family is named."""

from trainplate.families.catalogue import family_named
from trainplate.families.drift import unexpected_deviations
from trainplate.families.identification import Match, Rung

COPY = Match("qwen3", "v1", Rung.NEAREST)


def test_what_is_known_of_a_family_is_expected_in_its_copies():
    known = [deviation.reason for deviation in family_named("qwen3").deviations]
    assert known
    assert unexpected_deviations(COPY, known) == ()
    assert unexpected_deviations(COPY, known[:1]) == ()


def test_anything_else_is_named_once():
    assert unexpected_deviations(COPY, ["another reason", "another reason"]) == ("another reason",)
