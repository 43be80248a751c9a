"""The first tests of every check are its own examples: one template passes it, one fails it."""

import pytest

from trainplate.auditing import Audit, AuditCheck, all_audit_checks
from trainplate.auditing.auditor import audit_of
from trainplate.auditing.registry import Example
from trainplate.auditing.tokens import Encoder
from trainplate.checks import all_checks
from trainplate.template import Template
from trainplate.verdict import Verdict

CHECKS = [pytest.param(check, id=name) for name, check in all_audit_checks().items()]
NEED_A_RECORD = {"differs-from-record"}
"""Checks whose subject is another's template, which cannot stand in an example of ours."""


def audited(example: Example) -> Audit:
    encoder = Encoder(example.tokenizer()) if example.tokenizer else None
    return audit_of(Template(example.source, example.special_tokens), "<example>", encoder)


def verdict(audit: Audit, check: AuditCheck) -> Verdict:
    return next(outcome.verdict for outcome in audit.outcomes if outcome.check == check.name)


@pytest.mark.parametrize("check", CHECKS)
def test_passing_example_passes(check: AuditCheck) -> None:
    if check.name in NEED_A_RECORD:
        pytest.skip("it compares with a published template")
    audit = audited(check.passes)
    assert verdict(audit, check) is Verdict.PASSED
    assert check.name not in {problem.check for problem in audit.problems}


@pytest.mark.parametrize("check", CHECKS)
def test_failing_example_fails_and_says_what_to_do(check: AuditCheck) -> None:
    if check.name in NEED_A_RECORD:
        pytest.skip("it compares with a published template")
    audit = audited(check.fails)
    assert verdict(audit, check) is Verdict.FAILED
    for problem in (one for one in audit.problems if one.check == check.name):
        assert problem.message
        assert problem.cure


@pytest.mark.parametrize("check", CHECKS)
def test_check_is_documented_in_a_sentence(check: AuditCheck) -> None:
    assert check.documentation.splitlines()[0].endswith((".", ":"))


def test_no_check_has_the_name_of_one_of_the_contract() -> None:
    assert not all_audit_checks().keys() & all_checks().keys()
