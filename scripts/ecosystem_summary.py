"""What a run over a folder of templates came to, in a page."""

import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from ecosystem_outcomes import Outcome

PROVEN = ("structure", "suite")


def summary(outcomes: Sequence[Outcome]) -> str:
    """Count the outcomes, the checks in the way and the fixes used, and name all that went wrong."""
    return "".join(f"{line}\n" for line in lines(outcomes))


def lines(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Yield the summary line by line."""
    verdicts = Counter(outcome.verdict for outcome in outcomes)
    proven = [outcome for outcome in outcomes if outcome.verdict in PROVEN]
    good, asked = len(proven) + verdicts["ready"], len(outcomes) - verdicts["skipped"]
    yield f"{asked} templates: {good} proven or ready ({share(good, asked)})"
    yield f"  by structure {verdicts['structure']}, by suite {verdicts['suite']}, ready {verdicts['ready']}"
    replayed = sum(outcome.replayed for outcome in proven)
    yield f"  marked in place {len(proven) - replayed}, replayed {replayed} ({share(replayed, len(proven))})"
    yield f"  fixes: {counted(fix for outcome in proven for fix in outcome.fixes)}"
    yield f"refused {verdicts['refused']}: {counted(outcome.check for outcome in outcomes if outcome.check)}"
    yield from (f"  {kind} {verdicts[kind]}" for kind in ("crashed", "skipped") if verdicts[kind])
    yield from times([outcome for outcome in outcomes if outcome.seconds])
    for outcome in sorted(outcomes, key=lambda outcome: (outcome.verdict, outcome.name)):
        if outcome.reason:
            yield f"{outcome.verdict:8} {outcome.name}: {outcome.reason}"


def times(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Yield how long templates took: the median, and the largest with its name."""
    if outcomes:
        slowest = max(outcomes, key=lambda outcome: outcome.seconds)
        median = statistics.median(outcome.seconds for outcome in outcomes)
        yield f"seconds: median {median:.2f}, largest {slowest.seconds:.2f} ({slowest.name})"


def counted(words: Iterable[str]) -> str:
    """Return how often each word occurs, the most frequent first."""
    return ", ".join(f"{word} {count}" for word, count in Counter(words).most_common()) or "none"


def share(part: int, whole: int) -> str:
    """Return a part of a whole in per cent."""
    return f"{100 * part / whole:.1f} %" if whole else "none"
