"""What a macro answered is said again only where it would answer the same."""

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import nodes

from trainplate.conversations import suite
from trainplate.errors import Declined, SyntaxFault
from trainplate.rendering import CompiledTemplate, compile_template, environment, repetition
from trainplate.rendering.repetition import repeatable_macros

LOOP = "{% for c in m %}{{ c }}{% endfor %}"
CLOCK = datetime(2024, 7, 26, 12, 0)


def found(source: str) -> dict[str, tuple[str, ...]]:
    return dict(repeatable_macros(environment().parse(source)))


REPEATABLE = {
    "its arguments": ("{% macro f(m) %}" + LOOP + "{% endmacro %}", ()),
    "an option": ("{% macro f(m) %}{{ think }}" + LOOP + "{% endmacro %}", ("think",)),
    "a function": ("{% macro f(m) %}{% for i in range(m) %}{{ i }}{% endfor %}{% endmacro %}", ("range",)),
    "its own value": ("{% set x = 1 %}{% macro f(m) %}{% set x = m %}{{ x }}" + LOOP + "{% endmacro %}", ()),
    "a value of its own branch": (
        "{% set x = 1 %}{% macro f(m) %}{% if m %}{% set x = m %}{{ x }}{% endif %}" + LOOP + "{% endmacro %}",
        (),
    ),
    "its own namespace": (
        "{% set n = namespace(a=1) %}{% macro f(m) %}{% set n = namespace(a='') %}"
        "{% for c in m %}{% set n.a = n.a ~ c %}{% endfor %}{{ n.a }}{% endmacro %}",
        ("namespace",),
    ),
    "itself": ("{% macro f(m) %}{% for c in m %}{{ f(c) }}{% endfor %}{% endmacro %}", ()),
    "a macro inside": (
        "{% macro f(m) %}{% macro g(c) %}{{ c }}{% endmacro %}{% for c in m %}{{ g(c) }}{% endfor %}{% endmacro %}",
        (),
    ),
    "a captured text": ("{% macro f(m) %}{% set x %}" + LOOP + "{% endset %}{{ x | trim }}{% endmacro %}", ()),
    "its loop": ("{% macro f(m) %}{% for c in m %}{{ loop.index }}{% endfor %}{% endmacro %}", ()),
    "a filter by its name": (
        "{% macro f(m) %}{{ m | map('upper') | join }}{{ m | selectattr('a', 'equalto', b) | list }}"
        + LOOP
        + "{% endmacro %}",
        ("b",),
    ),
}
OTHER = {
    "a value set outside": "{% set x = 1 %}{% macro f(m) %}{{ x }}" + LOOP + "{% endmacro %}{% set x = 2 %}",
    "a value that may be its own": (
        "{% set x = 1 %}{% macro f(m) %}{% if m %}{% set x = m %}{% endif %}{{ x }}" + LOOP + "{% endmacro %}"
    ),
    "a value before it is its own": ("{% set x = 1 %}{% macro f(m) %}{{ x }}{% set x = m %}" + LOOP + "{% endmacro %}"),
    "a value set in a loop": (
        "{% set x = 1 %}{% macro f(m) %}{% for c in m %}{% set x = c %}{% endfor %}{{ x }}{% endmacro %}"
    ),
    "the name of a loop that is over": "{% set c = 1 %}{% macro f(m) %}" + LOOP + "{{ c }}{% endmacro %}",
    "a namespace outside": (
        "{% set n = namespace(a=0) %}{% macro f(m) %}{% set n.a = n.a + 1 %}{{ n.a }}" + LOOP + "{% endmacro %}"
    ),
    "the clock": "{% macro f(m) %}{{ strftime_now('%H') }}" + LOOP + "{% endmacro %}",
    "chance": "{% macro f(m) %}{{ m | random }}" + LOOP + "{% endmacro %}",
    "chance by its name": "{% macro f(m) %}{{ m | map('random') | join }}" + LOOP + "{% endmacro %}",
    "a filter by a name that is handed": "{% macro f(m, g) %}{{ m | map(g) | join }}" + LOOP + "{% endmacro %}",
    "filler text": "{% macro f(m) %}{{ lipsum() }}" + LOOP + "{% endmacro %}",
    "identity": "{% macro f(m, o) %}{{ m is sameas o }}" + LOOP + "{% endmacro %}",
    "its caller": "{% macro f(m) %}{{ caller() }}" + LOOP + "{% endmacro %}",
    "arguments without a name": "{% macro f(m) %}{{ varargs }}{{ kwargs }}" + LOOP + "{% endmacro %}",
    "what it calls with a block": "{% macro f(m) %}{% call g() %}x{% endcall %}" + LOOP + "{% endmacro %}",
    "markers": "{% macro f(m) %}{% generation %}{{ m }}{% endgeneration %}" + LOOP + "{% endmacro %}",
    "the messages": "{% macro f(m) %}{{ messages[0] }}" + LOOP + "{% endmacro %}",
    "one that is defined once more": (
        "{% macro f(m) %}" + LOOP + "{% endmacro %}{% macro f(m) %}!" + LOOP + "{% endmacro %}"
    ),
    "one that is set to something else": "{% macro f(m) %}" + LOOP + "{% endmacro %}{% set f = 1 %}",
    "one under a condition": "{% if a %}{% macro f(m) %}" + LOOP + "{% endmacro %}{% endif %}",
    "a macro that comes later": (
        "{{ 1 }}{% macro f(m) %}{{ g is defined }}" + LOOP + "{% endmacro %}{{ f(m) }}{% macro g() %}{% endmacro %}"
    ),
    "a macro that is none of these": (
        "{% macro g() %}{{ strftime_now('%H') }}{% endmacro %}{% macro f(m) %}{{ g() }}" + LOOP + "{% endmacro %}"
    ),
    "parts of another template": "{% block a %}{% endblock %}{% macro f(m) %}" + LOOP + "{% endmacro %}",
    "a default from outside": "{% set x = 1 %}{% macro f(m, n=x) %}{{ n }}" + LOOP + "{% endmacro %}",
    "a sum of thousands": "{% macro f(m) %}" + LOOP + "{{ " + " + ".join(["m"] * 5000) + " }}{% endmacro %}",
    "nothing that takes long": "{% macro f(m) %}{{ m }}{% endmacro %}",
}


