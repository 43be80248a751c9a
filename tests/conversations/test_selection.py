"""A template is told what it takes, in its own form, and what it is not told is named."""

from collections.abc import Callable

import pytest

from trainplate.conversations import Answer, Form, Support, applicable, option_sets, suite

PLAIN = "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}"
STRICT = """{% for m in messages %}
{% if m.role not in ['user', 'assistant'] %}{{ raise_exception('only these') }}{% endif %}
{{ m.role }}: {{ m.content }}{% endfor %}"""


@pytest.mark.parametrize("source", [PLAIN, STRICT, "", "{% for m in messages %}{{ m.content[0].text }}{% endfor %}"])
def test_every_named_conversation_is_told_or_left_out_with_a_reason(
    source: str, learnt: Callable[[str], Support]
) -> None:
    selection = applicable(learnt(source))
    told = [conversation.name for conversation in selection.conversations]
    left_out = [name for name, _ in selection.left_out]
    assert sorted(told + left_out) == sorted(conversation.name for conversation in suite())


def test_declined_feature_leaves_conversations_out_by_its_name(learnt: Callable[[str], Support]) -> None:
    left_out = dict(applicable(learnt(STRICT)).left_out)
    assert left_out["system"] == "system"
    assert left_out["tool-cycle"] == "tool"
    assert left_out["parts"] == "parts"
    assert "two-turns" not in left_out


def test_dropped_feature_is_told_and_named_as_unheard(learnt: Callable[[str], Support]) -> None:
    selection = applicable(learnt(PLAIN))
    assert ("reasoning", "reasoning") in selection.unheard
    assert "reasoning" in {conversation.name for conversation in selection.conversations}
    assert "reasoning" not in dict(selection.left_out)


def test_template_that_speaks_not_is_told_nothing(learnt: Callable[[str], Support]) -> None:
    selection = applicable(learnt("hello"))
    assert selection.conversations == ()
    assert {reason for _, reason in selection.left_out} == {"plain"}


def test_conversations_come_in_the_form_the_template_takes(learnt: Callable[[str], Support]) -> None:
    selection = applicable(learnt("{% for m in messages %}{{ m.content[0].text }}{% endfor %}"))
    for conversation in selection.conversations:
        assert not any(isinstance(message.get("content"), str) for message in conversation.messages)


def test_option_sets_begin_with_none_and_turn_one_knob_at_a_time() -> None:
    support = Support(Form(), {"system": Answer.PRINTED}, knobs={"b": (True,), "a": ("x", "y")}, idle={"b": (False,)})
    assert option_sets(support) == ({}, {"a": "x"}, {"a": "y"}, {"b": True})
    assert option_sets(support, together=2)[4:] == ({"a": "x", "b": True}, {"a": "y", "b": True})
    assert option_sets(support, idle=True)[-1] == {"b": False}
