"""Law: an atom settled to the value that it has anyway changes nothing in what is printed."""

import random
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import pytest

from trainplate.conversations import Conversation
from trainplate.fixes.conditions.settlement import settled
from trainplate.fixes.conditions.white_space import fitted
from trainplate.rendering import CompiledTemplate
from trainplate.rendering.atoms import Site
from trainplate.rendering.decisions import watch

Compile = Callable[[str], CompiledTemplate]
Tell = Callable[[str], tuple[Conversation, ...]]
Say = Callable[..., Any]


def settle(source: str, **values: Any) -> str | None:
    """Settle atoms by their names."""
    watched = watch(source)
    named = {watched.tree.text(site.node): site for site in watched.sites}
    return settled(watched.tree, [(named[name], value) for name, value in values.items()])


@pytest.mark.parametrize(
    ("before", "values", "after"),
    [
        ("{% if a and b %}x{% endif %}", {"a": True}, "{% if b %}x{% endif %}"),
        ("{% if a and (b or c) %}x{% endif %}", {"a": True}, "{% if b or c %}x{% endif %}"),
        ("{% if (a or b) and c %}x{% endif %}", {"a": False}, "{% if b and c %}x{% endif %}"),
        ("{% if(a and b) %}x{% endif %}", {"a": True}, "{% if b %}x{% endif %}"),
        ("{% if not (a or b) %}x{% endif %}", {"a": False}, "{% if not b %}x{% endif %}"),
        ("{% if a %}x{% else %}y{% endif %}", {"a": True}, "x"),
        ("{% if a %}x{% else %}y{% endif %}", {"a": False}, "y"),
        ("{% if a %}x{% elif b %}y{% else %}z{% endif %}", {"a": False}, "{% if b %}y{% else %}z{% endif %}"),
        ("{% if a %}x{% elif b %}y{% else %}z{% endif %}", {"b": True}, "{% if a %}x{% else %}y{% endif %}"),
        ("{% if a %}x{% elif b %}y{% endif %}", {"b": False}, "{% if a %}x{% endif %}"),
        ("p{% if a %}x{% endif %}q", {"a": False}, "pq"),
        ("{{ 'x' if a else 'y' }}", {"a": False}, "{{ 'y' }}"),
        ("{{ 'x' + ('y' if a else '') + 'z' }}", {"a": False}, "{{ 'x' + 'z' }}"),
        ("{{ 'x' + ('y' if a else 'z' ~ b) }}", {"a": False}, "{{ 'x' + ('z' ~ b) }}"),
        ("p{{ 'x' if a }}q", {"a": False}, "pq"),
        ("{% for m in messages if a %}{{ m }}{% endfor %}", {"a": True}, "{% for m in messages %}{{ m }}{% endfor %}"),
        ("{% if a or b %}x{% endif %}", {"a": "c and d"}, "{% if c and d or b %}x{% endif %}"),
        ("{% if a and b %}x{% endif %}", {"a": "c or d"}, "{% if (c or d) and b %}x{% endif %}"),
    ],
)  # fmt: skip
def test_what_is_left_is_what_a_careful_hand_would_leave(before: str, values: dict[str, Any], after: str) -> None:
    assert settle(before, **values) == after


def test_is_not_counts_as_a_negation() -> None:
    watched = watch("{% if a is not none and b %}x{% endif %}")
    site = next(site for site in watched.sites if site.root is not site.node and type(site.node).__name__ == "Test")
    assert settled(watched.tree, [(site, False)]) == "{% if b %}x{% endif %}"
    assert settled(watched.tree, [(site, True)]) == ""


def test_lines_that_stay_are_left_as_they_are() -> None:
    before = "{%- if a %}\n    {%- if b %}\n        {{- c }}\n    {%- endif %}\n{%- endif %}\n"
    assert settle(before, a=True) == "    {%- if b %}\n        {{- c }}\n    {%- endif %}\n"


def test_a_condition_stays_where_white_space_would_change() -> None:
    assert fitted("{{ a }}", ["\n", "\n"], "{{- b }}", "\n\n") is None


def test_settling_what_never_changes_changes_nothing(original: str, tell: Tell, compile: Compile, say: Say) -> None:
    watched, told = watch(original, {"bos_token": "<s>", "eos_token": "</s>"}), tell(original)[::9]
    values: dict[int, set[bool]] = defaultdict(set)
    for one in told:
        for prompt in (False, True):
            decided = say(watched, one, add_generation_prompt=prompt)
            for decision in decided.decisions if decided else ():
                values[decision.site].add(decision.value)
    steady = [watched.sites[number] for number, known in sorted(values.items()) if len(known) == 1]
    chosen: list[Site] = random.Random(len(original)).sample(steady, min(len(steady), 6))
    edited = settled(watched.tree, [(site, next(iter(values[site.number]))) for site in chosen])
    if edited is None:
        pytest.skip("white space cannot be kept")
    before, after = compile(original), compile(edited)
    for one in told:
        for prompt in (False, True):
            assert say(after, one, add_generation_prompt=prompt) == say(before, one, add_generation_prompt=prompt)