@pytest.mark.parametrize(("source", "read"), REPEATABLE.values(), ids=REPEATABLE)
def test_a_macro_that_goes_by_what_it_is_handed_and_given_is_repeatable(source: str, read: tuple[str, ...]) -> None:
    assert found(source) == {"f": read}


@pytest.mark.parametrize("source", OTHER.values(), ids=OTHER)
def test_no_other_macro_is(source: str) -> None:
    assert "f" not in found(source)


def test_a_macro_that_assigns_to_two_namespaces_at_once_reads_both() -> None:
    # Not every Jinja reads `set n.a, n.b`, so the names are replaced in its tree.
    tree = environment().parse("{% macro f(m) %}{% set a, b = m %}" + LOOP + "{% endmacro %}")
    (targets,) = (node.target for node in tree.find_all(nodes.Assign))
    targets.items = [nodes.NSRef("n", name.name) for name in targets.items]
    assert dict(repeatable_macros(tree)) == {"f": ("n",)}


def test_macros_know_each_other_where_none_is_called_before_all_are_there() -> None:
    first = "{% macro f(m) %}" + LOOP + "{{ g(m) }}{% endmacro %}\n{% macro g(m) %}{{ b }}{% endmacro %}"
    assert found(first) == {"f": ("b",)}
    assert found("{{ a }}" + first) == {}


def repeating(source: str) -> CompiledTemplate:
    return compile_template(source, special_tokens={"bos_token": "<s>"}, clock=CLOCK, repeats=True)


def calls_of(template: CompiledTemplate) -> int:
    assert template.answers is not None
    return len(template.answers.known)


def test_an_answer_is_made_once_for_equal_arguments_and_said_again_in_the_next_render() -> None:
    template = repeating("{% macro f(m) %}" + LOOP + "{% endmacro %}{{ f(messages[0].content) }}")
    assert [template.render([{"role": "user", "content": [*"ab"]}]) for _ in range(3)] == ["ab"] * 3
    assert calls_of(template) == 1
    assert template.render([{"role": "user", "content": [*"abc"]}]) == "abc"
    assert calls_of(template) == 2


@pytest.mark.parametrize("values", [(1, True), (0, False), (1, 1.0), (None, "None"), ([1], (1,)), (0.0, -0.0)])
def test_what_is_equal_but_prints_otherwise_is_asked_apart(values: tuple[Any, Any]) -> None:
    template = repeating("{% macro f(m) %}" + LOOP + "{% endmacro %}{{ f([x, think]) }}")
    for value in values:
        assert template.render([], x=value, think="") == str(value)


def test_an_option_that_a_macro_reads_is_asked_for() -> None:
    template = repeating("{% macro f(m) %}{{ think }}" + LOOP + "{% endmacro %}{{ f('a') }}")
    assert [template.render([], think=value) for value in (True, False, True)] == ["Truea", "Falsea", "Truea"]
    assert template.render([]) == "a"
    assert template.render([], think=None) == "Nonea"


def test_tools_that_a_macro_reads_are_asked_for() -> None:
    source = "{% macro f(m) %}{% for t in tools %}{{ t.name }}{% endfor %}{% endmacro %}{{ f('') }}"
    template = repeating(source)
    assert [template.render([], [{"name": name}]) for name in "aba"] == [*"aba"]


def test_an_option_may_take_the_place_of_a_function() -> None:
    template = repeating("{% macro f(m) %}{{ range is callable }}" + LOOP + "{% endmacro %}{{ f('') }}")
    assert [template.render([]), template.render([], range=1), template.render([])] == ["True", "False", "True"]


