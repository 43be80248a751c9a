"""A shown conversation is the whole text, cut into what is trained, supplied and prefilled, with its tokens."""

import pytest

from trainplate.auditing import Audit, audit
from trainplate.auditing.auditor import audit_of
from trainplate.auditing.examples import MARKED, tokenizer_of_letters
from trainplate.auditing.showing import parts
from trainplate.auditing.tokens import Encoder
from trainplate.conversations import named
from trainplate.rendering import compile_template
from trainplate.template import Template

SHY = "{{ '<think></think>' if not enable_thinking | default(true) }}"
PREFILLED = MARKED.replace("<assistant>{% endif %}", "<assistant>" + SHY + "{% endif %}").replace(
    "{% generation %}", SHY + "{% generation %}"
)


def kinds(report: Audit, name: str) -> list[tuple[str, str]]:
    shown = next(one for one in report.conversations if one.name == name)
    return [(part.kind, part.text) for part in shown.parts]


def test_parts_join_to_what_the_training_template_prints() -> None:
    report = audit(MARKED)
    assert report.patch is not None
    template = compile_template(report.patch.training_template)
    for shown in report.conversations:
        told = named(shown.name)
        assert "".join(part.text for part in shown.parts) == template.render(told.messages, told.tools)


def test_turns_are_trained_and_all_else_is_supplied() -> None:
    found = kinds(audit(MARKED), "system")
    assert [kind for kind, _ in found] == ["supplied", "trained"]
    assert found[1][1] == "Amber1, because air scatters blue light.</s>"


def test_what_the_prompt_supplies_beyond_the_opener_is_prefilled_under_its_switch() -> None:
    report = audit(PREFILLED)
    found = kinds(report, "two-turns [enable_thinking=False]")
    assert [kind for kind, _ in found] == ["supplied", "prefilled", "trained"] * 2
    assert found[1][1] == "<think></think>"
    assert {kind for kind, _ in kinds(report, "two-turns")} == {"supplied", "trained"}


def test_tokens_are_those_of_the_text_in_order() -> None:
    report = audit_of(Template(MARKED), "<example>", Encoder(tokenizer_of_letters(tokens=("</s>",))))
    for shown in report.conversations:
        length = sum(len(part.text) for part in shown.parts)
        covered = sum(sum(part.tokens) for part in shown.parts)
        assert covered >= length if not "".join(part.text for part in shown.parts).isascii() else covered == length
        assert any(4 in part.tokens for part in shown.parts if part.kind == "trained")


@pytest.mark.parametrize(
    ("trained", "prefills", "expected"),
    [
        ([], [], [("supplied", "abcdef")]),
        ([(2, 4)], [(1, 2)], [("supplied", "a"), ("prefilled", "b"), ("trained", "cd"), ("supplied", "ef")]),
        ([(2, 4)], [(1, 3)], [("supplied", "a"), ("prefilled", "b"), ("trained", "cd"), ("supplied", "ef")]),
        ([(0, 6)], [], [("trained", "abcdef")]),
    ],
)
def test_what_is_trained_is_trained_whatever_else_it_is(
    trained: list[tuple[int, int]], prefills: list[tuple[int, int]], expected: list[tuple[str, str]]
) -> None:
    assert [(part.kind, part.text) for part in parts("abcdef", trained, prefills, ())] == expected
