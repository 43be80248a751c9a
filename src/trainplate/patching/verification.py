"""Whether a template is a training template as it stands; nothing is searched for, and no fix is imported."""

import marshal
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import chain, repeat
from typing import Any, Protocol

from trainplate.checks import Report, Trial, report_on
from trainplate.checks.contract import trial_of
from trainplate.checks.telling import refusal_of
from trainplate.conversations import Conversation, read_knobs
from trainplate.errors import Refusal
from trainplate.patching.bench import Bench, bench_of, modest
from trainplate.patching.choosing import script_for
from trainplate.patching.no_turns import quoted_answer, silence
from trainplate.patching.script import CLOCK, Script
from trainplate.rendering import DEFAULT_LIMITS, CompiledTemplate, Limits, TornMarkers, budget, code_for
from trainplate.template import Template
from trainplate.verdict import Finding, Verdict

DECLINED = "declined"
YES = b"yes"


class Promise(Protocol):
    """What is being made elsewhere."""

    def result(self) -> bytes:
        """Wait for it; it is empty where that fails."""

    def drop(self) -> None:
        """Make an end of it, where its result was not asked for."""


Elsewhere = Callable[[Callable[[], bytes]], Promise]
"""Has something made beside what this process does."""


@dataclass(frozen=True, eq=False)
class Verification:
    """What the contract says of a training template, and the original that it was compared with."""

    bench: Bench
    report: Report

    @property
    def first_findings(self) -> tuple[Finding, ...]:
        """The first finding of each check."""
        found: dict[str, Finding] = {}
        for finding in self.report.findings:
            found.setdefault(finding.check, finding)
        return tuple(found.values())


@dataclass(frozen=True, eq=False)
class Held:
    """A training template that is held to the contract, and what it is told beside its original."""

    script: Script
    source: str

    def is_proven_by_halves(self, elsewhere: Elsewhere) -> bool:
        """Say whether each half of the conversations proves the training template, so that all together do.

        A half is held to no less than the whole: what excuses a conversation is another of the whole, if anything.
        No says nothing, as a half may lack what the other shows.
        """
        own, others = self.script.halves()
        other = elsewhere(lambda: YES if self.is_proven_by(others) else b"")
        try:
            return self.is_proven_by(own) and other.result() == YES
        finally:
            other.drop()

    def is_proven_by(self, script: Script) -> bool:
        """Say whether a part of the conversations proves the training template."""
        bench = bench_of(script)
        if not bench.support.speaks or quoted_answer(bench) is not None:
            return False
        return report_of(bench.without_favours(), self.source, first_only=True).proven

    def verification(self) -> Verification:
        """Hold the training template to the contract; raises Refusal where there is nothing to compare."""
        bench = bench_of(self.script)
        if not bench.support.speaks:
            raise Refusal(silence(bench), check="renders", conversation="one-turn")
        if (quoting := quoted_answer(bench)) is not None:
            raise quoting
        bench = bench.without_favours()
        found = Verification(bench, report_of(bench, self.source))
        if found.report.proven or bench.support.form.silence == "empty":
            return found
        # As a patch does: calls with null as content may be said so that nothing of them can be trained on.
        without = modest(bench)
        again = Verification(without, report_of(without, self.source))
        return again if again.report.proven else found


def hold(training: Template, original: Template | None = None, *, elsewhere: Elsewhere | None = None) -> Held:
    """Compile a training template and its original, or itself where none is given, and choose what to tell both.

    Raises SyntaxFault where a text is no template, and LimitExceeded where the budget that is being shared is over.
    """
    if original is None or original.source == training.source:
        return Held(script_for(training.source, training.special_tokens), training.source)
    promised = elsewhere(lambda: marshal.dumps(code_and_knobs(training.source))) if elsewhere else None
    try:
        script = script_for(original.source, training.special_tokens)
        made = promised.result() if promised else b""
    finally:
        if promised:
            promised.drop()
    code, knobs = marshal.loads(made) if made else code_and_knobs(training.source)
    script = script.also_under(knobs)
    script.compiled(training.source, code)
    return Held(script, training.source)


def code_and_knobs(source: str) -> tuple[bytes, dict[str, tuple[Any, ...]]]:
    """Compile a training template, and read which options it takes."""
    knobs: dict[str, tuple[Any, ...]] = {}
    return code_for(source, clock=CLOCK, look=lambda tree: knobs.update(read_knobs(source, tree))), knobs


def verify(training: Template, original: Template | None = None, *, limits: Limits = DEFAULT_LIMITS) -> Verification:
    """Hold a training template to the contract, on the conversations that a patch is proven on.

    It is compared with its original, or with what it prints itself where none is given. Raises Refusal where there is
    nothing to compare, SyntaxFault, named by its file, where a text is no template, and LimitExceeded where both
    together take longer than the limits say.
    """
    with budget(limits):
        return hold(training, original).verification()


def declines(training: CompiledTemplate, conversation: Conversation) -> bool:
    """Say whether a training template turns a conversation down on purpose, as a patch does with unproven options."""
    refusal = refusal_of(training, conversation, conversation.messages)
    return refusal is not None and refusal.deliberate


def report_of(bench: Bench, source: str, *, first_only: bool = False) -> Report:
    """Run every check on every conversation; where a marker cannot be told from its text, that is a finding too.

    What is declined on purpose under an option that has nothing to do with reasoning is left out, as nobody is trained
    on it. `first_only` stops behind the first conversation with a finding.
    """
    training, marked = bench.compiled(source), "endgeneration" in source
    torn: list[Finding] = []
    declined: list[tuple[str, str]] = []

    def trials() -> Iterator[Trial]:
        told = chain(zip((*bench.heard, *bench.drawn), repeat(False)), zip(bench.glanced, repeat(True)))
        for heard, optional in told:
            try:
                trial = trial_of(heard, training, bench.eos, marked=marked)
            except TornMarkers as error:
                torn.append(Finding("markers-count", str(error), heard.conversation.label))
                continue
            if optional and trial.training is None and declines(training, heard.conversation):
                declined.append((heard.conversation.label, DECLINED))
            else:
                yield trial

    report = report_on(trials(), first_only=first_only)
    findings = (*torn, *report.findings)
    failed = {finding.check: Verdict.FAILED for finding in torn}
    left_out = (*bench.left_out, *report.left_out, *declined)
    return replace(report, findings=findings, verdicts={**report.verdicts, **failed}, left_out=left_out)
