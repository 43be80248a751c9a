"""A conversation in as many rows as its turns have contexts: each turn stands behind the prompt it is asked by.

An original that strips reasoning from history shows a turn to the model in a context that the whole conversation no
longer has. A row is one prompt of the original and what the model answers to it; the turns before it that stand there
just as they were sampled are trained in it too, so that there are no more rows than needed.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from trainplate.masks.loss_policy import Messages, Weighted
from trainplate.masks.turns import Turn
from trainplate.rendering.marks import Marked, Span

Prompt = Callable[[Messages], str]
"""Returns the text by which the original asks for the turn behind some messages."""


@dataclass(frozen=True)
class Asked:
    """A turn with the prompt that asks for it, and what of it is trained, counted from the start of the turn."""

    prompt: str
    said: str
    spans: tuple[Span, ...]
    weights: tuple[float, ...]

    @property
    def text(self) -> str:
        """The prompt and the turn."""
        return self.prompt + self.said


def asked_turns(
    marked: Marked, turns: Sequence[Turn], trained: Weighted, messages: Messages, prompt: Prompt
) -> list[Asked]:
    """Put every trained turn behind its prompt."""
    found = []
    for turn in turns:
        start, end = turn.spans[0][0], turn.spans[-1][1]
        pairs = zip(trained.spans, trained.weights, strict=True)
        own = [((a - start, b - start), weight) for (a, b), weight in pairs if start <= a and b <= end]
        if own:
            spans, weights = zip(*own, strict=True)
            found.append(Asked(prompt(messages[: turn.message]), marked.text[start:end], spans, weights))
    return found


def fewest_rows(asked: Sequence[Asked]) -> list[tuple[str, Weighted]]:
    """Return the fewest texts that hold every turn behind its prompt, with each turn trained in one of them.

    A text that is the start of a later one needs no row; as a start of a start is a start, there can be no fewer.
    """
    rows: list[list[Asked]] = []
    for turn in asked:
        for row in rows:
            if turn.text.startswith(row[-1].text):
                row.append(turn)
                break
        else:
            rows.append([turn])
    return [(row[-1].text, weighted(row)) for row in rows]


def weighted(row: Sequence[Asked]) -> Weighted:
    """Return what is trained of the turns of one row, each where its prompt ends."""
    spans = [(len(one.prompt) + a, len(one.prompt) + b) for one in row for a, b in one.spans]
    assert all(before[1] <= after[0] for before, after in pairwise(spans))
    return Weighted(tuple(spans), tuple(weight for one in row for weight in one.weights))
