"""Compares training templates with those that trl makes by hand: same text and mask, or a law that theirs breaks."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from originals_at_hand import texts_in_trl

from trainplate.checks import Trial, report_on, try_on
from trainplate.checks.telling import Span, Telling
from trainplate.errors import TrainplateError
from trainplate.patching.bench import lay
from trainplate.template import Template


@dataclass(frozen=True)
class Opinion:
    """What trl's own training template of an original does otherwise than ours."""

    template: str
    conversations: int
    """How many were compared."""
    differs: tuple[str, ...]
    """The conversations of which text or mask differ."""
    breaks: tuple[str, ...]
    """The checks that trl's template breaks."""
    unexplained: tuple[str, ...]
    """The conversations that differ though trl's template breaks no check in them."""


def opinion(original: Template, training: str) -> Opinion | None:
    """Compare a training template with trl's of the same original; None where trl has none."""
    name = name_in_trl(original.source)
    if name is None:
        return None
    bench = lay(original.source, original.special_tokens)
    theirs = texts_in_trl()[name]
    broken: dict[str, set[str]] = {}
    differs, count = [], 0
    ours, others = (try_on(bench.heard, bench.compiled(source), eos=bench.eos) for source in (training, theirs))
    for mine, other in zip(ours, others, strict=True):
        count += 1
        findings = findings_of(other)
        broken[other.conversation.label] = findings
        if not agree(mine, other):
            differs.append(mine.conversation.label)
    breaks = sorted({check for checks in broken.values() for check in checks})
    unexplained = tuple(label for label in differs if not broken[label])
    return Opinion(name, count, tuple(differs), tuple(breaks), unexplained)


def name_in_trl(source: str) -> str | None:
    """Return the name of trl's training template for an original, where it has one."""
    stored = texts_in_trl()
    names = (f"{name}_training" for name, text in stored.items() if text == source)
    return next((name for name in names if name in stored), None)


def findings_of(trial: Trial) -> set[str]:
    """Return the checks that a conversation shows to be broken."""
    try:
        return {finding.check for finding in report_on([trial]).findings}
    except TrainplateError:
        return {"renders"}


def agree(mine: Trial, other: Trial) -> bool:
    """Say whether both templates tell a conversation alike: same text, same mask but for white space behind a stop."""
    if mine.training is None or other.training is None:
        return mine.training is other.training
    return mine.training.text == other.training.text and visible(mine.training) == visible(other.training)


def visible(told: Telling) -> Sequence[Span]:
    """Return the spans without white space at their ends, those that touch as one."""
    return list(joined((start, start + len(told.text[start:end].rstrip())) for start, end in told.spans))


def joined(spans: Iterator[Span]) -> Iterator[Span]:
    """Yield spans in order, those that touch as one, empty ones left out."""
    last: Span | None = None
    for start, end in spans:
        if start == end:
            continue
        if last is not None and last[1] == start:
            last = last[0], end
            continue
        if last is not None:
            yield last
        last = start, end
    if last is not None:
        yield last