def test_a_macro_of_the_same_name_inside_another_answers_for_itself() -> None:
    outer = "{% macro f(m) %}" + LOOP + "{% endmacro %}"
    inner = "{% macro g(m) %}{% macro f(m) %}!" + LOOP + "{% endmacro %}{{ f(m) }}{% endmacro %}"
    assert repeating(f"{outer}{inner}{{{{ f('a') }}}}{{{{ g('a') }}}}").render([]) == "a!a"


def test_what_is_no_plain_data_is_asked_again() -> None:
    template = repeating("{% macro f(m) %}{{ m is undefined }}" + LOOP + "{% endmacro %}{{ f(nothing) }}{{ f('a') }}")
    assert [template.render([]) for _ in range(2)] == ["TrueFalsea"] * 2
    assert calls_of(template) == 1


def test_a_macro_that_raises_raises_again() -> None:
    template = repeating("{% macro f(m) %}{{ raise_exception('no ' ~ m) }}" + LOOP + "{% endmacro %}{{ f('a') }}")
    for _ in range(2):
        with pytest.raises(Declined, match="no a"):
            template.render([])


def test_no_more_is_kept_than_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repetition, "MOST_KEPT", 100)
    template = repeating("{% macro f(m) %}" + LOOP + "{% endmacro %}{{ f(messages[0].content) }}")
    for content in ("a", "b" * 200, "c"):
        assert template.render([{"role": "user", "content": content}]) == content
    assert calls_of(template) == 1


def test_nothing_is_kept_unless_much_is_told_again() -> None:
    assert compile_template("{% macro f(m) %}" + LOOP + "{% endmacro %}").answers is None
    assert compile_template("{{ messages }}", repeats=True).answers is None


LINES = {
    "f": "{% for c in m %}{{ c }}{{ n.a }}{{ x }}{% endfor %}",
    "g": "{% set x = m %}{{ x }}{% for i in range(2) %}{% set x = i %}{{ x }}{% endfor %}{{ x }}",
    "h": "{% set n = namespace(a=0) %}{% for c in m %}{% set n.a = n.a + 1 %}{% endfor %}{{ n.a }}",
    "i": "{% if think %}{% set x = think %}{% endif %}{{ x }}{% for c in m %}{{ c }}{% endfor %}",
    "j": "{% for c in m %}{{ f(c) if f }}{{ g(c) if g }}{% endfor %}",
    "k": "{% set n.a = n.a + 1 if n else 0 %}{% for c in m %}{{ n.a }}{% endfor %}",
}
MACROS = [f"{{% macro {name}(m) %}}{body}{{% endmacro %}}" for name, body in LINES.items()]
SAID = [f"{{{{ {name}({argument}) if {name} }}}}" for name in LINES for argument in ("'ab'", "think")]
SETS = ["{% set x = 1 %}", "{% set x = 'b' %}", "{% set n = namespace(a=5) %}", "{% set n = none %}", "{% set f = i %}"]


@given(
    st.lists(st.sampled_from(SETS), max_size=2),
    st.permutations(MACROS),
    st.lists(st.sampled_from([*SAID, *SETS]), min_size=2, max_size=12),
    st.lists(st.sampled_from([True, "q"]), min_size=1, max_size=3),
)
def test_a_template_prints_the_same_however_often_it_is_told(
    first: list[str], macros: list[str], then: list[str], options: list[Any]
) -> None:
    source = "".join([*first, *macros, *then, *then])
    plain, again = compile_template(source), compile_template(source, repeats=True)
    for think in [*options, *options]:
        assert said_by(again, think=think) == said_by(plain, think=think)


def said_by(template: CompiledTemplate, messages: Any = (), tools: Any = None, **options: Any) -> str:
    try:
        return template.render(messages, tools, **options)
    except Declined as declined:
        return f"declined: {declined}"


def published() -> Iterator[str]:
    folder = Path(__file__).resolve().parents[3] / "shared" / "corpus" / "templates"
    for path in sorted(folder.glob("*.json")):
        source = json.loads(path.read_text(encoding="utf-8"))["template"]
        if "macro" in source:
            yield source


def test_published_templates_print_the_same_with_answers_said_again() -> None:
    sources = list(published())[::6]
    if not sources:
        pytest.skip("the corpus of published templates is not there")
    told = [one for one in suite() if not one.needs & {"images"}][::4]
    repeated = 0
    for source in sources:
        try:
            plain, again = (
                compile_template(source, special_tokens={"bos_token": "<s>"}, clock=CLOCK, repeats=repeats)
                for repeats in (False, True)
            )
        except SyntaxFault:
            continue
        for one in told:
            for length in range(1, len(one.messages) + 1):
                asked = one.messages[:length], list(one.tools) if one.tools else None
                assert said_by(again, *asked) == said_by(plain, *asked)
        repeated += again.answers is not None and bool(again.answers.known)
    assert repeated > 10
