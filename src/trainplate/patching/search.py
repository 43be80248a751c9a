"""Finds a training template for an original that nobody has recorded: fixes in order, each kept only if it helps."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from trainplate.checks import Report, Trial, all_checks, report_on
from trainplate.conversations import Conversation, text_of
from trainplate.errors import Refusal, SyntaxFault
from trainplate.fixes import Candidate, Fix, all_fixes
from trainplate.fixes.decline_options import decline_options
from trainplate.fixes.mark_generation import Sample, Unmarkable, mark_generation
from trainplate.fixes.own_stop_token import own_stop_token
from trainplate.fixes.replay import replay
from trainplate.fixes.strip_markers import strip_markers
from trainplate.patching.bench import Bench
from trainplate.patching.samples import samples_of
from trainplate.patching.script import CLOCK
from trainplate.patching.survey import survey

HISTORY, ORDER = "keep-history", "keep-order"
RENDERS, REASONING = "renders", "reasoning-kept"
Options = Mapping[str, Any]
MOST_LESSONS = 3
"""How often markers are placed anew, with what the last attempt failed on before the eyes."""


@dataclass(frozen=True)
class Found:
    """A source, the fixes that led to it, and what the checks say of it."""

    source: str
    steps: tuple[Candidate, ...]
    trials: tuple[Trial, ...]
    report: Report

    @property
    def failing(self) -> set[str]:
        """The checks that have findings."""
        return {finding.check for finding in self.report.findings}

    @cached_property
    def faults(self) -> frozenset[tuple[str, str]]:
        """Each conversation with each check that it fails; one that does not render at all fails every check."""
        return frozenset().union(*map(faults_of, self.trials))

    def improves_on(self, other: "Found") -> bool:
        """Whether no conversation fails a check that it passed, and one passes a check that it failed."""
        return self.faults < other.faults


def faults_of(trial: Trial) -> set[tuple[str, str]]:
    """Return a conversation with each check that it fails, or with every check where it does not render at all."""
    findings = report_on([trial]).findings if trial.training else ()
    names = {finding.check for finding in findings} if trial.training else set(all_checks())
    return {(trial.conversation.label, name) for name in names}


def search(bench: Bench) -> Found:
    """Return the first candidate that is proven, the most readable kind first.

    Raises Refusal with the check, the conversation and the two texts where none is.
    """
    refusal = Refusal("there is no conversation to prove anything on", check="renders", conversation="one-turn")
    partial: list[tuple[Found, list[Options]]] = []
    for attempt in attempts(bench):
        try:
            found = confirmed(bench, attempt)
        except Refusal as refused:
            refusal = refused
            continue
        unproven = unproven_options(bench, found.source)
        if not unproven:
            return found
        partial.append((found, unproven))
    if not partial:
        raise refusal
    return declining(bench, *min(partial, key=lambda each: len(each[1])))


def declining(bench: Bench, found: Found, unproven: list[Options]) -> Found:
    """Let a proven candidate decline the options under which it is not."""
    guarded = decline_options(found.source, unproven)
    left_out = [(f"any [{name}={value!r}]", "declined") for options in unproven for name, value in options.items()]
    confirmed_again = confirmed(bench, stand(bench, guarded.source, (*found.steps, guarded)))
    report = confirmed_again.report
    return replace(confirmed_again, report=replace(report, left_out=(*report.left_out, *left_out)))


def unproven_options(bench: Bench, source: str) -> list[Options]:
    """Return the options, of those that have nothing to do with reasoning, under which a candidate is not proven."""
    failing = [
        trial.conversation.options for trial in bench.trials(source, bench.glanced) if report_on([trial]).findings
    ]
    return [options for number, options in enumerate(failing) if options not in failing[:number]]


def stand(bench: Bench, source: str, steps: tuple[Candidate, ...], *, first_only: bool = False) -> Found:
    """Hold a source to the contract."""
    trials: list[Trial] = []

    def told() -> Iterator[Trial]:
        for trial in bench.trials(source, bench.heard):
            trials.append(trial)
            yield trial

    report = report_on(told(), first_only=first_only)
    return Found(source, steps, tuple(trials), report)


def confirmed(bench: Bench, found: Found) -> Found:
    """Return a proven candidate once it has stood the random conversations too; raises Refusal where it does not."""
    if not found.report.proven:
        raise refusal_of(found.report)
    drawn = report_on(bench.trials(found.source, bench.drawn))
    if not drawn.proven:
        raise refusal_of(drawn)
    left_out = (*bench.left_out, *found.report.left_out)
    return replace(found, report=replace(found.report, left_out=left_out))


def refusal_of(report: Report) -> Refusal:
    """Turn the first finding into the reason of a refusal."""
    if not report.findings:
        return Refusal("nothing could be compared", check="renders", conversation="one-turn")
    finding = report.findings[0]
    return Refusal(
        finding.message,
        check=finding.check,
        conversation=finding.witness,
        before=finding.before,
        after=finding.after,
        labels=finding.labels,
    )


def without_markers(bench: Bench, ready: Found) -> Found:
    """Take out markers that are there and wrong."""
    for candidate in strip_markers(bench.source):
        return stand(bench, candidate.source, (candidate,))
    return ready


def mend(bench: Bench, found: Found, fixes: Sequence[Fix]) -> Found:
    """Apply each fix whose check fails, and keep what improves matters; where it takes two, keep both."""
    for fix in fixes:
        found = next((tried for tried in tries(bench, found, fix) if tried.improves_on(found)), found)
    taken = {one.conversation.label for one in bench.taken}
    if all(trial.training is not None for trial in found.trials if trial.conversation.label in taken):
        return found
    # A conversation that two faults keep from rendering shows nothing of the second before the first is mended.
    letting = [fix for fix in fixes if RENDERS in fix.cures]
    halves = [tried for fix in letting for tried in tries(bench, found, fix) if tried.faults == found.faults]
    wholes = (tried for half in halves for fix in letting for tried in tries(bench, half, fix))
    return next((tried for tried in wholes if tried.improves_on(found)), found)


def steadied(bench: Bench, found: Found) -> Found:
    """Keep history in place under the options that have nothing to do with reasoning too, where that spoils nothing."""
    moving = moved_under_options(bench, found.source)
    if not moving:
        return found
    growths = [one.conversation for one in bench.glanced if one.conversation.label in moving]
    history = all_fixes()[HISTORY]
    for candidate in history.propose(found.source, growths, special_tokens=bench.special_tokens, clock=CLOCK):
        tried = stood(bench, candidate, found)
        if tried and moved_under_options(bench, tried.source) < moving:
            return tried
    return found


def moved_under_options(bench: Bench, source: str) -> set[str]:
    """Name the conversations, under the other options, whose earlier text a source moves."""
    trials = bench.trials(source, bench.glanced)
    cures = all_fixes()[HISTORY].cures
    return {
        trial.conversation.label
        for trial in trials
        if trial.training is None or any(finding.check in cures for finding in report_on([trial]).findings)
    }


def tries(bench: Bench, found: Found, fix: Fix) -> Iterator[Found]:
    """Yield what a fix makes of a source one of whose checks fails that it cures."""
    if fix.cures & found.failing:
        for candidate in fix.propose(found.source, bench.studied, special_tokens=bench.special_tokens, clock=CLOCK):
            if (tried := stood(bench, candidate, found)) is not None:
                yield tried


def stood(bench: Bench, candidate: Candidate, found: Found) -> Found | None:
    """Hold what a fix made to the contract; None where it is no template, or spoils what was right before."""
    trials: list[Trial] = []
    try:
        for trial in bench.trials(candidate.source, bench.heard):
            trials.append(trial)
            if not faults_of(trial) <= found.faults:
                return None
    except SyntaxFault:
        return None
    return Found(candidate.source, (*found.steps, candidate), tuple(trials), report_on(trials))


def attempts(bench: Bench) -> Iterator[Found]:
    """Yield candidates: the original itself, markers in place, then the original replayed, history mended or not."""
    ready = stand(bench, bench.source, ())
    yield without_favours(ready, bench.without_favours())
    early = [fix for fix in all_fixes().values() if fix.name not in (HISTORY, ORDER)]
    mended = mend(bench, without_markers(bench, ready), early)
    bench = bench.without_favours(mended.trials)
    mended = without_favours(mended, bench)
    settled = steadied(bench, mend(bench, mended, [all_fixes()[HISTORY]]))
    # A replay has every order as it measures it: what moves within a turn is put in place for markers alone.
    yield from marked_attempts(bench, mend(bench, settled, [all_fixes()[ORDER]]))
    for found in [settled, mended] if settled is not mended else [mended]:
        heard = bench.heard if found.source == bench.source else bench.heard_from(found.source, found.trials)
        source = replay(found.source, survey(heard, bench.support, bench.eos))
        step = Candidate(source, "replay", "the original is rendered turn by turn, to measure what each turn samples")
        yield stand(bench, source, (*found.steps, step), first_only=True)


def without_favours(found: Found, bench: Bench) -> Found:
    """Return the same, held to what is left on a bench."""
    kept = {one.conversation.label for one in bench.heard}
    trials = tuple(trial for trial in found.trials if trial.conversation.label in kept)
    return found if len(trials) == len(found.trials) else replace(found, trials=trials, report=report_on(trials))


def marked_attempts(bench: Bench, found: Found) -> Iterator[Found]:
    """Yield candidates with markers in place; one that fails teaches the next the conversation it failed on."""
    if REASONING in found.failing:  # Markers print nothing, so that reasoning that is dropped stays dropped.
        return
    studied = bench.studied
    for _ in range(MOST_LESSONS):
        lessons: list[Conversation] = []
        for steps in marked(bench, found, studied):
            attempt = stand(bench, steps[-1].source, (*found.steps, *steps), first_only=True)
            yield attempt
            if attempt.failing:
                lessons.append(attempt.trials[-1].conversation)
        known = {one.label for one in studied}
        if all(lesson.label in known for lesson in lessons):
            return
        studied = [*studied, *{one.label: one for one in lessons if one.label not in known}.values()]


def marked(bench: Bench, found: Found, studied: Sequence[Conversation]) -> Iterator[tuple[Candidate, ...]]:
    """Yield what leads to markers in place, and to stop tokens where the original ends turns with nothing."""
    how = survey(bench.heard, bench.support, bench.eos)
    if not how.stop:
        yield from ((step,) for step in marks(bench, found, samples_of(found.trials, studied)))
        return
    stops = {"stop": how.stop, "stop_after_calls": how.stop_after_calls}
    for whole in (False, True):
        samples = filter(shows_ends, samples_of(found.trials, studied, whole=whole))
        for step in marks(bench, found, samples):
            for candidate in own_stop_token(
                step.source, studied, special_tokens=bench.special_tokens, clock=CLOCK, **stops
            ):
                yield step, candidate


def marks(bench: Bench, found: Found, samples: Iterable[Sample]) -> Iterator[Candidate]:
    """Yield the source with markers around what the model samples, if that can be done readably."""
    source = mark_generation(found.source, tuple(samples), special_tokens=bench.special_tokens, clock=CLOCK)
    if not isinstance(source, Unmarkable):
        yield Candidate(source, "mark-generation", "markers stand around what the model samples")


def shows_ends(sample: Sample) -> bool:
    """Say whether every turn of a sample ends in a word, so that a stop token can be seen to be missing behind it.

    An empty answer leaves nothing to mark, and of white space nobody can say whether the answer or the template ends.
    """
    answers = [text_of(message.get("content")) for message in sample.messages if message["role"] == "assistant"]
    spoken = all(sample.text[begin:end].strip() for begin, (_, end) in zip(sample.begins, sample.spans, strict=True))
    return spoken and len(sample.spans) == len(answers) and not any(answer[-1:].isspace() for answer in answers)
