"""What Jinja is told of a tree is what it would find: the code that it writes is the same."""

import pytest
from jinja2 import nodes

from trainplate.rendering import compiler
from trainplate.rendering.contents import Contents, contents_of
from trainplate.rendering.environment import environment

PLAIN = [
    "{% for m in messages %}{{ m.content | trim }}{% endfor %}",
    "{% for m in messages %}{{ loop.index0 }}{% for p in m %}{{ p }}{% endfor %}{% endfor %}",
    "{% for m in messages %}{% for p in m %}{{ loop.last }}{% endfor %}{% endfor %}",
    "{% for m in messages if m is string %}{{ m }}{% else %}{{ loop }}{% endfor %}",
    "{% for m in loop %}{{ m }}{% endfor %}",
    "{% for m in messages recursive %}{{ loop(m.children) if m.children }}{% endfor %}",
    "{% macro say(m) %}{{ caller() if caller }}{% for w in m %}{{ w | upper }}{% endfor %}{% endmacro %}{{ say('x') }}",
    "{% set out %}{% for m in messages %}{% generation %}{{ m is defined }}{% endgeneration %}{% endfor %}{% endset %}",
    "{{ self.title }}{% filter trim %}{{ messages | tojson }}{% endfilter %}",
]
UNUSUAL = [
    "{% block body %}{% for m in messages %}{{ loop.index | abs }}{% endfor %}{% endblock %}",
    "{% for m in messages %}{% block one scoped %}{{ m }}{% endblock %}{% endfor %}",
    "{% set loop = 1 %}{% for m in messages %}{{ m }}{% endfor %}",
    "{% macro say(loop) %}{{ loop }}{% endmacro %}{% for m in messages %}{{ say(m) }}{% endfor %}",
]


def code_of(source: str) -> str:
    surroundings = environment()
    return str(surroundings.compile(surroundings.parse(source), "x", "x", raw=True))


@pytest.mark.parametrize("source", PLAIN + UNUSUAL)
def test_code_is_written_as_jinja_writes_it_by_itself(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    told = code_of(source)
    monkeypatch.setattr(compiler, "contents_of", lambda tree: None)
    assert told == code_of(source)


@pytest.mark.parametrize("source", PLAIN)
def test_most_trees_are_looked_through_once(source: str) -> None:
    assert contents_of(environment().parse(source)) is not None


@pytest.mark.parametrize("source", UNUSUAL)
def test_blocks_and_other_values_of_loop_are_left_to_jinja(source: str) -> None:
    assert contents_of(environment().parse(source)) is None


def test_a_loop_reads_loop_where_one_inside_does() -> None:
    tree = environment().parse(PLAIN[2])
    assert Contents(tree).reading == {id(loop) for loop in tree.find_all(nodes.For)}


def test_what_is_nested_too_deeply_to_be_looked_through_is_left_to_jinja() -> None:
    assert contents_of(environment().parse("{{ " + " + ".join(["x"] * 5000) + " }}")) is None
