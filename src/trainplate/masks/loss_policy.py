"""What of the sampled text is trained, and how much: whole turns, some of them, or parts of them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from trainplate.errors import TrainplateError
from trainplate.masks.turn_parts import unreasoned_turns, with_calls_only, without_reasoning
from trainplate.masks.turns import Turn, turns_of
from trainplate.rendering.marks import Marked, Span

Messages = Sequence[Mapping[str, Any]]
Say = Callable[[Messages], Marked]

WHOLE_TURNS = ("assistant", "last-turn", "last-round")
PARTS = ("no-reasoning", "tool-calls")
OWN_KEYS = ("train", "weight")
"""Keys of a message that are meant for the loss, and not for the template."""


class UnknownPolicy(TrainplateError):
    """Raised where `train_on`, or a message's own `train` or `weight`, says nothing that can be trained on."""


@dataclass(frozen=True)
class LossPolicy:
    """What is trained: `train_on` names turns and parts, which are combined; a message's own word decides its turn."""

    train_on: frozenset[str] = frozenset({"assistant"})
    stop_white_space: bool = True
    """Whether white space behind the stop token is trained where the template's markers hold it."""

    @property
    def is_plain(self) -> bool:
        """Whether everything between markers is trained."""
        return self.train_on <= {"assistant"} and self.stop_white_space


@dataclass(frozen=True)
class Weighted:
    """Spans of a text with the weight that each has in the loss."""

    spans: tuple[Span, ...]
    weights: tuple[float, ...]


def loss_policy(train_on: str | Iterable[str] = "assistant", stop_white_space: bool = True) -> LossPolicy:
    """Return the policy of that name, or of those names together."""
    names = frozenset([train_on] if isinstance(train_on, str) else train_on)
    unknown = sorted(names.difference(WHOLE_TURNS, PARTS))
    if unknown or not names:
        known = ", ".join(WHOLE_TURNS + PARTS)
        raise UnknownPolicy(f"train_on: {', '.join(map(repr, unknown)) or 'nothing'}\n    way out   any of {known}")
    return LossPolicy(names, stop_white_space)


def own_words(messages: Messages) -> dict[int, float]:
    """Return the weight that messages give themselves: 0 or 1 by `train`, any other by `weight`."""
    found = {}
    for index, message in enumerate(messages):
        weight, train = message.get("weight"), message.get("train")
        if train is not None and not isinstance(train, bool):
            raise UnknownPolicy(f"message {index}: train is {train!r}\n    way out   give True or False")
        if weight is not None and (isinstance(weight, bool) or not isinstance(weight, int | float) or not weight >= 0):
            raise UnknownPolicy(f"message {index}: weight is {weight!r}\n    way out   give a number from 0 on")
        if train is False:
            found[index] = 0.0
        elif weight is not None:
            found[index] = float(weight)
        elif train:
            found[index] = 1.0
    return found


def bare(messages: Messages) -> Messages:
    """Return messages as a template should see them, without what is meant for the loss."""
    if not any(key in message for message in messages for key in OWN_KEYS):
        return messages
    return [{key: value for key, value in message.items() if key not in OWN_KEYS} for message in messages]


def weigh(policy: LossPolicy, marked: Marked, messages: Messages, say: Say, stops: Sequence[str]) -> Weighted:
    """Say which spans of a rendered conversation are trained, and how much each weighs.

    `say` renders messages and `stops` are the tokens that may end a turn.
    """
    own = own_words(messages)
    if policy.is_plain and not own:
        return Weighted(marked.spans, (1.0,) * len(marked.spans))
    shown = bare(messages)
    turns = turns_of(marked, shown, say)
    chosen = chosen_turns(policy, turns, shown)
    shorter = unreasoned_turns(shown, say) if "no-reasoning" in policy.train_on else {}
    spans: list[Span] = []
    weights: list[float] = []
    for turn in turns:
        weight = own.get(turn.message, 1.0 if turn.message in chosen else 0.0)
        kept = parts_of(policy, turn, marked, shown, say, stops, shorter) if weight > 0 else []
        spans += kept
        weights += [weight] * len(kept)
    return Weighted(tuple(spans), tuple(weights))


def chosen_turns(policy: LossPolicy, turns: Sequence[Turn], messages: Messages) -> set[int]:
    """Return the messages whose turns are trained: all, the last one, or those behind the last question."""
    answers = [turn.message for turn in turns]
    if "last-turn" in policy.train_on:
        answers = answers[-1:]
    if "last-round" in policy.train_on:
        last = max((index for index, message in enumerate(messages) if message.get("role") == "user"), default=-1)
        last_answered = max((index for index in answers), default=-1)
        if last > last_answered:  # nobody has answered the last question: the round before it is the last
            last = max((i for i, m in enumerate(messages[: last_answered + 1]) if m.get("role") == "user"), default=-1)
        answers = [index for index in answers if index > last]
    return set(answers)


def parts_of(
    policy: LossPolicy,
    turn: Turn,
    marked: Marked,
    messages: Messages,
    say: Say,
    stops: Sequence[str],
    unreasoned: Mapping[int, str],
) -> list[Span]:
    """Return what of a turn is trained; `unreasoned` is what each turn is without its reasoning."""
    spans = list(turn.spans)
    if "tool-calls" in policy.train_on:
        spans = with_calls_only(spans, turn, marked, messages, say)
    if "no-reasoning" in policy.train_on:
        spans = without_reasoning(spans, turn, marked, messages[turn.message], unreasoned.get(turn.message))
    if not policy.stop_white_space:
        spans = without_white_space(spans, turn, marked.text, stops)
    return spans


def without_white_space(spans: list[Span], turn: Turn, text: str, stops: Sequence[str]) -> list[Span]:
    """Take off the white space behind the stop token of a turn."""
    start, end = turn.spans[0][0], turn.spans[-1][1]
    ends = len(text[start:end].rstrip()) + start
    if not text[:ends].endswith(tuple(stops)):
        return spans
    cut = [(begins, min(stops_at, ends)) for begins, stops_at in spans]
    return [span for span in cut if span[0] < span[1]]
