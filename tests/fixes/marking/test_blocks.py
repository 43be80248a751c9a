"""The tree of items over a source."""

from pathlib import Path

import pytest

from trainplate.fixes.marking.blocks import Body, items_of
from trainplate.syntax import parse

CASES = sorted((Path(__file__).parent / "cases").glob("*/*.jinja"))


def pieces(body: Body) -> list[tuple[int, int]]:
    return [(item.start, item.end) for item in body.items]


@pytest.mark.parametrize("path", CASES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_items_partition_every_body(path: Path) -> None:
    """Law: the items of a body follow each other without gaps, from its first tag to its last."""
    waiting = [items_of(parse(path.read_text(encoding="utf-8")))]
    while waiting:
        body = waiting.pop()
        edges = [body.start, *(end for _, end in pieces(body))]
        assert edges[:-1] == [start for start, _ in pieces(body)]
        assert edges[-1] == body.end
        waiting += [inner for item in body.items for inner in item.bodies]


def test_a_set_without_a_value_is_a_block() -> None:
    root = items_of(parse("{% set x %}a{% endset %}{% set y = 1 %}"))
    assert [len(item.bodies) for item in root.items] == [1, 0]


def test_texts_are_divided_at_their_cuts() -> None:
    root = items_of(parse("abc{{ x }}"), {0: (1,)})
    assert pieces(root) == [(0, 1), (1, 3), (3, 10)]
