"""What is written as the opposite of a condition holds just when that does not."""

import pytest
from jinja2 import Environment

from trainplate.fixes.marking.conditions import negated

CONDITIONS = [
    "a == b", "a['k'] == b", "a != b", "not a == b", "a[b == c]", "a.startswith('==')", "'==' in a", "f(a) == b",
    "f(a == b)", "a and b", "not (a) or b", "a | length", "a if b else c",
]  # fmt: skip


@pytest.mark.parametrize("condition", CONDITIONS)
def test_the_opposite_of_a_condition_holds_when_that_does_not(condition: str) -> None:
    ask = Environment().compile_expression
    for a in ("", "==", "x"):
        for b in ("", "x"):
            for c in (0, True):
                given = {"a": a, "b": b, "c": c, "f": bool}
                assert bool(ask(condition)(**given)) != bool(ask(negated(condition))(**given)), given


@pytest.mark.parametrize("role", ["m.role", "m['role']", "messages[0].role"])
def test_a_comparison_is_turned_around_by_its_own_sign(role: str) -> None:
    assert negated(f"{role} == 'user'") == f"{role} != 'user'"
    assert negated(f"{role} != 'user'") == f"{role} == 'user'"
