"""A template's own refusals and its faults reach the user in its own words, with their place."""

from datetime import datetime

import pytest

from trainplate.errors import Declined, SyntaxFault
from trainplate.rendering import compile_template, environment

MESSAGES = [{"role": "user", "content": "What is it?"}]
CLOCK = datetime(2026, 3, 14, 9, 26, 53)


def test_a_refusal_has_the_words_of_the_template():
    template = compile_template(
        "{% if messages[0].role == 'user' %}\n{{ raise_exception('Only a system may speak.') }}{% endif %}"
    )
    with pytest.raises(Declined, match=r"^Only a system may speak\.$") as caught:
        template.render(MESSAGES)
    assert caught.value.deliberate
    assert caught.value.line == 2


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("{{ messages[0].name.first }}", "'dict object' has no attribute 'name'"),
        ("{{ 'a' + 1 }}", "TypeError: can only concatenate str"),
        ("{{ {}['a'].b }}", "'dict object' has no attribute 'a'"),
        ("{{ nothing() }}", "'nothing' is undefined"),
        ("{{ 1 // 0 }}", "ZeroDivisionError: integer division or modulo by zero"),
        (
            "{{ raise_exception }}{{ [] | first | tojson }}",
            "TypeError: Object of type Undefined is not JSON serializable",
        ),
        ("{{ range(10 ** 9) }}", "OverflowError: Range too big"),
    ],
)
def test_an_error_while_rendering_is_declined_but_not_deliberate(source, message):
    with pytest.raises(Declined) as caught:
        compile_template(source).render(MESSAGES)
    assert str(caught.value).startswith(message)
    assert not caught.value.deliberate
    assert caught.value.__cause__ is not None


@pytest.mark.parametrize(
    ("source", "place", "message"),
    [
        ("a\n  {% cycle %}", "t.jinja:2:6", "unknown tag 'cycle'"),
        ("\n\n{{ a | unheard }}", "t.jinja:3:8", "No filter named 'unheard'"),
        ("{% for m in messages %}\n", "t.jinja:1:", "Unexpected end of template"),
        ("{{ a b }}", "t.jinja:1:", "expected token"),
        ("\n{{ 'a }}", "t.jinja:2:4", "this string is never closed"),
        ("{% break %}", "t.jinja:1:", "'break' outside loop"),
        (
            "{% for m in [1] %}\n{% generation %}\n{% break %}{% endgeneration %}{% endfor %}",
            "t.jinja:3:",
            "of its own",
        ),
        ("{{ " + "9" * 5000 + " }}", "t.jinja:1:", "cannot read a number"),
        ("{% macro f(b, b) %}{% endmacro %}", "t.jinja:1:", "duplicate argument 'b'"),
        ("{% for m in messages %}{{ m.content }", "t.jinja:1:37", "unexpected '}'"),
    ],
)
def test_a_syntax_fault_names_the_file_the_line_and_the_word(source, place, message):
    with pytest.raises(SyntaxFault, match=message) as caught:
        compile_template(source, name="t.jinja")
    assert str(caught.value).startswith(place)


@pytest.mark.parametrize("text", ["", "hello", "{ not a template }", "\x00", "a\r\nb\n"])
def test_any_text_without_tags_is_a_template_that_prints_itself(text):
    expected = text.replace("\r\n", "\n").removesuffix("\n")
    assert compile_template(text).render(MESSAGES) == expected


def test_the_clock_is_the_one_given():
    template = compile_template("{{ strftime_now('%d %b %Y, %H:%M:%S') }}", clock=CLOCK)
    assert template.render(MESSAGES) == "14 Mar 2026, 09:26:53"
    now = compile_template("{{ strftime_now('%Y') }}").render(MESSAGES)
    assert int(now) in (datetime.now().year, datetime.now().year - 1)


def test_an_environment_is_made_once_for_each_clock():
    assert environment() is environment()
    assert environment(CLOCK) is environment(CLOCK) is not environment()


def test_options_replace_special_tokens_and_arguments_replace_options():
    template = compile_template(
        "{{ bos_token }}{{ eos_token }}{{ documents }}{{ tools | tojson }}{{ add_generation_prompt }}",
        special_tokens={"bos_token": "<s>", "eos_token": None},
    )
    assert template.render(MESSAGES) == "<s>NonenullFalse"
    assert template.render(MESSAGES, ({"a": 1},), bos_token="<b>", documents=[]) == '<b>[][{"a": 1}]False'


def test_variables_set_in_a_loop_do_not_hide_the_render_from_a_call():
    body = "{% set x = m.role %}{% generation %}{{ x }}{{ dict(a=x) | tojson }}{% endgeneration %}"
    marked = compile_template("{% for m in messages %}" + body + "{% endfor %}").render_marked(MESSAGES)
    assert marked.text == 'user{"a": "user"}'
    assert marked.spans == ((0, 17),)


def test_json_is_printed_as_transformers_prints_it():
    value = "{{ messages | tojson }}|{{ {'b': 'é<', 'a': [1, none]} | tojson(indent=2, sort_keys=true) }}"
    value += "|{{ 'é' | tojson(ensure_ascii=true) }}|{{ [1, 2] | tojson(separators=(',', ':')) }}"
    expected = '[{"role": "user", "content": "What is it?"}]|{\n  "a": [\n    1,\n    null\n  ],\n  "b": "é<"\n}'
    assert compile_template(value).render(MESSAGES) == expected + '|"\\u00e9"|[1,2]'
