from trainplate.fixes.marking.draft import read
from trainplate.fixes.marking.fronts import Front, edits_for
from trainplate.syntax import apply_edits

BRANCHES = """{%- for result in results %}
    {%- if result is string %}
        {{- shown(result) }}
    {%- else %}
        {%- set text = result | tojson %}
        {{- shown(text) }}
    {%- endif %}
{%- endfor %}
"""


def divided(source: str, test: str | None, *, seen: tuple[bool, ...]) -> str:
    draft = read(source, (), {}, None)
    pieces = [piece for piece in draft.printed.values() if "shown(" in draft.expression(piece.segment)]
    rests = [f"{draft.expression(piece.segment)}[3:]" for piece in pieces]
    fronts = [Front(*each, test, seen=known) for *each, known in zip(pieces, ["'<r>'"] * 9, rests, seen, strict=False)]
    return apply_edits(source, edits_for(draft, fronts))


def test_what_all_branches_begin_with_is_printed_once_in_front() -> None:
    after = divided(BRANCHES, "loop.first", seen=(True, False))
    assert after.count("loop.first") == 1
    assert after.index("loop.first") < after.index("result is string")
    assert after.count("[3:]") == 2
    assert "generation" not in after


def test_branches_stay_as_they_are_where_one_may_print_before() -> None:
    after = divided(BRANCHES.replace("{%- set text =", "{{- ':' }}{%- set text ="), "loop.first", seen=(True, True))
    assert after.count("loop.first") == 2


def test_branches_stay_as_they_are_where_none_may_be_taken() -> None:
    after = divided(BRANCHES.replace("{%- else %}", "{%- elif result %}"), "loop.first", seen=(True, True))
    assert after.count("loop.first") == 2


def test_what_no_sample_shows_is_marked_at_once() -> None:
    after = divided("{% for r in results %}{{ shown(r) }}{% endfor %}", "loop.first", seen=(False,))
    assert after == (
        "{% for r in results %}{% if loop.first %}{% generation %}{{ '<r>' }}{% endgeneration %}"
        "{% else %}{{ '<r>' }}{% endif %}{{ shown(r)[3:] }}{% endfor %}"
    )


def test_markers_stand_in_the_other_branch_where_a_condition_is_denied() -> None:
    after = divided("{{ shown(r) }}", "not (a and b)", seen=(False,))
    assert after == (
        "{% if a and b %}{{ '<r>' }}{% else %}{% generation %}{{ '<r>' }}{% endgeneration %}{% endif %}"
        "{{ shown(r)[3:] }}"
    )


def test_what_is_sampled_always_needs_no_condition() -> None:
    assert divided("{{ shown(r) }}", None, seen=(True,)) == "{{ '<r>' }}{{ shown(r)[3:] }}"
