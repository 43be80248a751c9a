import pytest

from trainplate.fixes.mark_generation import Sample
from trainplate.fixes.marking.conditions import negated, truths_each_time
from trainplate.fixes.marking.draft import read
from trainplate.fixes.marking.flags import asked_in, asked_tests, flag_tests, telling_tests

SOURCE = """{%- set ns = namespace(seen=false) %}
{%- for message in messages %}
    {%- set open = message.role == 'user' %}
    {%- if ns.seen and not open %}
        {{- '!' }}
    {%- endif %}
    {{- '<' + message.role + '>' + message.content }}
    {%- for part in [1, 2] %}
        {%- set inner = namespace(odd=true) %}
        {{- 'x' if inner.odd }}
    {%- endfor %}
    {%- if message.role == 'assistant' %}
        {%- set ns.seen = true %}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<assistant>' }}
{%- endif %}
"""
MESSAGES = [{"role": role, "content": role[0]} for role in ("user", "assistant", "user", "assistant")]
SAMPLES = (Sample(MESSAGES, None, {}, "", ()), Sample(MESSAGES[:2], None, {}, "", ()))
DRAFT = read(SOURCE, (), {}, None)
ASKED = asked_in(DRAFT)
HERE = SOURCE.index("{{- '<' + message.role")


def test_conditions_are_answered_each_time_that_a_place_is_reached() -> None:
    answers = truths_each_time(DRAFT, ["ns.seen", "loop.first"], HERE, SAMPLES)
    assert answers["ns.seen"] == [(False, False, True, True), (False, False)]
    assert answers["loop.first"] == [(True, False, False, False), (True, False)]


def test_a_condition_that_fails_is_left_out_and_no_other() -> None:
    assert set(truths_each_time(DRAFT, ["ns.seen", "nothing.at.all", "open"], HERE, SAMPLES)) == {"ns.seen", "open"}


def test_only_what_has_a_value_at_a_place_is_asked_there() -> None:
    assert set(flag_tests(ASKED, HERE)) == {"ns.seen", "not ns.seen"}
    asked = asked_tests(ASKED, HERE)
    assert "not open" in asked
    assert not [test for test in asked if "inner" in test or "add_generation_prompt" in test]


def test_conditions_with_a_name_are_asked_and_roles_compared_with_each_other_role() -> None:
    asked = asked_tests(ASKED, HERE)
    assert "message.role == 'user'" in asked
    assert "message.role == 'tool'" in asked
    assert "message.role != 'tool'" in asked


def test_the_condition_that_tells_occasions_apart_is_found() -> None:
    first = tuple((True,) + (False,) * (len(sample.messages) - 1) for sample in SAMPLES)
    assert telling_tests(ASKED, HERE, SAMPLES, first)[0] == "loop.first"
    seen = ((False, False, True, True), (False, False))
    assert telling_tests(ASKED, HERE, SAMPLES, seen)[0] == "ns.seen"


def test_two_conditions_are_joined_where_none_tells_alone() -> None:
    last = ((False, False, False, True), (False, False))
    assert telling_tests(ASKED, HERE, SAMPLES, last)[0] == "message.role == 'assistant' and ns.seen"
    third = ((True, True, False, True), (True, True))
    assert telling_tests(ASKED, HERE, SAMPLES, third)[0] == "not (open and ns.seen)"


def test_one_of_two_conditions_holds_where_two_together_do_not_tell() -> None:
    outer = ((True, False, False, True), (True, False))
    assert telling_tests(ASKED, HERE, SAMPLES, outer)[0] == "open and not ns.seen or not open and ns.seen"


def test_nothing_tells_apart_what_is_told_alike() -> None:
    assert telling_tests(ASKED, HERE, SAMPLES, ((True, False, True, True), (False, False))) == []


def test_occasions_on_which_nothing_is_wanted_tell_nothing() -> None:
    seen = ((None, False, True, None), (None, False))
    assert telling_tests(ASKED, HERE, SAMPLES, seen)[0] == "ns.seen"


@pytest.mark.parametrize(
    ("test", "opposite"),
    [
        ("ns.seen", "not ns.seen"),
        ("not ns.seen", "ns.seen"),
        ("open and ns.seen", "not (open and ns.seen)"),
        ("not (open and ns.seen)", "open and ns.seen"),
        ("not (open) and (ns.seen)", "not (not (open) and (ns.seen))"),
    ],
)
def test_the_opposite_of_a_condition_is_written_as_short_as_can_be(test: str, opposite: str) -> None:
    assert negated(test) == opposite
