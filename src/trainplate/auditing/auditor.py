"""The way in: a source is loaded, recognised, held to every check, patched or refused, and shown."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Any

from trainplate.auditing.audit import Audit, Outcome, Problem, Severity, Trainable
from trainplate.auditing.contract import outcomes_of, problems_of
from trainplate.auditing.facts import facts_of
from trainplate.auditing.registry import all_audit_checks, evaluate
from trainplate.auditing.showing import shown_conversations
from trainplate.auditing.special_tokens import with_tokens
from trainplate.auditing.subject import Subject
from trainplate.auditing.supports import supports_of
from trainplate.auditing.tokens import Encoder, encoder_for
from trainplate.checks import Report, all_checks, report_on
from trainplate.errors import LimitExceeded, Refusal, SyntaxFault, too_deep
from trainplate.families.identification import identify
from trainplate.loading.source import load
from trainplate.loading.text_file import failure
from trainplate.patching.bench import Bench, lay
from trainplate.patching.patch import Patch, known_patch, patch_on
from trainplate.rendering import DEFAULT_LIMITS, Limits, budget
from trainplate.syntax import parse, with_newlines
from trainplate.template import Template, with_stand_ins
from trainplate.verdict import Verdict

TAGS = ("{{", "{%")


def audit(source: Any, special_tokens: Mapping[str, str] | None = None, *, limits: Limits = DEFAULT_LIMITS) -> Audit:
    """Say whether a template can be trained on, what is wrong with it, and what is trained.

    `source` is a path, a Hub id, `trl:NAME`, a template's text, a `Template`, or a tokenizer or processor. Raises
    LoadingError where there is no template, or several under names (see `audit_all`), and SyntaxFault, with line and
    column, where the text is none.
    """
    templates = templates_in(source, special_tokens)
    if len(templates) > 1:
        names = ", ".join(str(template.variant) for template in templates)
        where = templates[0].name.partition("[")[0]
        raise failure(where, f"has several templates: {names}", "audit_all(SOURCE) audits each of them")
    return audit_of(templates[0], named(source), encoder_for(source), limits)


def audit_all(
    source: Any, special_tokens: Mapping[str, str] | None = None, *, limits: Limits = DEFAULT_LIMITS
) -> tuple[Audit, ...]:
    """Audit every template of a source: one, or several under names; raises as `audit` does."""
    encoder = encoder_for(source)
    return tuple(
        audit_of(template, named(source), encoder, limits) for template in templates_in(source, special_tokens)
    )


def templates_in(source: Any, special_tokens: Mapping[str, str] | None) -> tuple[Template, ...]:
    """Return what a source holds; a text with tags in it is a template itself."""
    if isinstance(source, Template):
        found: tuple[Template, ...] = (source,)
    elif isinstance(source, str) and any(tag in source for tag in TAGS):
        found = (with_stand_ins(Template(source)),)
    else:
        found = load(source)
    if special_tokens is None:
        return found
    return tuple(Template(one.source, special_tokens, one.name, one.variant) for one in found)


def named(source: Any) -> str:
    """Return what the user named, as messages show it."""
    if isinstance(source, Template):
        return source.name
    if isinstance(source, str | Path):
        return "<template>" if any(tag in str(source) for tag in TAGS) else str(source)
    return "<tokenizer>"


STEPS = {
    "identify": "its family was being looked for",
    "render": "it was being held to the contract",
    "patch": "a training template was being searched for",
    "facts": "what it prints around turns was being read",
    "checks": "it was being held to the checks",
    "supports": "what it supports was being asked",
    "show": "conversations were being laid out to be shown",
}
"""What is done in each step, for a limit that is reached while no conversation is named."""


class Watch:
    """How long each step takes."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Time one step; a limit that is reached in it says so."""
        start = perf_counter()
        try:
            yield
        except LimitExceeded as exceeded:
            raise exceeded.amid(STEPS[name]) from None
        finally:
            self.seconds[name] = perf_counter() - start


def audit_of(template: Template, source: str, encoder: Encoder | None, limits: Limits = DEFAULT_LIMITS) -> Audit:
    """Audit one template; whatever it costs to render is bounded."""
    try:
        return unbounded_audit_of(template, source, encoder, limits)
    except SyntaxFault as fault:
        raise fault.in_file(template.name) from fault
    except RecursionError as error:
        raise too_deep(template.name) from error
    except LimitExceeded as exceeded:
        return stopped(template, source, Refusal.of_limit(exceeded))


