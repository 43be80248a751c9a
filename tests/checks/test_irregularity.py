"""Conversations in which the original cannot keep text in place are known before anything is asked of training."""

import pytest

from trainplate.checks import hear
from trainplate.checks.trial import HOISTS, MERGES
from trainplate.conversations import named
from trainplate.rendering import compile_template

PLAIN = (
    "{% for m in messages %}<{{ m.role }}>{{ m.content }}</s>{% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)
HOISTING = "{% for m in messages if m.role == 'system' %}{{ m.content }}{% endfor %}" + PLAIN.replace(
    "{% for m in messages %}", "{% for m in messages if m.role != 'system' %}"
)
MERGING = (
    "{% for m in messages %}"
    "{% if loop.first or loop.previtem.role != m.role %}<{{ m.role }}>{% endif %}{{ m.content }}"
    "{% if loop.last or loop.nextitem.role != m.role %}</s>{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)
UNASKED = PLAIN.replace("{% if add_generation_prompt %}", "{% if true %}")


def irregular(source: str, *names: str) -> dict[str, str]:
    conversations = [named(name) for name in names]
    heard = hear(compile_template(source), [(conversation, conversation) for conversation in conversations])
    return {one.conversation.name: one.irregular for one in heard}


@pytest.mark.parametrize("name", ["one-turn", "system-late", "answers-in-a-row", "two-turns", "tool-cycle"])
def test_original_that_prints_messages_in_order_is_regular(name: str) -> None:
    assert irregular(PLAIN, name) == {name: ""}


def test_system_message_printed_in_front_of_earlier_turns_is_hoisted() -> None:
    assert irregular(HOISTING, "system-late", "system", "two-turns") == {
        "system-late": HOISTS,
        "system": "",
        "two-turns": "",
    }


def test_answer_that_loses_its_end_to_the_next_is_merged() -> None:
    assert irregular(MERGING, "answers-in-a-row", "two-turns") == {"answers-in-a-row": MERGES, "two-turns": ""}


def test_every_conversation_with_answers_in_a_row_is_merged_where_one_is() -> None:
    names = "answers-in-a-row", "reasoning-answers-in-a-row", "call-answers-in-a-row"
    assert set(irregular(MERGING, *names).values()) == {MERGES}


def test_prompt_that_nobody_asked_for_stands_in_the_way_of_answers_in_a_row() -> None:
    reasons = irregular(UNASKED, "answers-in-a-row", "two-turns")
    assert "without being asked" in reasons["answers-in-a-row"]
    assert reasons["two-turns"] == ""
