"""The facts of each case hold in an audit of its tokenizer: what must be found, and what must not."""

from collections.abc import Callable, Iterator
from typing import Any, Protocol

import pytest

from trainplate.auditing import Audit, Problem, Severity, Trainable, audit
from trainplate.families.identification import Rung

SAYS = {
    "no-markers": "markers-absent",
    "header-in-mask": "mask-is-sampled-text",
    "prefill-in-mask": "mask-is-sampled-text",
    "stop-not-trained": "stop-trained",
    "stop-owned-by-next-turn": "stop-trained",
    "stop-only-on-last-turn": "stop-only-while-last",
    "history-rewritten": "prefix-preserved",
    "last-turn-differs": "prefix-preserved",
    "content-rewritten": "content-rewritten",
    "prompt-not-prefix": "prompt-is-no-start",
    "args-dict-unsupported": "arguments-declined",
    "args-string-unsupported": "arguments-declined",
    "args-double-encoded": "arguments",
    "tool-calls-dropped": "tool-calls-dropped",
    "none-content-breaks": "missing-content-declined",
    "implicit-system-prompt": "implicit-system-prompt",
    "clock-dependent": "clock-in-template",
    "double-bos-risk": "bos-printed-twice",
    "eos-is-not-turn-end": "eos-is-not-turn-end",
    "pad-equals-eos": "padding-is-stop-token",
    "control-token-in-content": "control-tokens-in-content",
    "role-order-restricted": "roles-restricted",
}
"""The check that states the fact which a case calls by a name of its own."""
OUTCOMES = {Trainable.AS_IT_IS: "already_ok", Trainable.AFTER_PATCHING: "patch", Trainable.NOT: "refuse"}
IMPLICIT = "You are Qwen, created by Alibaba Cloud. You are a helpful assistant."


Audited = Callable[[str], tuple[Audit, ...]]


class Case(Protocol):
    """What a case offers; see `conftest.py`."""

    stored: dict[str, Any]
    source: str
    expected: dict[str, Any]
    special_tokens: dict[str, str]


def found(audits: tuple[Audit, ...], check: str) -> list[Problem]:
    return [problem for one in audits for problem in one.problems if problem.check == check]


def test_every_finding_is_reported(audited_case: Case, audits: tuple[Audit, ...]) -> None:
    missing = [name for name in audited_case.expected["findings"] if not found(audits, SAYS[name])]
    assert not missing


def test_verdict_is_the_expected_one(audited_case: Case, audits: tuple[Audit, ...]) -> None:
    allowed = audited_case.expected["outcome_ok"]
    if "normalise_messages" in allowed:
        pytest.skip("the messages are to be mended; of the template alone nothing is said")
    verdicts = {OUTCOMES[one.trainable] for one in audits}
    assert verdicts <= {*allowed, *(["already_ok"] if len(audits) > 1 else [])}
    assert verdicts & set(allowed)


def test_history_is_said_to_be_rewritten_where_it_is(audited_case: Case, audits: tuple[Audit, ...]) -> None:
    known = (audited_case.expected.get("original") or {}).get("prefix_preserved")
    rewritten = bool(found(audits, "prefix-preserved"))
    if known is False:
        assert rewritten
    elif known == "raises":
        assert not rewritten, "what is declined is not rewritten"


def test_each_problem_has_a_cure_and_errors_have_a_conversation(audits: tuple[Audit, ...]) -> None:
    for problem in (problem for one in audits for problem in one.problems):
        assert problem.cure
        assert problem.message
        if problem.severity is Severity.ERROR and problem.check != "markers-absent":
            assert problem.conversation


def test_implicit_system_prompt_is_quoted_as_a_note(audited: Audited) -> None:
    audits = audited("s13-implicit-system-prompt")
    problem = found(audits, "implicit-system-prompt")[0]
    assert problem.severity is Severity.NOTE
    assert problem.after == IMPLICIT
    assert IMPLICIT in problem.message
    assert audits[0].facts.default_system_prompt == IMPLICIT
    assert problem.place is not None


def test_clock_is_found_in_the_template(audited: Audited) -> None:
    audits = audited("s14-clock-in-template")
    problem = found(audits, "clock-in-template")[0]
    assert problem.place is not None
    assert problem.place.expression == "strftime_now('%d %B %Y')"
    assert audits[0].facts.clock


def test_bos_that_the_tokenizer_adds_is_cured_where_text_is_encoded(audited: Audited) -> None:
    audits = audited("s15-bos-written-twice")
    assert "add_special_tokens=False" in found(audits, "bos-printed-twice")[0].cure


def test_stop_token_is_not_taken_for_eos(audited: Audited) -> None:
    audits = audited("s16-eos-is-not-the-turn-end")
    assert audits[0].facts.stop_tokens == ("<end_of_turn>",)


def test_marker_in_a_comment_counts_for_nothing(audited: Audited) -> None:
    audits = audited("s17-marker-only-in-a-comment")
    assert found(audits, "markers-only-in-comment")


def test_patched_edges_are_crossed_by_no_token_but_tokens_move(audited: Audited) -> None:
    audits = audited("s18-token-crosses-the-end-edge")
    assert not found(audits, "token-crosses-edge")
    assert found(audits, "token-prefix-broken")


def test_named_templates_are_audited_each_under_its_name(audited: Audited) -> None:
    audits = audited("s20-named-templates")
    bare = {one.template.variant: bool(found((one,), "markers-absent")) for one in audits}
    assert bare == {"default": False, "tool_use": True}


def test_call_beside_an_empty_text_is_said_to_be_lost_and_cured_by_leaving_the_text_out(audited: Audited) -> None:
    audits = audited("s21-content-none-test")
    (lost,) = found(audits, "empty-content-drops-calls")
    assert '"content": ""' in lost.before
    assert lost.cure.startswith("trainplate patch (missing-content), then leave the key content out")
    assert found(audits, "missing-content-declined")[0].cure == "trainplate patch (missing-content)"


def test_tools_that_are_declined_are_not_supported(audited: Audited) -> None:
    audits = audited("s22-probe-roles-rejected")
    assert not audits[0].supports.tools


def variants(case: Case) -> Iterator[tuple[bool, str]]:
    """Yield each variant of a template, with whether it is of the same family."""
    for variant in case.stored["variants"]:
        argument, source = variant["arg"], case.source
        if variant["op"] == "replace":
            yield variant["same_family"], source.replace(*argument)
        else:
            yield variant["same_family"], source + argument if variant["op"] == "append" else argument + source


def test_copies_are_recognised_and_changed_copies_told_apart(varied_case: Case) -> None:
    for same, source in variants(varied_case):
        report = audit(source, varied_case.special_tokens)
        assert report.family is not None
        assert (report.family.how is not Rung.NEAREST) == same
        changed = [one for one in report.problems if one.check == "differs-from-record"]
        assert any(one.severity is Severity.WARNING for one in changed) != same
