"""A script in halves tells what the whole tells, and keeps together what excuses one another."""

import pytest

from trainplate.checks.contract import answers_in_a_row
from trainplate.patching.choosing import script_for
from trainplate.patching.script import Script, work

SOURCE = (
    "{% for m in messages %}<|{{ m.role }}|>{% if m.reasoning_content and enable_thinking %}{{ m.reasoning_content }}"
    "{% endif %}{{ m.content }}{{ m.tool_calls | tojson if m.tool_calls }}{{ date if date == 'today' }}<|end|>"
    "{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}"
)


@pytest.fixture(scope="module")
def script() -> Script:
    return script_for(SOURCE, {})


@pytest.mark.parametrize("field", ["heard", "glanced", "drawn"])
def test_every_conversation_is_told_once(script: Script, field: str) -> None:
    told = [pair for half in script.halves() for pair in getattr(half, field)]
    assert sorted(map(id, told)) == sorted(map(id, getattr(script, field)))


def test_answers_in_a_row_are_told_by_one_half(script: Script) -> None:
    one, other = script.halves()
    assert any(answers_in_a_row(told) for _, told in one.heard)
    assert not any(answers_in_a_row(told) for _, told in other.heard)


def test_halves_are_about_equal_in_work(script: Script) -> None:
    one, other = (sum(map(work, half.heard)) for half in script.halves())
    assert abs(one - other) <= 0.1 * (one + other)


def test_halves_share_what_was_compiled(script: Script) -> None:
    one, other = script.halves()
    assert one.compiled("{{ messages }}") is other.compiled("{{ messages }}")
