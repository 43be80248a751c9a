"""Whatever holds for every check; a new one is covered by being there."""

import importlib
import re
from collections.abc import Callable

import pytest

from trainplate.checks import Check, Report, all_checks
from trainplate.conversations import suite
from trainplate.verdict import Verdict

CONTRACT = {
    "arguments",
    "between-turns",
    "markers-count",
    "mask-is-sampled-text",
    "prefix-preserved",
    "prompt-then-turn",
    "reasoning-kept",
    "renders",
    "same-prompt",
    "same-turn",
    "stop-trained",
}
EVERY = [pytest.param(check, id=name) for name, check in all_checks().items()]
Judged = Callable[..., Report]


def test_every_law_of_the_contract_is_checked() -> None:
    assert set(all_checks()) >= CONTRACT


@pytest.mark.parametrize("check", EVERY)
def test_check_is_documented_by_a_sentence_and_its_file_by_a_reason(check: Check) -> None:
    first, _, _ = check.documentation.partition("\n")
    assert re.fullmatch(r"[A-Z].{20,}[.]", first)
    module = importlib.import_module(check.find.__module__)
    assert re.match(r"\S.{20,}[.]$", module.__doc__ or "", re.MULTILINE)
    assert module.__name__ == f"trainplate.checks.{check.name.replace('-', '_')}"


@pytest.mark.parametrize("check", EVERY)
def test_passing_example_passes(check: Check, judged: Judged) -> None:
    report = judged(check.passes.original, check.passes.training)
    assert [finding for finding in report.findings if finding.check == check.name] == []
    assert report.verdicts[check.name] is Verdict.PASSED


@pytest.mark.parametrize("check", EVERY)
def test_failing_example_fails_with_a_witness_and_something_to_show(check: Check, judged: Judged) -> None:
    report = judged(check.fails.original, check.fails.training)
    assert report.verdicts[check.name] is Verdict.FAILED
    finding = next(finding for finding in report.findings if finding.check == check.name)
    assert re.split(r" ?\[", finding.witness)[0] in {conversation.name for conversation in suite()}
    assert finding.message
    assert finding.before != finding.after
