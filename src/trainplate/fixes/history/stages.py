"""What a template says at each stage of a growing conversation, and where it takes earlier text back."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from trainplate.conversations import Conversation
from trainplate.errors import Declined
from trainplate.rendering.common_start import common_start
from trainplate.rendering.decisions import Decided, Ruling, Watched

Rulings = Mapping[int, Ruling]


class Stage(NamedTuple):
    """How much of a conversation is told, and whether an answer is asked for."""

    length: int
    prompt: bool


@dataclass(frozen=True, eq=False)
class Growth:
    """A conversation with a key for each of its beginnings: equal beginnings are rendered once."""

    conversation: Conversation
    keys: tuple[int, ...]

    @property
    def stages(self) -> Iterator[tuple[Stage, Stage]]:
        """Yield the prompt and the turn of each answer."""
        for turn in self.conversation.turns:
            yield Stage(turn, prompt=True), Stage(turn + 1, prompt=False)


Known = dict[tuple[int, str], int]


def growths_of(conversations: Sequence[Conversation], known: Known | None = None) -> tuple[Growth, ...]:
    """Prepare conversations with an answer in them, short ones first.

    What is told to one template must share `known`, or different beginnings would pass for equal ones.
    """
    known = {} if known is None else known
    made = []
    for conversation in sorted(conversations, key=lambda conversation: len(conversation.messages)):
        around = json.dumps([conversation.tools, dict(conversation.options)], default=str)
        keys = [known.setdefault((-1, around), len(known))]
        for message in conversation.messages:
            keys.append(known.setdefault((keys[-1], json.dumps(message, default=str)), len(known)))
        if conversation.turns:
            made.append(Growth(conversation, tuple(keys)))
    return tuple(made)


@dataclass(frozen=True, eq=False)
class Teller:
    """A template under rulings, which remembers what it said."""

    watched: Watched
    rulings: Rulings = field(default_factory=dict)
    said: dict[tuple[int, bool], Decided | None] = field(default_factory=dict)

    def say(self, growth: Growth, stage: Stage) -> Decided | None:
        """Render one stage; None where the template declines it."""
        key = growth.keys[stage.length], stage.prompt
        if key not in self.said:
            self.said[key] = self.render(growth.conversation, stage)
        return self.said[key]

    def render(self, conversation: Conversation, stage: Stage) -> Decided | None:
        """Render one stage anew."""
        options: dict[str, Any] = dict(conversation.options)
        try:
            return self.watched.render(
                conversation.messages[: stage.length],
                conversation.tools,
                add_generation_prompt=stage.prompt,
                rulings=self.rulings,
                **options,
            )
        except Declined:
            return None


@dataclass(frozen=True)
class Break:
    """A place where a longer stage does not begin with a shorter one."""

    growth: Growth
    stage: Stage
    shorter: Decided
    longer: Decided
    at: int
    """How much of the text both share."""


def first_break(teller: Teller, growth: Growth) -> Break | None:
    """Return the first place where a turn is rewritten by what follows, or None where nothing moves."""
    told = [(stage, said) for _, stage in growth.stages if (said := teller.say(growth, stage))]
    whole = len(growth.conversation.messages)
    for index, (stage, shorter) in enumerate(told):
        following = growth.conversation.turns
        next_turn = next((turn for turn in following if turn >= stage.length), whole)
        later = [Stage(next_turn, prompt=True)] if next_turn > stage.length else []
        later += [told[index + 1][0]] if index + 1 < len(told) else [Stage(whole, prompt=False)]
        for other in later:
            longer = teller.say(growth, other)
            if longer is not None and not longer.text.startswith(shorter.text):
                return Break(growth, stage, shorter, longer, common_start(shorter.text, longer.text))
    return None