def unbounded_audit_of(template: Template, source: str, encoder: Encoder | None, limits: Limits) -> Audit:
    """Take every step of an audit; raises LimitExceeded where one takes too long."""
    watch = Watch()
    subject, report = studied(template, encoder, limits, watch)
    with watch.step("checks"), budget(limits):
        problems, outcomes = checked(subject, report)
    with watch.step("supports"), budget(limits):
        supports = supports_of(subject.bench, subject.original)
    with watch.step("show"), budget(limits):
        conversations = shown_conversations(
            subject.bench,
            subject.training or subject.original,
            subject.facts,
            encoder,
            marked=subject.training is not None,
        )
    return Audit(
        source=source,
        template=subject.template,
        family=subject.match,
        trainable=trainable(subject.patch),
        outcomes=outcomes,
        problems=problems,
        supports=supports,
        facts=subject.facts,
        patch=subject.patch,
        refusal=subject.refusal,
        conversations=conversations,
        assumed_tokens=subject.assumed_tokens,
        seconds=watch.seconds,
    )


def studied(template: Template, encoder: Encoder | None, limits: Limits, watch: Watch) -> tuple[Subject, Report]:
    """Learn what checks look at: the family, what the template says, its patch; and hold it to the contract."""
    text = with_newlines(template.source)
    with watch.step("identify"):
        match = identify(template, seconds=limits.seconds)
    template, assumed = with_tokens(template, match)
    with watch.step("render"), budget(limits):
        bench = lay(text, template.special_tokens)
        trials = tuple(bench.trials(text, bench.taken))
        report = report_on(trials)
    with watch.step("patch"):
        patch, refusal = patch_or_refusal(bench, template, limits)
    with watch.step("facts"), budget(limits):
        original = bench.compiled(text)
        training = None if patch is None else bench.compiled(patch.training_template)
        facts = facts_of(bench, parse(text), original, training)
    subject = Subject(template, bench, match, patch, refusal, facts, encoder, original, training, trials, assumed)
    return subject, report


def checked(subject: Subject, report: Report) -> tuple[tuple[Problem, ...], tuple[Outcome, ...]]:
    """Return the problems, what costs most first, and what each check says; a refusal is an error in any case."""
    problems = list(problems_of(subject, report, marked=subject.marked))
    beyond = [evaluate(check, subject) for check in all_audit_checks().values()]
    problems += [problem for _, found in beyond for problem in found]
    if subject.refusal is not None and not any(problem.severity is Severity.ERROR for problem in problems):
        problems.append(refused(subject.refusal))
    outcomes = (*outcomes_of(report, marked=subject.marked), *(outcome for outcome, _ in beyond))
    return tuple(sorted(problems, key=gravity)), outcomes


def patch_or_refusal(bench: Bench, template: Template, limits: Limits) -> tuple[Patch | None, Refusal | None]:
    """Return the patch, or else why there is none."""
    try:
        return known_patch(template) or patch_on(bench, template, limits), None
    except Refusal as refusal:
        return None, refusal
    except LimitExceeded as exceeded:
        return None, Refusal.of_limit(exceeded)


def trainable(patch: Patch | None) -> Trainable:
    """Say whether a template can be trained on."""
    if patch is None:
        return Trainable.NOT
    return Trainable.AFTER_PATCHING if patch.edits else Trainable.AS_IT_IS


GRAVITY = {severity: rank for rank, severity in enumerate(Severity)}


def gravity(problem: Problem) -> int:
    """Return the place of a problem in the list: what costs most comes first."""
    return GRAVITY[problem.severity]


def refused(refusal: Refusal) -> Problem:
    """Make an error of a refusal, where nothing else says that a template cannot be trained on."""
    return Problem(
        check=refusal.check,
        severity=Severity.ERROR,
        message=refusal.reason,
        cure="mend the template by hand, or take another; `trainplate explain` says what is demanded",
        conversation=refusal.conversation,
        before=refusal.before,
        after=refusal.after,
        labels=refusal.labels,
    )


def stopped(template: Template, source: str, refusal: Refusal) -> Audit:
    """Return the audit of a template that had to be stopped: nothing could be evaluated."""
    names = (*all_checks(), *all_audit_checks())
    return Audit(
        source=source,
        template=template,
        family=None,
        trainable=Trainable.NOT,
        outcomes=tuple(Outcome(name, Verdict.NOT_EVALUATED, str(refusal.reason)) for name in names),
        problems=(refused(refusal),),
        refusal=refusal,
    )
