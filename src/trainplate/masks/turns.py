"""Which spans belong to which assistant message."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from trainplate.conversations import text_of
from trainplate.errors import Declined
from trainplate.rendering.marks import Marked, Span

Messages = Sequence[Mapping[str, Any]]
Say = Callable[[Messages], Marked]


@dataclass(frozen=True)
class Turn:
    """One assistant message, by its place among the messages, and the spans that it is printed in."""

    message: int
    spans: tuple[Span, ...]


def turns_of(marked: Marked, messages: Messages, say: Say) -> list[Turn]:
    """Find the turns of a rendered conversation; those that print nothing are left out.

    A training template prints each turn in one stretch, so that most often there are as many stretches as turns.
    Otherwise the conversation is rendered up to each turn, whose end is where that text ends.
    """
    answers = [index for index, message in enumerate(messages) if message.get("role") == "assistant"]
    stretches = connected(marked.spans)
    pairs = list(zip(answers, stretches, strict=False))
    if len(answers) == len(stretches) and all(holds(marked.text, span, messages[index]) for index, span in pairs):
        return [Turn(index, (span,)) for index, span in pairs]
    return by_growth(marked, messages, answers, say)


def connected(spans: Sequence[Span]) -> list[Span]:
    """Return spans with those joined that touch."""
    joined: list[Span] = []
    for start, end in spans:
        if joined and joined[-1][1] >= start:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def holds(text: str, span: Span, message: Mapping[str, Any]) -> bool:
    """Say whether the last line of what a message says is printed in a span."""
    lines = text_of(message.get("content")).split("\n")
    last = next((line.strip() for line in reversed(lines) if line.strip()), "")
    return last in text[slice(*span)]


def by_growth(marked: Marked, messages: Messages, answers: Sequence[int], say: Say) -> list[Turn]:
    """Find the end of each turn by rendering the conversation up to it."""
    turns, taken = [], 0
    for index in answers:
        end = len(common_start(say(messages[: index + 1]).text, marked.text))
        own = [(start, min(stop, end)) for start, stop in marked.spans if start < end and stop > taken]
        own = [(max(start, taken), stop) for start, stop in own if max(start, taken) < stop]
        if own:
            turns.append(Turn(index, tuple(own)))
        taken = max(taken, end)
    return turns


def common_start(text: str, other: str) -> str:
    """Return what two texts begin with alike."""
    if other.startswith(text):
        return text
    same, differs = 0, min(len(text), len(other))
    while same < differs:
        middle = (same + differs + 1) // 2
        if text[same:middle] == other[same:middle]:
            same = middle
        else:
            differs = middle - 1
    return text[:same]


def said_last(messages: Messages, say: Say) -> str | None:
    """Return what the last message is printed in; None where the template declines these messages."""
    try:
        turns = turns_of(said := say(messages), messages, say)
    except Declined:
        return None
    if not turns or turns[-1].message != len(messages) - 1:
        return None
    return said.text[turns[-1].spans[0][0] : turns[-1].spans[-1][1]]
