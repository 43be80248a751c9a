"""Pieces: what each plainer form leaves out, and nothing else."""

import pytest

from trainplate.families.likeness import likeness, weighed
from trainplate.families.pieces import Form, pieces

LOOP = "{%- for message in messages %}{{- '<user>' + message.content }}{%- endfor %}"


def first_shared(one: str, other: str) -> list[Form | None]:
    """For each piece of one text, the first form in which the other has it too."""
    others = pieces(other)
    return [
        next((form for form in Form if any(piece.hashes[form] == there.hashes[form] for there in others)), None)
        for piece in pieces(one)
    ]


@pytest.mark.parametrize(
    ("other", "form"),
    [
        (LOOP, Form.WRITTEN),
        (LOOP.replace("{{- ", "{{ ").replace("{%- for", "{% for"), Form.UNSIGNED),
        (LOOP.replace("'<user>'", '"<user>"').replace(" + ", "+"), Form.SPELLED),
        (LOOP.replace("message.", "m.").replace("for message", "for m"), Form.NAMELESS),
        (LOOP.replace("<user>", "<human>"), None),
    ],
    ids=["written", "unsigned", "spelled", "nameless", "another text"],
)
def test_a_form_leaves_out_one_kind_of_difference(other, form):
    assert first_shared(LOOP, other)[1] is form


def test_names_that_the_template_does_not_give_stay():
    assert first_shared("{{ bos_token }}", "{{ eos_token }}") == [None]
    assert (
        first_shared("{{ ns.first }}{% set ns = namespace() %}", "{{ ns.last }}{% set ns = namespace() %}")[0] is None
    )


def test_pieces_stand_where_they_say():
    source = "Hello,\n  you there.\n{% if x %}{# ours #}{{ x }}{% endif %}"
    texts = [source[piece.start : piece.end] for piece in pieces(source)]
    assert texts == ["Hello,", "  you there.", "{% if x %}", "{# ours #}", "{{ x }}", "{% endif %}"]


def test_line_ends_and_white_space_around_lines_tell_nothing():
    assert [one.hashes for one in pieces("a b\r\nc")] == [one.hashes for one in pieces("  a b\n c")]


def test_likeness_is_a_share_of_the_weight():
    assert likeness(weighed(pieces(LOOP)), weighed(pieces(LOOP))) == 1.0
    assert likeness(weighed(pieces(LOOP)), weighed(pieces("Hello."))) == 0.0
    assert 0.0 < likeness(weighed(pieces(LOOP)), weighed(pieces(LOOP + "{{ eos_token }}"))) < 1.0
    assert likeness(weighed([]), weighed([])) == 0.0
