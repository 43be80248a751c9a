"""What holds for every template that is marked, whatever it looks like."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from trainplate.fixes.mark_generation import Sample, Unmarkable, mark_generation
from trainplate.rendering import compile_template

Measure = Callable[[str], tuple[Sample, ...]]
Mark = Callable[[str], str | Unmarkable]

SPECIAL_TOKENS = {"bos_token": "<s>", "eos_token": "</s>"}
CASES = [path.read_text(encoding="utf-8") for path in sorted((Path(__file__).parent / "cases").glob("*/before.jinja"))]
READ_BY_TRANSFORMERS = re.compile(r"\{%-?\s*generation\s*-?%\}")


@pytest.fixture(params=range(len(CASES)), ids=[f"case{number}" for number in range(len(CASES))])
def before(request: pytest.FixtureRequest) -> str:
    return CASES[request.param]


def test_nothing_that_is_printed_changes(before: str, measure: Measure, mark: Mark) -> None:
    after = compile_template(str(mark(before)), special_tokens=SPECIAL_TOKENS)
    for sample in measure(before):
        assert after.render(sample.messages, sample.tools, **sample.options) == sample.text


def test_markers_enclose_what_is_sampled(before: str, measure: Measure, mark: Mark) -> None:
    """Law: a marked span ends with its turn, but for white space, and begins where the prompt ends."""
    after = compile_template(str(mark(before)), special_tokens=SPECIAL_TOKENS)
    for sample in measure(before):
        marked = after.render_marked(sample.messages, sample.tools, **sample.options)
        trained = {place for start, end in marked.spans for place in range(start, end)}
        for start, end in sample.spans:
            seen = start + len(sample.text[start:end].rstrip())
            assert trained >= set(range(start, seen))
            trained -= set(range(start, end))
        assert not trained


def test_transformers_counts_the_same(before: str, measure: Measure, mark: Mark) -> None:
    """Law: no marker stands where its text is held first, and none encloses nothing."""
    after = compile_template(str(mark(before)), special_tokens=SPECIAL_TOKENS)
    for sample in measure(before):
        given = (sample.messages, sample.tools)
        counted = [span for span in after.transformers_spans(*given, **sample.options) if span[0] < span[1]]
        joined = [place for start, end in counted for place in range(start, end)]
        spans = after.render_marked(*given, **sample.options).spans
        assert joined == [place for start, end in spans for place in range(start, end)]


def test_markers_are_written_as_trainers_look_for_them(before: str, mark: Mark) -> None:
    after = str(mark(before))
    assert len(READ_BY_TRANSFORMERS.findall(after)) == after.count("endgeneration") > 0


def test_marking_is_repeatable(before: str, measure: Measure, mark: Mark) -> None:
    again = mark_generation(before, measure(before)[::-1], special_tokens=SPECIAL_TOKENS)
    assert again == mark(before)


def test_what_cannot_be_told_is_left_with_a_reason(measure: Measure, mark: Mark) -> None:
    held = (
        "{% macro turn(m) %}<{{ m.role }}>{{ m.content }}<end>{% endmacro %}"
        "{% for m in messages %}{{ turn(m) }}{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}"
    )
    result = mark(held)
    assert isinstance(result, Unmarkable)
    assert "`turn(m)`" in result.reason


def test_a_turn_that_contradicts_its_prompt_may_begin_later() -> None:
    source = "{% for m in messages %}{{ '<' + m.role + '>' + m.content }}{% endfor %}"
    messages = [{"role": "user", "content": "Umber1"}, {"role": "assistant", "content": "Amber1"}]
    text = "<user>Umber1<assistant>Amber1"
    sample = Sample(messages, None, {}, text, ((15, len(text)),), (23,))
    marked = mark_generation(source, [sample], special_tokens={})
    assert isinstance(marked, str)
    assert compile_template(marked).render_marked(messages).spans == ((23, len(text)),)
