"""A report says what passed, what failed, and what nobody looked at."""

from collections.abc import Callable

import pytest

from trainplate.checks import Report, all_checks
from trainplate.conversations import Conversation, named
from trainplate.verdict import Verdict

Judged = Callable[..., Report]
HOISTING = (
    "{% for m in messages if m.role == 'system' %}<system>{{ m.content }}</s>{% endfor %}"
    "{% for m in messages if m.role != 'system' %}@{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}"
)
NO_PROMPT = "{% if add_generation_prompt %}{{ raise_exception('I only read.') }}{% endif %}"


def test_right_training_template_is_proven(plain: str, trained: str, judged: Judged) -> None:
    report = judged(plain, trained)
    assert report.proven
    assert Verdict.FAILED not in report.verdicts.values()
    assert report.conversations > 40


def test_nothing_is_proven_by_no_conversation(judged: Judged) -> None:
    report = judged("{{ raise_exception('never') }}", "{{ raise_exception('never') }}", named("one-turn"))
    assert not report.proven
    assert set(report.verdicts.values()) == {Verdict.NOT_EVALUATED}


@pytest.mark.parametrize(
    ("conversation", "unheard"),
    [
        ("one-turn", {"arguments", "between-turns", "reasoning-kept"}),
        ("two-turns", {"arguments", "reasoning-kept"}),
        ("inline-reasoning", {"arguments", "between-turns"}),
        ("call", {"between-turns", "reasoning-kept"}),
    ],
)
def test_check_that_a_conversation_does_not_concern_is_not_evaluated(
    conversation: str, unheard: set[str], plain: str, trained: str, judged: Judged
) -> None:
    verdicts = judged(plain, trained, named(conversation)).verdicts
    assert {name for name, verdict in verdicts.items() if verdict is Verdict.NOT_EVALUATED} == unheard


def test_conversation_without_answers_evaluates_no_law_about_turns(plain: str, trained: str, judged: Judged) -> None:
    asked = Conversation("asked", named("one-turn").messages[:1])
    verdicts = judged(plain, trained, asked).verdicts
    assert {name for name, verdict in verdicts.items() if verdict is not Verdict.NOT_EVALUATED} == {"nothing-lost"}


def test_irregular_conversation_is_left_out_with_a_reason_and_only_searched_for_losses(judged: Judged) -> None:
    original = HOISTING.replace("@", "<{{ m.role }}>{{ m.content }}</s>")
    report = judged(original, original, named("system-late"))
    (left_out,) = report.left_out
    assert left_out == ("system-late", "the original prints a later system message in front of earlier turns")
    evaluated = {name for name, verdict in report.verdicts.items() if verdict is not Verdict.NOT_EVALUATED}
    assert evaluated == {"nothing-lost"}


def test_law_about_turns_is_not_passed_where_the_original_never_says_where_one_begins(
    plain: str, trained: str, judged: Judged
) -> None:
    verdicts = judged(NO_PROMPT + plain, NO_PROMPT + trained, named("one-turn")).verdicts
    assert verdicts["mask-is-sampled-text"] is Verdict.NOT_EVALUATED
    assert verdicts["same-turn"] is Verdict.NOT_EVALUATED


def test_template_that_changes_every_turn_is_not_proven_by_an_original_that_declines_prompts(
    plain: str, trained: str, judged: Judged
) -> None:
    louder = trained.replace("{% generation %}", "{% generation %}LOUDER ")
    assert not judged(NO_PROMPT + plain, NO_PROMPT + louder).proven


def test_report_names_every_check_once(plain: str, judged: Judged) -> None:
    report = judged(plain, plain)
    assert list(report.verdicts) == list(all_checks())
    failed = {name for name, verdict in report.verdicts.items() if verdict is Verdict.FAILED}
    assert failed == {finding.check for finding in report.findings} != set()
