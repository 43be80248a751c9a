"""What a template takes is said as yes, no or not asked; what an option changes is put into words."""

import pytest

from trainplate.auditing import audit
from trainplate.auditing.examples import CALLS, MARKED
from trainplate.auditing.supports import phrase

OPTION = "{% if add_generation_prompt and shy is defined and shy %}(whispers) {% endif %}"


def test_supports_are_those_that_come_out_in_print() -> None:
    supports = audit(CALLS).supports
    assert supports.system is supports.tools is supports.several_calls is True
    assert supports.reasoning_field is supports.content_parts is False


def test_what_cannot_be_asked_is_none() -> None:
    supports = audit("{{ messages | length }}").supports
    assert (supports.system, supports.tools, supports.content_parts) == (None, None, None)


def test_effect_of_a_knob_is_told_by_what_it_prints() -> None:
    knob = {one.name: one for one in audit(MARKED + OPTION).supports.knobs}["shy"]
    assert "True: the generation prompt gains '(whispers) '" in knob.effect
    assert "False: as without it" in knob.effect


def test_knob_without_known_values_says_that_none_was_tried() -> None:
    knob = {one.name: one for one in audit(MARKED + "{{ motto }}").supports.knobs}["motto"]
    assert knob.values == ()
    assert "no value was tried" in knob.effect


@pytest.mark.parametrize(
    ("usual", "changed", "said"),
    [
        ("ab", "aXb", "the text gains 'X'"),
        ("aXb", "ab", "the text loses 'X'"),
        ("<a>x", "<b>x", "the text reads '<b>' in place of '<a>'"),
        ("<|a|>", "n<|a|>", "the text gains 'n'"),
    ],
)
def test_difference_is_told_in_whole_tokens(usual: str, changed: str, said: str) -> None:
    assert phrase("the text", usual, changed) == said


def test_reasoning_that_is_printed_in_front_of_calls_alone_is_taken() -> None:
    with_calls = (
        "{% for m in messages %}<{{ m.role }}>{% for c in m.tool_calls or [] %}{{ m.reasoning_content }}"
        "{{ c.function.name }}{{ c.function.arguments | tojson }}{% endfor %}{{ m.content }}</s>{% endfor %}"
        "{% if add_generation_prompt %}<assistant>{% endif %}"
    )
    assert audit(with_calls).supports.reasoning_field
    assert not audit(with_calls.replace("{{ m.reasoning_content }}", "")).supports.reasoning_field
