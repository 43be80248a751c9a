"""Whether a template is a training template as it stands; nothing is searched for, and no fix is imported."""

from dataclasses import dataclass, replace
from itertools import chain, repeat

from trainplate.checks import Report, Trial, report_on
from trainplate.checks.contract import trial_of
from trainplate.conversations import Conversation
from trainplate.errors import Declined, Refusal
from trainplate.patching.bench import Bench, lay, modest
from trainplate.patching.no_turns import quoted_answer, silence
from trainplate.rendering import DEFAULT_LIMITS, CompiledTemplate, Limits, TornMarkers, budget
from trainplate.template import Template
from trainplate.verdict import Finding, Verdict

DECLINED = "declined"


@dataclass(frozen=True)
class Verification:
    """What the contract says of a training template, and the original that it was compared with."""

    bench: Bench
    report: Report

    @property
    def first_findings(self) -> tuple[Finding, ...]:
        """The first finding of each check: the shortest conversation that shows it."""
        found: dict[str, Finding] = {}
        for finding in self.report.findings:
            found.setdefault(finding.check, finding)
        return tuple(found.values())


def verify(training: Template, original: Template | None = None, *, limits: Limits = DEFAULT_LIMITS) -> Verification:
    """Hold a training template to the contract, on the conversations that a patch is proven on.

    It is compared with its original, or with what it prints itself where none is given. Raises Refusal where there is
    nothing to compare, SyntaxFault, named by its file, where a text is no template, and LimitExceeded where both
    together take longer than the limits say.
    """
    with budget(limits):
        bench = lay((original or training).source, training.special_tokens)
        if not bench.support.speaks:
            raise Refusal(silence(bench), check="renders", conversation="one-turn")
        if (quoting := quoted_answer(bench)) is not None:
            raise quoting
        bench = bench.without_favours()
        found = Verification(bench, report_of(bench, training.source))
        if found.report.proven or bench.support.form.silence == "empty":
            return found
        # As a patch does: calls with null as content may be said so that nothing of them can be trained on.
        without = modest(bench)
        again = Verification(without, report_of(without, training.source))
        return again if again.report.proven else found


def declines(training: CompiledTemplate, conversation: Conversation) -> bool:
    """Say whether a training template turns a conversation down on purpose, as a patch does with unproven options."""
    tools = list(conversation.tools) if conversation.tools else None
    try:
        training.render(conversation.messages, tools, **conversation.options)
    except Declined as declined:
        return declined.deliberate
    return False


def report_of(bench: Bench, source: str) -> Report:
    """Run every check on every conversation; where a marker cannot be told from its text, that is a finding too.

    What is declined on purpose under an option that has nothing to do with reasoning is left out, as nobody is trained
    on it.
    """
    training, marked = bench.compiled(source), "endgeneration" in source
    trials: list[Trial] = []
    torn: list[Finding] = []
    declined: list[tuple[str, str]] = []
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
            trials.append(trial)
    report = report_on(trials)
    findings = (*torn, *report.findings)
    failed = {finding.check: Verdict.FAILED for finding in torn}
    left_out = (*bench.left_out, *report.left_out, *declined)
    return replace(report, findings=findings, verdicts={**report.verdicts, **failed}, left_out=left_out)
