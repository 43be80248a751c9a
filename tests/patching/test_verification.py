"""What a check of a pair says: what a patch proves stands, and what is declined on purpose is no finding."""

import re
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis.strategies import DataObject, data, sampled_from

import trainplate
from trainplate.errors import Refusal, SyntaxFault
from trainplate.patching.verification import DECLINED, hold, verify
from trainplate.template import Template

TURNS = "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}<|end|>{% endfor %}"
PROMPT = "{% if add_generation_prompt %}<|assistant|>{% endif %}"
TWO_FORMATS = "{% if raw %}{{ messages[-1].content }}{% else %}" + TURNS + PROMPT + "{% endif %}"


def test_a_patch_that_declines_an_option_stands_a_check() -> None:
    original = Template(TWO_FORMATS)
    patch = trainplate.patch(original)
    assert "Nothing is proven for raw=True" in patch.training_template
    verified = verify(Template(patch.training_template), original)
    assert verified.report.proven
    assert ("two-turns [raw=True]", DECLINED) in verified.report.left_out


def test_an_error_under_an_option_is_a_finding() -> None:
    patch = trainplate.patch(Template(TURNS + PROMPT))
    breaking = "{% if raw %}{{ messages[0].name.first }}{% endif %}" + patch.training_template
    verified = verify(Template(breaking), Template("{{ 'raw' if raw }}" + TURNS + PROMPT))
    assert [finding.check for finding in verified.first_findings] == ["renders"]


def test_declining_what_is_no_option_is_a_finding() -> None:
    patch = trainplate.patch(Template(TURNS + PROMPT))
    narrow = "{% if messages | length > 2 %}{{ raise_exception('no more') }}{% endif %}" + patch.training_template
    assert not verify(Template(narrow), patch.original).report.proven


@dataclass
class Here:
    """Work that is done at once, in place of a process of its own."""

    job: Callable[[], bytes]
    dropped: bool = False

    def result(self) -> bytes:
        return self.job()

    def drop(self) -> None:
        self.dropped = True


def fails(job: Callable[[], bytes]) -> Here:
    return Here(lambda: b"")


MERGING = (
    "{% for m in messages %}{% set own = m.role == 'assistant' %}"
    "{% if not (own and loop.previtem and loop.previtem.role == 'assistant') %}<|{{ m.role }}|>{% endif %}"
    "{{ m.content }}{% if not (own and loop.nextitem and loop.nextitem.role == 'assistant') %}<|end|>{% endif %}"
    "{% endfor %}" + PROMPT
)


@pytest.mark.parametrize("original", [TURNS + PROMPT, MERGING])
def test_what_all_conversations_prove_is_proven_by_halves(original: str) -> None:
    patch = trainplate.patch(Template(original))
    held = hold(Template(patch.training_template), patch.original, elsewhere=Here)
    assert held.verification().report.proven
    assert held.is_proven_by_halves(Here)


@pytest.mark.parametrize("length", [2, 3, 4, 5])
def test_what_one_conversation_refutes_is_proven_by_no_halves(length: int) -> None:
    patch = trainplate.patch(Template(TURNS + PROMPT))
    narrow = f"{{% if messages | length == {length} %}}{{{{ '?' }}}}{{% endif %}}" + patch.training_template
    assert not hold(Template(narrow), patch.original).is_proven_by_halves(Here)


def test_nothing_is_proven_by_the_half_of_a_process_that_fails() -> None:
    patch = trainplate.patch(Template(TURNS + PROMPT))
    assert not hold(Template(patch.training_template), patch.original).is_proven_by_halves(fails)


def test_a_template_is_compiled_here_where_it_cannot_be_elsewhere() -> None:
    patch = trainplate.patch(Template(TURNS + PROMPT))
    held = hold(Template(patch.training_template), patch.original, elsewhere=fails)
    assert held.verification().report.proven


def test_a_text_that_is_no_template_is_told_though_it_was_compiled_elsewhere() -> None:
    with pytest.raises(SyntaxFault):
        hold(Template("{% if %}"), Template(TURNS + PROMPT), elsewhere=fails)


