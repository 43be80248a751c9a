"""The options a template reads are found with the values that its source names."""

import pytest

from trainplate.conversations import read_knobs
from trainplate.rendering import environment

SWITCH = (True, False)


@pytest.mark.parametrize(
    "source",
    [
        "{% if think %}a{% endif %}",
        "{% if not think %}a{% endif %}",
        "{% if think is defined and think is false %}a{% endif %}",
        "{% if think is defined and not think %}a{% endif %}",
        "{{ 'a' if think else 'b' }}",
        "{% if think == true %}a{% endif %}",
        "{% if messages and think | default(true) %}a{% endif %}",
        "{% set think = think | default(false) %}{% if think %}a{% endif %}",
        "{% set think = think if think is defined else true %}{% if think %}a{% endif %}",
        "{% set think = think if think is not undefined else (not tools) %}{% if think %}a{% endif %}",
        "{% if not think is defined %}{% set think = false %}{% endif %}{% if think %}a{% endif %}",
        "{% set ns = namespace(on=think) %}{% if ns.on is true %}a{% endif %}",
        "{% set ns = namespace(on=none) %}{% set ns.on = think %}{% if ns.on %}a{% endif %}",
        "{% set on = think is defined and think %}{% if on %}a{% endif %}",
        "{% for m in messages %}{% if m.x and think %}a{% endif %}{% endfor %}",
        "{% macro m(a) %}{% if think %}{{ a }}{% endif %}{% endmacro %}{{ m(1) }}",
    ],
)
def test_option_tested_for_truth_is_a_switch(source: str) -> None:
    assert read_knobs(source) == {"think": SWITCH}


@pytest.mark.parametrize(
    ("source", "values"),
    [
        ("{% if mode == 'on' %}a{% elif mode == 'off' %}b{% endif %}", ("on", "off")),
        ("{% if mode not in ['low', 'high'] %}a{% endif %}", ("low", "high")),
        ("{% if mode | lower == 'none' %}a{% endif %}", ("none",)),
        (
            "{% if mode is not defined %}{% set mode = 'x' %}{% endif %}{% if mode != 'y' %}{{ mode }}{% endif %}",
            ("y",),
        ),
        ("{% if mode == 0 %}a{% endif %}", (0,)),
    ],
)
def test_option_compared_with_constants_takes_those(source: str, values: tuple[object, ...]) -> None:
    assert read_knobs(source) == {"mode": values}


@pytest.mark.parametrize(
    "source",
    [
        "{{ today }}",
        "{% if today %}{{ today }}{% endif %}",
        "{% if today is defined %}{{ today | trim }}{% endif %}",
        "{% for day in today %}{{ day }}{% endfor %}",
        "{% if today is defined and today is not none %}{{ 'a' + today }}{% endif %}",
    ],
)
def test_option_that_is_printed_has_no_values_to_try(source: str) -> None:
    assert read_knobs(source) == {"today": ()}


@pytest.mark.parametrize(
    "source",
    [
        "{{ messages }}{{ tools }}{{ documents }}",
        "{{ bos_token }}{% if add_generation_prompt %}{{ eos_token }}{% endif %}",
        "{{ raise_exception('no') }}{{ strftime_now('%Y') }}{{ namespace(a=1) }}{{ range(2) }}{{ dict(a=1) }}",
        "{% for m in messages %}{{ loop.index }}{{ m }}{% endfor %}",
        "{% if tools %}{% set text = 'a' %}{% endif %}{% if text %}{{ text }}{% endif %}",
        "{% set text = 'a' %}{% if text %}b{% endif %}",
        "{% macro say(text) %}{% if text %}{{ text }}{% endif %}{% endmacro %}{{ say('a') }}",
        "{% generation %}{{ messages }}{% endgeneration %}",
    ],
)
def test_names_that_the_template_fills_or_everyone_passes_are_no_options(source: str) -> None:
    assert read_knobs(source) == {}


def test_tree_that_is_read_stays_as_it_is() -> None:
    source = "{% if mode in ['low', 'high'] %}{{ 'a' ~ 'b' }}{% endif %}"
    tree = environment().parse(source)
    assert read_knobs(source, tree) == {"mode": ("low", "high")}
    assert tree == environment().parse(source)
