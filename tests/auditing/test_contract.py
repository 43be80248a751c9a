"""The contract held against an original: each kind of fault is told once, and missing markers are one fault."""

from trainplate.auditing import Audit, audit
from trainplate.auditing.contract import NO_MARKERS, kind_of
from trainplate.auditing.examples import CALLS, MARKED, PLAIN
from trainplate.verdict import Verdict

TWICE = CALLS.replace("c.function.arguments if c.function.arguments is string else ", "")
FORGETS = PLAIN.replace("{{ m.content }}", "{{ m.content if loop.last or m.role == 'user' else '' }}")


def checks(report: Audit) -> list[str]:
    return [problem.check for problem in report.problems]


def test_missing_markers_are_one_problem_and_the_mask_checks_say_why_they_failed() -> None:
    report = audit(PLAIN)
    assert "markers-absent" in checks(report)
    assert not {"mask-is-sampled-text", "stop-trained", "nothing-lost"} & set(checks(report))
    reasons = {one.check: (one.verdict, one.reason) for one in report.outcomes}
    assert reasons["mask-is-sampled-text"] == (Verdict.FAILED, NO_MARKERS)


def test_the_same_fault_in_many_conversations_is_one_problem() -> None:
    report = audit(TWICE)
    found = [problem for problem in report.problems if problem.check == "arguments"]
    assert len(found) == 1
    assert found[0].conversations > 3
    assert "arguments-as-json" in found[0].cure


def test_what_a_refused_template_breaks_says_that_no_patch_is_proven() -> None:
    report = audit(MARKED.replace("{{ m.content }}", "{{ m.content }}{{ range(1000) | random }}"))
    assert report.refusal is not None
    assert all("no patch is proven" in one.cure for one in report.problems if one.check == "prefix-preserved")


def test_laws_that_compare_with_the_original_are_not_evaluated_on_it() -> None:
    verdicts = {one.check: one.verdict for one in audit(FORGETS).outcomes}
    assert verdicts["same-turn"] is verdicts["between-turns"] is Verdict.NOT_EVALUATED


def test_messages_that_differ_in_what_they_quote_are_of_one_kind() -> None:
    assert kind_of("'Amber1' is not trained") == kind_of("'it\\'s' is not trained")
    assert kind_of("'a' is lost") != kind_of("'a' is not trained")


def test_markers_are_promised_by_no_patch_where_there_is_none() -> None:
    whole = "{% for m in messages %}{{ m.role }}{{ m.content }}{% endfor %}"
    cures = {source: cure_of(audit(source), "markers-absent") for source in (whole, PLAIN)}
    assert cures[whole].startswith("no training template is found")
    assert cures[PLAIN].startswith("trainplate patch puts markers")


def cure_of(report: Audit, check: str) -> str:
    return next(problem.cure for problem in report.problems if problem.check == check)
