"""What markers are placed by: a candidate's own renderings, with the sampled text of each turn measured."""

from collections.abc import Iterable, Iterator

from trainplate.checks.mask_is_sampled_text import sampled, sampled_behind_header
from trainplate.checks.trial import Trial
from trainplate.fixes.mark_generation import Sample


def samples_of(trials: Iterable[Trial]) -> Iterator[Sample]:
    """Yield a sample for every regular conversation all of whose turns stay in place."""
    for trial in trials:
        spans = None if trial.irregular or trial.training is None else spans_of(trial)
        if spans is not None and trial.training is not None:
            told = trial.conversation
            yield Sample(told.messages, told.tools, dict(told.options), trial.training.text, spans)


def spans_of(trial: Trial) -> tuple[tuple[int, int], ...] | None:
    """Return where each turn's sampled text begins and ends; None where a turn does not say, or moves."""
    spans = []
    for pair in trial.pairs:
        text = pair.training.text
        if not pair.told or not pair.training.told or text is None or trial.training is None:
            return None
        if not trial.training.text.startswith(text):
            return None
        start = (sampled(pair) if pair.training.continues else sampled_behind_header(pair, trial))[-1]
        if start < len(text.rstrip()):
            spans.append((start, len(text)))
    return tuple(spans)
