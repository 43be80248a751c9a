"""What markers are placed by: a candidate's own renderings, with the sampled text of each turn measured."""

from collections.abc import Collection, Iterable, Iterator

from trainplate.checks.mask_is_sampled_text import sampled, sampled_behind_header
from trainplate.checks.trial import Trial
from trainplate.conversations import Conversation
from trainplate.fixes.mark_generation import Sample


def samples_of(trials: Iterable[Trial], studied: Collection[Conversation], *, whole: bool = False) -> Iterator[Sample]:
    """Yield a sample for every regular conversation of those studied all of whose turns stay in place.

    `whole` is whether turns are to be marked with all white space at their ends.
    """
    labels = {conversation.label for conversation in studied}
    for trial in trials:
        if trial.conversation.label not in labels:
            continue
        begins_and_spans = None if trial.irregular or trial.training is None else spans_of(trial, whole=whole)
        if begins_and_spans is not None and trial.training is not None:
            told = trial.conversation
            latest, spans = begins_and_spans
            yield Sample(told.messages, told.tools, dict(told.options), trial.training.text, spans, latest)


def spans_of(trial: Trial, *, whole: bool) -> tuple[tuple[int, ...], tuple[tuple[int, int], ...]] | None:
    """Return where each turn's sampled text begins at the latest, and its span; None where a turn moves."""
    latest, spans = [], []
    for pair in trial.pairs:
        text = pair.training.text
        if not pair.told or not pair.training.told or text is None or trial.training is None:
            return None
        if not trial.training.text.startswith(text):
            return None
        must, may = sampled(pair) if pair.training.continues else sampled_behind_header(pair, trial)
        if may < len(text.rstrip()):
            latest.append(must)
            spans.append((may, len(text) if whole else trained_end(text)))
    return tuple(latest), tuple(spans)


def trained_end(text: str) -> int:
    """Return where a turn's text ends: white space behind its stop token counts, unless it may merge with what follows.

    A line end stays with the constant that prints it; a mere space would be part of the next turn's first token.
    """
    bare = text.rstrip()
    return len(text) if "\n" in text[len(bare) :] else len(bare)
