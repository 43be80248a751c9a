"""Where transformers counts other text than stands between the markers."""

from collections.abc import Callable

import pytest

from trainplate.conversations import named

Failing = Callable[..., set[str]]
TURN = "<{{ m.role }}>{% generation %}{{ m.content }}</s>{% endgeneration %}"
CAUGHT = {
    "a macro": "{% macro turn(m) %}" + TURN + "{% endmacro %}@{{ turn(m) }}",
    "a set block": "@{% set turn %}" + TURN + "{% endset %}{{ turn }}",
    "a filter block": "@{% filter trim %}" + TURN + "{% endfilter %}",
    "a call block": "{% macro same() %}{{ caller() }}{% endmacro %}@{% call same() %}" + TURN + "{% endcall %}",
    "a recursive loop": "@{% for n in [[1]] recursive %}{% if n is iterable %}-{{ loop(n) }}{% else %}"
    + TURN
    + "{% endif %}{% endfor %}",
}
PLAIN = (
    "{% for m in messages %}{% if m.role == 'assistant' %}@{% else %}<{{ m.role }}>{{ m.content }}</s>{% endif %}"
    "{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}"
)


@pytest.mark.parametrize("place", CAUGHT)
def test_marker_is_found_in(place: str, failing: Failing) -> None:
    head, _, tail = CAUGHT[place].partition("@")
    training = head + PLAIN.replace("@", tail)
    unmarked = training.replace("{% generation %}", "").replace("{% endgeneration %}", "")
    assert "markers-count" in failing(unmarked, training, named("two-turns"))


def test_marker_that_prints_straight_to_the_text_is_counted_right(plain: str, trained: str, failing: Failing) -> None:
    assert failing(plain, trained, named("two-turns"), named("tool-cycle")) == set()


def test_empty_marker_away_from_trained_text_is_found(plain: str, trained: str, failing: Failing) -> None:
    behind_question = "{% if m.role == 'user' %}{% generation %}{% endgeneration %}{% endif %}{% endfor %}"
    assert "markers-count" in failing(plain, trained.replace("{% endfor %}", behind_question), named("two-turns"))


def test_empty_marker_beside_trained_text_is_harmless(plain: str, trained: str, failing: Failing) -> None:
    twice = trained.replace("{% generation %}", "{% generation %}{% endgeneration %}{% generation %}")
    assert failing(plain, twice, named("two-turns")) == set()
