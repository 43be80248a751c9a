"""What an original is told, before it is compared with candidates: all of it, more of it, or a half."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from trainplate.checks.contract import answers_in_a_row
from trainplate.conversations import Conversation, Support, with_options
from trainplate.rendering import CompiledTemplate, compile_template

CLOCK = datetime(2024, 7, 26, 12, 0)
"""Templates may print the date; what is compared must not change at midnight."""
GLANCED = {"two-turns", "user-twice", "reasoning-two-turns", "tool-cycle-then-user", "reasoned-tool-cycles"}
"""What is told under any other option."""
UNKNOWN = "Flint9"
"""The value of an option of which nothing tells what it takes."""
Pair = tuple[Conversation, Conversation]
"""A conversation as a training template is told it, and as the original is told it."""
Told = tuple[Pair, ...]


@dataclass(frozen=True, eq=False)
class Script:
    """What an original is to be told, each as a training template is told it and as the original is told it."""

    source: str
    special_tokens: Mapping[str, str]
    template: CompiledTemplate
    support: Support
    heard: Told
    glanced: Told
    drawn: Told
    left_out: tuple[tuple[str, str], ...]
    read: frozenset[str]
    """Every name that the original reads."""
    declined: str
    """What the template says to a plain conversation, where it speaks none."""
    added: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    """The options that a training template takes, under which a few conversations more are told."""
    known: dict[str, CompiledTemplate] = field(default_factory=dict, repr=False)
    """The candidates that were compiled, by their sources."""

    def compiled(self, source: str, code: bytes = b"") -> CompiledTemplate:
        """Compile a candidate as the original was, once however often it is tried; `code` is its code, if there is any.

        One that equals the original is the original, unless that was told null where a candidate is told nothing.
        """
        if source == self.source and self.support.form.silence == "empty":
            return self.template
        if source not in self.known:
            self.known[source] = compile_template(
                source, special_tokens=self.special_tokens, clock=CLOCK, code=code, repeats=True
            )
        return self.known[source]

    def also_under(self, knobs: Mapping[str, tuple[Any, ...]]) -> "Script":
        """Return the script with a few conversations more, under options of which the original reads nothing.

        A training template that reads them must print the same: nobody who gives them asks for another text.
        """
        plain = [pair for pair in self.heard if not pair[0].options and pair[0].name in GLANCED]
        options = [{name: value} for name in knobs if name not in self.read for value in knobs[name] or (UNKNOWN,)]
        told = (tuple(with_options(one, **given) for one in pair) for given in options for pair in plain)
        return replace(self, glanced=(*self.glanced, *((one, other) for one, other in told)), added=knobs)

    def halves(self) -> "tuple[Script, Script]":
        """Part what is to be told in two, about equal in work."""
        parted = (in_two(pairs) for pairs in (self.heard, self.glanced, self.drawn))
        one, other = (dict(zip(("heard", "glanced", "drawn"), half, strict=True)) for half in zip(*parted, strict=True))
        return replace(self, **one), replace(self, **other)


def in_two(pairs: Told) -> tuple[Told, Told]:
    """Part conversations in two; those with answers in a row stay together, as one of them excuses all."""
    together = [pair for pair in pairs if answers_in_a_row(pair[1])]
    halves: tuple[list[Pair], list[Pair]] = together, []
    taken = [sum(map(work, together)), 0]
    for pair in pairs:
        if not answers_in_a_row(pair[1]):
            lighter = int(taken[1] < taken[0])
            halves[lighter].append(pair)
            taken[lighter] += work(pair)
    return tuple(halves[0]), tuple(halves[1])


def work(pair: Pair) -> int:
    """Return about how much work it is to tell a conversation: every turn is told with all that is in front of it."""
    return (1 + len(pair[0].turns)) * len(pair[0].messages)
