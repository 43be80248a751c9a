"""Who wrote each character: laws over many templates, and the cases that need care."""

from itertools import pairwise

import pytest

from trainplate.rendering import compile_template
from trainplate.rendering.trace import Place, trace

MESSAGES = [
    {"role": "user", "content": "Umber1?"},
    {"role": "assistant", "content": "Amber1.", "tool_calls": [{"name": "f"}, {"name": "g"}]},
    {"role": "user", "content": "Umber2?"},
]
TEMPLATES = {
    "text": "a{% for m in messages %}<{{ m.role }}>\n{{ m.content }}{% endfor %}\n  z",
    "sums": "{% for m in messages %}{{ '<' + m.role + '>' + m.content|trim ~ loop.index ~ '\\n' }}{% endfor %}",
    "conditions": "{% for m in messages %}{{ 'A' if loop.first else 'u' + m.content }}{{ 'x' if 0 }}{% endfor %}",
    "macros": "{% macro say(m) %}{{ m.content }}{% endmacro %}{% for m in messages %}{{ say(m) }}{% endfor %}",
    "captures": "{% set t %}a{{ messages[0].content }}{% endset %}{{ t }}{% filter upper %}b{{ t }}{% endfilter %}",
    "calls": "{% macro box() %}[{{ caller() }}]{% endmacro %}{% call box() %}in {{ messages|length }}{% endcall %}",
    "recursion": "{% for m in messages recursive %}{{ m.name }}{{ loop(m.tool_calls) if m.tool_calls }}{% endfor %}",
    "assignments": "{% for m in messages %}{% set c = '<' + m.role %}{% set c = c + m.content %}{{ c }}{% endfor %}",
    "numbers": "{{ 1 + 2 }}{{ [1] + [2] }}{{ none }}{{ missing }}{{ 'a' ~ 1 ~ true }}",
    "raw": "{% raw %}{{ kept }}{% endraw %}{{ 'x' }}",
    "markers": "{% for m in messages %}{{ m.role }}{% generation %}{{ m.content }}!{% endgeneration %}{% endfor %}",
    "breaks": "{% for m in messages %}{% if loop.index > 1 %}{% break %}{% endif %}{{ m.role }}{% else %}-{% endfor %}",
}


@pytest.fixture(params=sorted(TEMPLATES))
def source(request: pytest.FixtureRequest) -> str:
    return TEMPLATES[request.param]


def test_writes_partition_the_plain_text(source: str) -> None:
    """Law: the traced text is the plain one, and the writes cover it in order, without gap or overlap."""
    traced = trace(source).render(MESSAGES)
    assert traced.text == compile_template(source).render(MESSAGES)
    position = 0
    for write in traced.writes:
        assert write.start == position <= write.end
        position = write.end
    assert position == len(traced.text)


def test_parts_partition_their_write(source: str) -> None:
    for write in trace(source).render(MESSAGES).writes:
        leaves = list(write.leaves())
        assert (leaves[0].start, leaves[-1].end) == (write.start, write.end)
        assert all(left.end == right.start for left, right in pairwise(leaves))


def test_constant_pieces_print_the_constant(source: str) -> None:
    tracer = trace(source)
    traced = tracer.render(MESSAGES)
    for write in traced.writes:
        for leaf in write.leaves():
            constant = getattr(leaf.piece.node, "value", getattr(leaf.piece.node, "data", None))
            if isinstance(constant, str):
                assert traced.text[leaf.start : leaf.end] == constant


def leaves_of(name: str) -> list[tuple[str, str]]:
    tracer = trace(TEMPLATES[name])
    traced = tracer.render(MESSAGES)
    source = TEMPLATES[name]
    return [
        (source[leaf.piece.extent.start : leaf.piece.extent.end], traced.text[leaf.start : leaf.end])
        for write in traced.writes
        for leaf in write.leaves()
    ]


def test_operands_are_told_apart() -> None:
    assert leaves_of("sums")[:6] == [
        ("'<'", "<"), ("m.role", "user"), ("'>'", ">"), ("m.content|trim", "Umber1?"), ("loop.index", "1"),
        ("'\\n'", "\n"),
    ]  # fmt: skip


def test_numbers_that_are_added_are_one_piece() -> None:
    assert leaves_of("numbers")[:2] == [("1 + 2", "3"), ("[1] + [2]", "[1, 2]")]


def test_a_macro_is_seen_through() -> None:
    assert ("m.content", "Amber1.") in leaves_of("macros")


def test_an_assigned_text_is_seen_through() -> None:
    assert leaves_of("assignments")[:4] == [("'<'", "<"), ("m.role", "user"), ("m.content", "Umber1?"), ("'<'", "<")]


def test_writes_know_the_role_of_their_message() -> None:
    writes = trace(TEMPLATES["text"]).render(MESSAGES).writes
    roles = [write.role for write in writes if isinstance(getattr(write.piece.node, "attr", None), str)]
    assert roles == ["user", "user", "assistant", "assistant", "user", "user"]
    assert [writes[0].role, writes[-1].role] == [None, None]


def test_pieces_know_what_holds_their_text() -> None:
    assert {piece.place for source in TEMPLATES.values() for piece in trace(source).pieces} == set(Place)


def test_renders_do_not_disturb_each_other() -> None:
    tracer = trace(TEMPLATES["assignments"])
    first = tracer.render(MESSAGES)
    tracer.render(MESSAGES[:1])
    assert tracer.render(MESSAGES) == first
