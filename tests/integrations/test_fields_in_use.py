"""Fields are looked for in conversations as trainers hand them over, in whatever holds them."""

from types import SimpleNamespace
from typing import Any

import pytest

from trainplate.integrations.fields_in_use import fields_in_use

ANSWER = {"role": "assistant", "content": "Yes.", "plan": "to agree", "mood": ""}


class Column:
    """Holds messages as an array of numpy does, which does not say whether it is empty."""

    def __init__(self, *held: Any) -> None:
        self.held = held

    def __iter__(self) -> Any:
        return iter(self.held)

    def __bool__(self) -> bool:
        raise ValueError("the truth value of an array is ambiguous")


HOLDERS = [[ANSWER], (ANSWER,), [[ANSWER], []], SimpleNamespace(messages=[ANSWER]), Column(ANSWER)]


@pytest.mark.parametrize("conversation", HOLDERS, ids=lambda one: type(one).__name__)
def test_a_field_is_found_in_an_answer_that_has_something_in_it(conversation: object) -> None:
    assert fields_in_use(("plan", "mood", "other"), conversation) == {"plan"}


@pytest.mark.parametrize("conversation", [None, [], "plan", [{**ANSWER, "role": "user"}]])
def test_nothing_is_found_elsewhere(conversation: object) -> None:
    assert fields_in_use(("plan",), conversation) == set()
