"""A finding points at the line and the expression that wrote the text."""

import pytest

from trainplate.auditing import Audit, Problem, audit
from trainplate.auditing.places import witness_of

CUT = """\
{%- for message in messages %}
    {{- '<' + message.role + '>' }}
    {%- if message.role == 'assistant' %}
        {{- message.content.split('</think>')[-1] }}
    {%- else %}
        {{- message.content }}
    {%- endif %}
    {{- '</s>' if loop.last or message.role == 'user' else '</turn>' }}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<assistant>' }}
{%- endif %}
"""


def first(report: Audit, check: str) -> Problem:
    return next(problem for problem in report.problems if problem.check == check)


@pytest.mark.parametrize(
    ("check", "line", "expression"),
    [
        ("prefix-preserved", 8, "'</s>'"),
        ("reasoning-kept", 4, "message.content.split('</think>')[-1]"),
        ("content-rewritten", 4, "message.content.split('</think>')[-1]"),
        ("stop-only-while-last", 8, "'</s>'"),
    ],
)
def test_place_is_the_expression_that_wrote_it(check: str, line: int, expression: str) -> None:
    place = first(audit(CUT), check).place
    assert place is not None
    assert (place.line, place.expression) == (line, expression)
    assert CUT.splitlines()[line - 1][place.column - 1 :].startswith(expression)


def test_place_counts_lines_with_any_line_ends() -> None:
    place = first(audit(CUT.replace("\n", "\r\n")), "prefix-preserved").place
    assert place is not None
    assert place.line == 8


def test_a_text_outside_of_tags_has_a_place_too() -> None:
    source = "{% for m in messages %}\n<{{ m.role }}>{{ m.content }}</s>{% endfor %}"
    place = first(audit(source, {"eos_token": "<eos>"}), "eos-is-not-turn-end").place
    assert place is not None
    assert (place.line, place.expression) == (2, "</s>")


def test_a_miscounted_marker_is_pointed_at() -> None:
    source = (
        "{% for m in messages %}{% set turn %}<{{ m.role }}>{% if m.role == 'assistant' %}"
        "{% generation %}{{ m.content }}</s>{% endgeneration %}{% else %}{{ m.content }}</s>{% endif %}{% endset %}"
        "{{ turn }}{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}"
    )
    place = first(audit(source), "markers-count").place
    assert place is not None
    assert place.expression == "{% generation %}"


@pytest.mark.parametrize(
    ("witness", "taken"),
    [
        ("call", ("call", None)),
        ("call[:2]", ("call", 2)),
        ("two-turns [enable_thinking=False]", ("two-turns [enable_thinking=False]", None)),
        ("two-turns [enable_thinking=False][:12]", ("two-turns [enable_thinking=False]", 12)),
        ("odd[:x]", ("odd[:x]", None)),
    ],
)
def test_witness_is_taken_apart(witness: str, taken: tuple[str, int | None]) -> None:
    assert witness_of(witness) == taken
