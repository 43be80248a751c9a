"""A template that takes too much is stopped, on any thread, and one that does not is left alone."""

import threading
import time

import pytest

from trainplate.errors import Declined, LimitExceeded, SyntaxFault
from trainplate.rendering import Limits, budget, compile_template

SMALL = Limits(seconds=0.3, characters=1_000_000)
MESSAGES = [{"role": "user", "content": "What is it?"}]
FOR = "{% for i in range(100000) %}"
BIG = "{% set x = 'a' * 900000 %}"
NS = "{% set ns = namespace(x='a', l=['a'], n=2) %}" + FOR

ENDLESS = {
    "loops in loops": FOR * 4 + "{% endfor %}" * 4,
    "loops that pass everything over": "{% for i in range(100000) if range(100000) | list | length < 0 %}{% endfor %}",
    "macros that call themselves twice": (
        "{% macro f(n) %}{% if n %}{{ f(n - 1) }}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(60) }}"
    ),
    "a macro that calls itself": "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}",
    "a recursive loop": "{% for x in [1] recursive %}{{ loop([1, 1]) }}{% endfor %}",
    "a block that prints itself": "{% block a %}{{ self.a() }}{% endblock %}",
    "filters that loop": "{{ ([range(100000)] * 10000) | map('list') | list }}",
    "sums of lists": "{{ ([range(100000) | list] * 10000) | sum(start=[]) | length }}",
    "large texts compared": BIG + FOR + "{% if x in x ~ 'b' %}{% endif %}{% endfor %}",
    "large texts thrown away": BIG + FOR + "{% set y = x | upper %}{% endfor %}",
    "lines wrapped at each letter": "{{ ('x' * 900000) | wordwrap(1) }}",
    "comments stripped one by one": "{{ ('<!--x-->' * 100000) | striptags }}",
}
HUGE = {
    "repetition": "{{ 'x' * 10 ** 10 }}",
    "repetition, the other way": "{{ 10 ** 10 * 'x' }}",
    "repetition of a list": "{{ ['x'] * 10 ** 10 }}",
    "powers": "{{ 9 ** (9 ** 9) }}",
    "products": NS + "{% set ns.n = ns.n * ns.n %}{% endfor %}",
    "doubling by +": NS + "{% set ns.x = ns.x + ns.x %}{% endfor %}",
    "doubling by ~": NS + "{% set ns.x = ns.x ~ ns.x %}{% endfor %}",
    "doubling in autoescape": "{% autoescape true %}"
    + NS
    + "{% set ns.x = ns.x ~ ns.x %}{% endfor %}{% endautoescape %}",
    "doubling of a list": NS + "{% set ns.l = ns.l + ns.l %}{% endfor %}",
    "lists in lists": NS + "{% set ns.l = [ns.l, ns.l] %}{% endfor %}{{ ns.l }}",
    "lists in lists, printed as JSON": NS + "{% set ns.l = [ns.l, ns.l] %}{% endfor %}{{ ns.l | tojson }}",
    "dicts in dicts": NS + "{% set ns.l = dict(a=ns.l, b=ns.l) %}{% endfor %}",
    "tuples as keys": NS + "{% set ns.x = (ns.x, ns.x) %}{% set y = {ns.x: 1} %}{% endfor %}",
    "arguments in arguments": (
        "{% macro m(n) %}{% if n %}{{ m(n - 1, varargs, varargs) }}{% else %}{{ varargs }}{% endif %}{% endmacro %}"
        "{{ m(50) }}"
    ),
    "center": "{{ 'x' | center(10 ** 10) }}",
    "str.center": "{{ 'x'.center(10 ** 10) }}",
    "str.zfill": "{{ 'x'.zfill(10 ** 10) }}",
    "str.expandtabs": "{{ 'x\t'.expandtabs(10 ** 10) }}",
    "str.replace": BIG + "{{ x.replace('a', x) }}",
    "str.join": BIG + "{{ x.join(x) }}",
    "str.translate": BIG + "{{ 'ab'.translate({97: x, 98: x}) }}",
    "str.format": "{{ '{:1000000000}'.format(5) }}",
    "str.format, width by argument": "{{ '{:{w}}'.format(5, w=10 ** 10) }}",
    "str.format, many fields": BIG + "{{ ('{0}' * 1000).format(x) }}",
    "percent": "{{ '%1000000000d' % 5 }}",
    "percent, width by argument": "{{ '%*d' % (10 ** 10, 5) }}",
    "percent, width and precision": "{{ '%100.1000000000f' % 5 }}",
    "percent, by name": "{{ '%(a)1000000000s' % {'a': 5} }}",
    "format": "{{ '%1000000000d' | format(5) }}",
    "indent": "{{ 'x' | indent(10 ** 10, true) }}",
    "replace": BIG + "{{ x | replace('a', x) }}",
    "join": BIG + "{{ range(10000) | join(x) }}",
    "join of a generator": BIG + "{{ range(10000) | map('string') | join(x) }}",
    "string": BIG + "{{ ([x] * 10000) | string | length }}",
    "upper of a list": BIG + "{{ ([x] * 10000) | upper | length }}",
    "batch": "{{ [1] | batch(10 ** 9, 'x') | list }}",
    "slice": "{{ [1] | slice(10 ** 9) | list }}",
    "round": "{{ 1 | round(10 ** 9, 'ceil') }}",
    "round to the left": "{{ 5 | round(-(10 ** 9)) }}",
    "tojson with an indent": "{{ [[1]] | tojson(indent=10 ** 9) }}",
    "tojson with separators": BIG + "{{ (range(1000) | list) | tojson(separators=(x, ':')) }}",
    "tojson of tojson": "{% set ns = namespace(x='\"') %}" + FOR + "{% set ns.x = ns.x | tojson %}{% endfor %}",
    "filler text": "{{ lipsum(n=10 ** 9) }}",
    "dates": "{{ strftime_now('%Y' * 200000) }}",
    "bytes of a number": "{{ (5).to_bytes(10 ** 10, 'big') }}",
    "costly encodings": "{{ ('ä' * 900000).encode('punycode') }}",
    "much output": BIG + FOR + "{{ x }}{% endfor %}",
    "much output of a macro": BIG + "{% macro f() %}" + FOR + "{{ x }}{% endfor %}{% endmacro %}{{ f() }}",
    "much output in a capture": BIG + "{% set y %}" + FOR + "{{ x }}{% endfor %}{% endset %}",
    "much output through a filter": BIG + "{% filter upper %}" + FOR + "{{ x }}{% endfor %}{% endfilter %}",
    "much output of a block": BIG
    + "{% block a %}"
    + FOR
    + "{{ 'x' * 900000 }}{% endfor %}{% endblock %}{{ self.a() }}",
}
HOSTILE = {**ENDLESS, **HUGE}


