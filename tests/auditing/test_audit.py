"""An audit takes whatever holds a template, says whether it can be trained on, and never runs away."""

import json
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

import trainplate
from trainplate.auditing import Audit, Severity, Trainable, audit, audit_all
from trainplate.auditing.examples import MARKED, PLAIN, tokenizer_of_letters
from trainplate.errors import LoadingError, SyntaxFault
from trainplate.families.identification import Rung
from trainplate.rendering import Limits
from trainplate.template import Template
from trainplate.verdict import Verdict

QUOTING = (
    "Is this answer safe?{% for m in messages %}[{{ m.role }}]{{ m.content }}{% endfor %}"
    " Say yes or no, and then give the reasons that lead you to say so, in a sentence or two. Answer:"
)


def outcome(report: Audit, check: str) -> Verdict:
    return {one.check: one.verdict for one in report.outcomes}[check]


def test_public_name_is_the_same_function() -> None:
    assert trainplate.audit is audit


def test_template_without_markers_can_be_trained_on_after_patching() -> None:
    report = audit(PLAIN, {"eos_token": "</s>"})
    assert report.trainable is Trainable.AFTER_PATCHING
    assert report.patch is not None
    assert report.patch.edits
    assert report.refusal is None
    assert outcome(report, "mask-is-sampled-text") is Verdict.FAILED
    assert outcome(report, "prefix-preserved") is Verdict.PASSED


def test_training_template_can_be_trained_on_as_it_is() -> None:
    report = audit(MARKED)
    assert report.trainable is Trainable.AS_IT_IS
    assert report.patch is not None
    assert report.patch.edits == ()
    assert outcome(report, "mask-is-sampled-text") is Verdict.PASSED


def test_template_that_is_refused_says_why() -> None:
    report = audit(QUOTING)
    assert report.trainable is Trainable.NOT
    assert report.patch is None
    assert report.refusal is not None
    assert all(part.kind == "supplied" for shown in report.conversations for part in shown.parts)


def test_every_check_of_both_kinds_has_an_outcome() -> None:
    names = [one.check for one in audit(MARKED).outcomes]
    assert len(names) == len(set(names))
    assert {"renders", "clock-in-template"} <= set(names)


def test_what_is_not_evaluated_says_why() -> None:
    for one in audit("{{ messages | length }}").outcomes:
        assert one.verdict is not Verdict.NOT_EVALUATED or one.reason


def test_errors_come_before_warnings_and_notes() -> None:
    ranks = ["error", "warning", "note"]
    found = [ranks.index(problem.severity) for problem in audit("You are kind." + PLAIN).problems]
    assert found == sorted(found)
    assert len(set(found)) > 1


def test_text_template_path_folder_and_tokenizer_give_the_same_audit(tmp_path: Path) -> None:
    tokens = {"eos_token": "</s>"}
    (tmp_path / "chat_template.jinja").write_text(PLAIN)
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(tokens))
    live = SimpleNamespace(chat_template=PLAIN, special_tokens_map=tokens)
    sources = [PLAIN, Template(PLAIN, tokens), tmp_path / "chat_template.jinja", str(tmp_path), live]
    reports = [audit(sources[0], tokens), *map(audit, sources[1:])]
    assert {report.problems for report in reports} == {reports[0].problems}
    assert {report.facts for report in reports} == {reports[0].facts}
    assert [report.source for report in reports][-1] == "<tokenizer>"


def test_tokenizer_beside_the_template_gives_tokens(tmp_path: Path) -> None:
    (tmp_path / "chat_template.jinja").write_text(MARKED)
    tokenizer_of_letters().save(str(tmp_path / "tokenizer.json"))
    for source in (tmp_path, tmp_path / "chat_template.jinja"):
        report = audit(source)
        assert outcome(report, "token-crosses-edge") is Verdict.PASSED
        assert any(part.tokens for shown in report.conversations for part in shown.parts)


def test_without_a_tokenizer_nothing_is_said_of_tokens() -> None:
    report = audit(MARKED)
    assert outcome(report, "token-crosses-edge") is Verdict.NOT_EVALUATED
    assert not any(part.tokens for shown in report.conversations for part in shown.parts)


def test_a_broken_tokenizer_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "chat_template.jinja").write_text(MARKED)
    (tmp_path / "tokenizer.json").write_text("{}")
    assert outcome(audit(tmp_path), "token-crosses-edge") is Verdict.NOT_EVALUATED


def test_several_named_templates_give_several_audits(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer_config.json"
    path.write_text(json.dumps({"chat_template": {"default": PLAIN, "tool_use": MARKED}}))
    assert [one.template.variant for one in audit_all(path)] == ["default", "tool_use"]
    with pytest.raises(LoadingError, match=r"has several templates: default, tool_use\n.*audit_all"):
        audit(path)


def test_what_is_no_template_is_named_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "t.jinja").write_text("{% for m in messages %}\n{{ m. }}")
    with pytest.raises(SyntaxFault, match=r"t\.jinja:2:"):
        audit(tmp_path / "t.jinja")


@pytest.mark.parametrize(
    "source",
    [
        "{% for a in range(99999) %}{% for b in range(99999) %}{{ messages }}{% endfor %}{% endfor %}",
        "{% set ns = namespace(x='a') %}{% for a in range(60) %}{% set ns.x = ns.x + ns.x %}{% endfor %}{{ ns.x }}",
        "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}{{ messages }}",
    ],
    ids=["endless", "growing", "recursive"],
)
def test_template_that_takes_too_long_is_stopped_and_says_so(source: str) -> None:
    report = audit(source, limits=Limits(seconds=0.5, characters=100_000))
    assert report.trainable is Trainable.NOT
    assert report.refusal is not None
    assert report.counted(Severity.ERROR)
    assert Verdict.PASSED not in {one.verdict for one in report.outcomes if one.check == "renders"}


def test_limit_holds_while_a_family_is_looked_for() -> None:
    endless = "{% for a in range(99999) %}{% for b in range(99999) %}{{ messages }}{% endfor %}{% endfor %}"
    start = time.monotonic()
    assert audit(endless, limits=Limits(seconds=0.3)).trainable is Trainable.NOT
    assert time.monotonic() - start < 3


def test_template_that_takes_too_long_to_compile_names_no_conversation() -> None:
    report = audit("{{ a }}" * 6000 + PLAIN, limits=Limits(seconds=0.001))
    (problem,) = report.problems
    assert problem.conversation == ""
    assert problem.message.endswith("it was being compiled, and no conversation told")


def test_family_and_how_it_was_recognised_are_told() -> None:
    pytest.importorskip("trl")
    report = audit("trl:gemma3")
    assert report.family is not None
    assert (report.family.family, report.family.how) == ("gemma3", Rung.BYTES)
    assert report.assumed_tokens == {"bos_token": "<bos>"}
    assert report.facts.bos == "<bos>"


def test_markers_in_a_text_that_is_trimmed_are_said_to_be_miscounted_and_set_anew() -> None:
    turn = "{% filter trim %}{% generation %} {{ m.content }}</s>{% endgeneration %}{% endfilter %}"
    report = audit("{% for m in messages %}<{{ m.role }}>" + turn + "{% endfor %}" + PLAIN.partition("{% endfor %}")[2])
    assert report.trainable is Trainable.AFTER_PATCHING
    assert "markers-count" in {problem.check for problem in report.problems}
