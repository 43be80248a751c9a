"""The contract: every check, over every conversation that the original renders."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from itertools import pairwise

from trainplate.checks.registry import Check, all_checks, always, everything
from trainplate.checks.telling import Telling, Voice, refusal_of, tell, tell_again, voice
from trainplate.checks.trial import MERGES, TextArguments, Trial, irregularity
from trainplate.conversations import Conversation, arguments_as_json_text, given_arguments
from trainplate.rendering import CompiledTemplate
from trainplate.verdict import Finding, Verdict

ESSENTIAL = ("mask-is-sampled-text", "prefix-preserved", "renders", "same-prompt", "same-turn", "stop-trained")
"""Without these nothing is proven."""


@dataclass(frozen=True, eq=False)
class Heard:
    """One conversation that the original renders, and what it says to it; asked once, compared with many candidates."""

    original: CompiledTemplate
    conversation: Conversation
    """As a training template is told it: arguments as dicts."""
    heard: Conversation
    """As the original is told it."""
    telling: Telling
    irregular: str
    """Why the original cannot keep text in place as the conversation grows; empty where it can."""
    known_endings: dict[int, tuple[str, ...]] = field(default_factory=dict, repr=False)
    known_leads: dict[int, str | None] = field(default_factory=dict, repr=False)

    def say(self) -> Voice:
        """Return the original's voice."""
        return voice(self.original, self.heard)

    @cached_property
    def as_text(self) -> str | None:
        """The original's rendering with arguments as JSON text; None where there are none, or it declines them."""
        if not any(True for _ in given_arguments(self.conversation.messages)):
            return None
        return whole(self.original, arguments_as_json_text(self.conversation))


@dataclass(frozen=True, eq=False)
class Report:
    """What the checks say of a training template."""

    verdicts: Mapping[str, Verdict]
    findings: tuple[Finding, ...]
    conversations: int
    """How many conversations were compared."""
    left_out: tuple[tuple[str, str], ...] = ()
    """Name and reason of each conversation that was not evaluated."""

    @property
    def proven(self) -> bool:
        """Whether no check failed, and those that every template can be held to were evaluated."""
        missing = [name for name in ESSENTIAL if self.verdicts.get(name) is not Verdict.PASSED]
        return not missing and not self.findings


def hear(original: CompiledTemplate, pairs: Sequence[tuple[Conversation, Conversation]]) -> tuple[Heard, ...]:
    """Tell the original each conversation, given as (as a training template is told it, as the original is told it)."""
    told = ((conversation, heard, tell(original, heard, marked=False)) for conversation, heard in pairs)
    return with_irregularities(
        [
            Heard(original, conversation, heard, telling, irregularity(heard, telling))
            for conversation, heard, telling in told
            if telling is not None
        ]
    )


def heard_already(original: CompiledTemplate, told: Iterable[tuple[Conversation, Telling]]) -> tuple[Heard, ...]:
    """Return the same of a template that was told the conversations before."""
    return with_irregularities(
        [Heard(original, one, one, telling, irregularity(one, telling)) for one, telling in told]
    )


def with_irregularities(found: Sequence[Heard]) -> tuple[Heard, ...]:
    """Let all answers in a row be irregular where some of them are merged."""
    if any(one.irregular == MERGES for one in found):
        return tuple(replace(one, irregular=MERGES) if answers_in_a_row(one.heard) else one for one in found)
    return tuple(found)


def answers_in_a_row(conversation: Conversation) -> bool:
    """Say whether an assistant speaks twice without anything in between."""
    return any(later == earlier + 1 for earlier, later in pairwise(conversation.turns))


def trial_of(heard: Heard, training: CompiledTemplate, eos: str, *, marked: bool = True) -> Trial:
    """Tell a candidate the conversation too; `marked` is whether it has markers at all.

    The original itself says what it said, wherever it is told the same.
    """

    @cache
    def text_arguments() -> TextArguments | None:
        if heard.as_text is None:
            return None
        if training is heard.original:
            return TextArguments(heard.as_text, heard.as_text)
        return TextArguments(heard.as_text, whole(training, arguments_as_json_text(heard.conversation)))

    if training is heard.original and heard.conversation == heard.heard:
        told: Telling | None = tell_again(heard.telling, training, heard.conversation, marked=marked)
    else:
        told = tell(training, heard.conversation, marked=marked)
    return Trial(
        heard.conversation,
        heard.heard,
        heard.telling,
        told,
        heard.say(),
        eos,
        heard.irregular,
        text_arguments,
        partial(refusal_of, training),
        heard.known_endings,
        heard.known_leads,
    )


def whole(template: CompiledTemplate, conversation: Conversation) -> str | None:
    """Render a whole conversation; None where the template declines it."""
    return voice(template, conversation)(conversation.messages)


def is_concerned(check: Check, trial: Trial) -> bool:
    """Whether a check can be evaluated on a trial."""
    return check.concerns(trial) and (always(trial) or check.concerns is everything)


def try_on(heard: Iterable[Heard], training: CompiledTemplate, *, eos: str, marked: bool = True) -> Iterator[Trial]:
    """Tell a training template each conversation, one after the other, as far as the caller goes on asking.

    `marked` is whether it has markers at all; where it has none, looking for them is spared.
    """
    return (trial_of(one, training, eos, marked=marked) for one in heard)


def report_on(trials: Iterable[Trial], *, first_only: bool = False) -> Report:
    """Run every check on every trial; `first_only` stops behind the first trial with a finding."""
    findings: list[Finding] = []
    evaluated: set[str] = set()
    seen, left_out = 0, []
    for trial in trials:
        seen += 1
        if trial.irregular:
            left_out.append((trial.conversation.label, trial.irregular))
        for name, check in all_checks().items():
            if is_concerned(check, trial):
                evaluated.add(name)
                if name not in trial.judged:
                    trial.judged[name] = tuple(check.find(trial))
                findings += trial.judged[name]
        if findings and first_only:
            break
    return Report(verdicts_of(evaluated, findings), tuple(findings), seen, tuple(left_out))


def judge(heard: Sequence[Heard], training: CompiledTemplate, *, eos: str, first_only: bool = False) -> Report:
    """Hold a training template to the contract; `first_only` stops at the first conversation with a finding."""
    return report_on(try_on(heard, training, eos=eos), first_only=first_only)


def verdicts_of(evaluated: set[str], findings: Sequence[Finding]) -> dict[str, Verdict]:
    """Say of each check whether it passed, failed, or was not evaluated."""
    failed = {finding.check for finding in findings}
    return {
        name: Verdict.FAILED if name in failed else Verdict.PASSED if name in evaluated else Verdict.NOT_EVALUATED
        for name in all_checks()
    }
