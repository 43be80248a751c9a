"""Which reasoning must be printed, and which no template could be asked for."""

from collections.abc import Callable

import pytest

from trainplate.checks import Report
from trainplate.conversations import named, with_reasoning_key
from trainplate.verdict import Verdict

Failing = Callable[..., set[str]]
FIELD = "{% if m.reasoning_content %}<think>{{ m.reasoning_content }}</think>{% endif %}{{ m.content }}"
LAST = FIELD.replace("m.reasoning_content %}", "m.reasoning_content and loop.last %}")


def test_reasoning_dropped_from_history_is_found_at_the_turn_that_lost_it(
    plain: str, trained: str, judged: Callable[..., Report]
) -> None:
    report = judged(
        plain.replace("{{ m.content }}", LAST), trained.replace("{{ m.content }}", LAST), named("reasoning-two-turns")
    )
    (finding,) = [finding for finding in report.findings if finding.check == "reasoning-kept"]
    assert finding.witness == "reasoning-two-turns[:2]"
    assert finding.before in named("reasoning-two-turns").messages[1]["reasoning_content"]
    assert finding.message == "the reasoning of this turn is dropped once messages follow"
    assert finding.before not in finding.after


def test_reasoning_that_the_original_never_prints_is_not_asked_for(plain: str, trained: str, failing: Failing) -> None:
    assert "reasoning-kept" not in failing(plain, trained, named("reasoning"), named("reasoning-two-turns"))


@pytest.mark.parametrize("key", ["reasoning_content", "reasoning", "thinking"])
def test_reasoning_is_asked_for_under_each_of_its_names(key: str, plain: str, trained: str, failing: Failing) -> None:
    original, told = plain.replace("{{ m.content }}", FIELD), with_reasoning_key(named("reasoning"), key)
    assert "reasoning-kept" in failing(original, trained, told)
    assert failing(original, trained.replace("{{ m.content }}</s>{% endg", FIELD + "</s>{% endg"), told) == set()


def test_inline_reasoning_must_be_kept_even_where_the_original_cuts_it(
    plain: str, trained: str, failing: Failing
) -> None:
    cutting = "m.content.split('</think>')[-1].lstrip()"
    original = plain.replace("m.content", cutting)
    assert "reasoning-kept" in failing(original, trained.replace("m.content", cutting), named("inline-reasoning"))
    assert failing(original, trained, named("inline-reasoning")) == set()


def test_reasoning_of_an_answer_that_is_not_printed_is_not_asked_for(plain: str, failing: Failing) -> None:
    silent = plain.replace("m.content", "m.content if m.role == 'user'")
    assert "reasoning-kept" not in failing(silent, silent, named("inline-reasoning"))


def test_conversations_without_reasoning_do_not_evaluate_it(
    plain: str, trained: str, judged: Callable[..., Report]
) -> None:
    verdicts = judged(plain, trained, named("one-turn"), named("reasoning-empty")).verdicts
    assert verdicts["reasoning-kept"] is Verdict.NOT_EVALUATED
