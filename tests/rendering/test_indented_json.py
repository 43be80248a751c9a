"""What is written on several lines is what Python's own encoder writes, whatever the value."""

import json
from enum import IntEnum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from trainplate.rendering.indented_json import indented_json

LEAVES = some.none() | some.booleans() | some.integers() | some.floats() | some.text()
VALUES = some.recursive(
    LEAVES,
    lambda inner: (
        some.lists(inner, max_size=4)
        | some.dictionaries(some.text(max_size=5), inner, max_size=4)
        | some.dictionaries(some.integers() | some.booleans() | some.none() | some.floats(), inner, max_size=2)
        | some.tuples(inner, inner)
    ),
    max_leaves=20,
)


class Level(IntEnum):
    HIGH = 3


@given(VALUES, some.integers(min_value=0, max_value=6))
def test_every_value_is_written_as_python_writes_it(value: Any, indent: int) -> None:
    assert indented_json(value, indent) == json.dumps(value, ensure_ascii=False, indent=indent)


@pytest.mark.parametrize(
    "value", [Level.HIGH, {"level": Level.HIGH}, float("nan"), -0.0, 1e22, "\u2028\ud800 \x7f", {}, [[]]]
)
def test_odd_values_are_written_as_python_writes_them(value: Any) -> None:
    assert indented_json(value, 4) == json.dumps(value, ensure_ascii=False, indent=4)


@pytest.mark.parametrize("value", [{1, 2}, {"a": object()}, {(1, 2): 3}])
def test_what_python_refuses_is_refused(value: Any) -> None:
    with pytest.raises(TypeError):
        indented_json(value, 2)