@pytest.mark.parametrize("source", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_template_is_stopped_in_time(source):
    started = time.monotonic()
    with pytest.raises(LimitExceeded, match="the template"):
        compile_template(source, limits=SMALL).render(MESSAGES)
    assert time.monotonic() - started < 2


UNSAFE = [
    "{{ ''.__class__.mro() }}",
    "{{ messages.append(1) }}",
    "{{ '{0.__class__.__mro__}'.format(1) }}",
    "{{ namespace(_x=1) }}",
    "{% set ns = namespace() %}{% set ns._x = 1 %}",
    "{{ dict.__base__.__subclasses__() }}",
    "{% include 'x' %}",
]


@pytest.mark.parametrize("source", UNSAFE)
def test_the_sandbox_holds(source):
    with pytest.raises(Declined):
        compile_template(source).render(MESSAGES)


@pytest.mark.parametrize("opening", ["{% if a %}", "{{ (", "{{ [", "{{ not ", "{{ a | upper(", "{"])
def test_a_template_nested_too_deeply_is_a_syntax_fault(opening):
    with pytest.raises(SyntaxFault, match=r"deep\.jinja:1:"):
        compile_template(opening * 3000, name="deep.jinja")


def test_limits_hold_off_the_main_thread():
    caught = []

    def work():
        try:
            compile_template(HOSTILE["loops in loops"], limits=SMALL).render(MESSAGES)
        except LimitExceeded as error:
            caught.append(str(error))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(timeout=5)
    assert caught == ["the template takes longer than 0.3 seconds"]


def test_one_budget_covers_many_renders():
    template = compile_template("x", limits=Limits(seconds=60))
    rendered = []
    with pytest.raises(LimitExceeded, match=r"0\.2 seconds"), budget(Limits(seconds=0.2)):
        rendered.extend(template.render(MESSAGES) for _ in range(1_000_000))
    assert len(rendered) > 1
    assert template.render(MESSAGES) == "x"
    with budget(Limits(seconds=60)) as shared:
        assert template.render(MESSAGES) == "x"
    assert shared.deadline - time.monotonic() < 60


def test_texts_that_many_renders_print_are_counted_together():
    template = compile_template("{{ 'x' * 900000 }}")
    with pytest.raises(LimitExceeded, match="4,000,000 characters of text in all conversations"), budget(SMALL):
        for _ in range(9):
            template.render(MESSAGES)
    with budget(SMALL):
        short = compile_template("{{ 'x' * 60000 }}")
        assert all(short.render(MESSAGES) for _ in range(99))


def test_common_stripping_and_searching_is_left_alone():
    content = "Slate is a stone.\n" * 20_000
    asked = "c.strip('\n') | length, c.rfind('</think>'), c.rsplit('</s>', 1) | length"
    source = "{% set c = messages[0].content %}{{ [" + asked + "] }}"
    assert compile_template(source, limits=SMALL).render([{"role": "user", "content": content}]) == "[359999, -1, 1]"


def test_compiling_is_limited_too():
    with pytest.raises(LimitExceeded, match="longer than"):
        compile_template("{{ a }}" * 2000, limits=Limits(seconds=0.001))


def test_large_but_honest_conversations_are_left_alone():
    messages = [{"role": "user", "content": "Slate is a stone.\n" * 20_000}] * 20
    source = (
        "{% for m in messages %}{{ '<' + m.role + '>' + m.content | trim + '</s>' }}"
        "{{ m.content.split('\n') | length }}{{ m | tojson }}{% endfor %}"
    )
    assert len(compile_template(source).render(messages)) > 14_000_000


def test_a_long_sum_is_added_from_left_to_right():
    source = "{{ 'a' + 'b' + " + " + ".join(f"messages[0].content[{i % 5}]" for i in range(40)) + " + 'c' }}"
    assert compile_template(source).render(MESSAGES) == "ab" + "What " * 8 + "c"
    assert compile_template("{{ 1 + 2 + ('a' ~ 'b') | length + 3 * 4 }}").render(MESSAGES) == "17"