def test_what_is_made_elsewhere_is_dropped_where_this_process_is_at_its_end() -> None:
    made: list[Here] = []

    def elsewhere(job: Callable[[], bytes]) -> Here:
        made.append(Here(job))
        return made[-1]

    with pytest.raises(SyntaxFault):
        hold(Template(TURNS + PROMPT), Template("{% if %}"), elsewhere=elsewhere)
    assert [one.dropped for one in made] == [True]
    silent = hold(Template(TURNS), Template(TURNS + PROMPT))
    assert not silent.is_proven_by_halves(elsewhere)
    assert made[-1].dropped


@pytest.mark.parametrize(
    ("reading", "found"),
    [
        ("{{ '!' if loud }}", {"same-prompt"}),
        ("{% if mood == 'glad' %}{{ 'Ha!' }}{% endif %}", {"same-prompt"}),
        ("{% if loud %}{{ raise_exception('not so loud') }}{% endif %}", set()),
        ("{{ '' if loud }}", set()),
        ("{{ motto }}", {"same-prompt"}),
        ("{% if motto is defined %}!{% endif %}", {"same-prompt"}),
    ],
)
def test_an_option_that_the_training_template_alone_reads_is_told_too(reading: str, found: set[str]) -> None:
    patch = trainplate.patch(Template(TURNS + PROMPT))
    verified = verify(Template(reading + patch.training_template), patch.original)
    assert found <= {finding.check for finding in verified.first_findings}
    assert bool(found) != verified.report.proven
    options = ("[loud=True]", "[mood='glad']", "[motto='Flint9']")
    assert all(any(option in one.witness for option in options) for one in verified.first_findings)


NULL_ALONE = (
    "{% for m in messages %}<|{{ m.role }}|>{% if m.role == 'assistant' and m.tool_calls and m.content is none %}"
    "{% for call in m.tool_calls %}<call>{{ call.function.name }}{{ call.function.arguments | tojson }}</call>"
    "{% endfor %}{% else %}{{ m.content }}{% endif %}<|end|>{% endfor %}" + PROMPT
)
"""Prints calls beside null and no other content, and marked as below, what it prints of them is not trained."""
CONTENTS_ALONE = NULL_ALONE.replace(
    "{{ m.content }}{% endif %}<|end|>",
    "{% if m.role == 'assistant' %}{% generation %}{{ m.content }}<|end|>{% endgeneration %}{% else %}{{ m.content }}"
    "<|end|>{% endif %}{% endif %}",
).replace("{% endfor %}{% else %}", "{% endfor %}<|end|>{% else %}")


@pytest.mark.parametrize(("reading", "proven"), [("", True), ("{{ '!' if loud }}", False)])
def test_an_option_is_told_too_where_calls_beside_null_cannot_be_trained_on(reading: str, proven: bool) -> None:
    verified = verify(Template(reading + CONTENTS_ALONE), Template(NULL_ALONE))
    assert verified.report.proven == proven


TAGS = re.compile(r"{%.*?%}|{{.*?}}|<\|[^{]*?\|>|<\|{{")


@settings(max_examples=60, deadline=None)
@given(data())
def test_halves_prove_nothing_that_the_whole_does_not(drawn: DataObject) -> None:
    """Mutants of a right template: a tag or token is taken out, said twice, or put elsewhere."""
    right = trainplate.patch(Template(MERGING))
    found = [match.span() for match in TAGS.finditer(right.training_template)]
    (start, end), (other, _) = drawn.draw(sampled_from(found)), drawn.draw(sampled_from(found))
    text, part = right.training_template, right.training_template[start:end]
    without = text[:start] + text[end:]
    mutant = drawn.draw(sampled_from([without, text[:other] + part + text[other:]]))
    try:
        held = hold(Template(mutant), right.original)
        halves, whole = held.is_proven_by_halves(Here), held.verification().report.proven
    except (SyntaxFault, Refusal):
        return
    assert whole or not halves
