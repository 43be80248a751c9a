"""An original on the bench: compiled, with what it supports and everything it says."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from trainplate.checks import Heard, Trial, hear, try_on
from trainplate.conversations import (
    Conversation,
    Message,
    Support,
    applicable,
    learn_support,
    option_sets,
    random_conversations,
    with_options,
)
from trainplate.errors import Declined
from trainplate.rendering import CompiledTemplate, compile_template

CLOCK = datetime(2024, 7, 26, 12, 0)
"""Templates may print the date; what is compared must not change at midnight."""
SWITCHED = {
    "call", "call-with-reasoning-and-content", "inline-reasoning", "inline-reasoning-tool-cycle",
    "inline-reasoning-two-turns", "one-turn", "reasoned-tool-cycles", "reasoning", "reasoning-lines",
    "reasoning-two-turns", "system", "then-user", "tool-cycle-then-user", "two-tool-cycles", "two-turns",
}  # fmt: skip
"""What is told under a switch of reasoning: every kind of turn, without the variations of content."""
VARIED = {
    "answers-in-a-row", "arguments-rich", "assistant-first", "call-missing-content", "call-with-content", "developer",
    "edges-empty-answer", "edges-lines", "edges-white-space-assistant", "five-turns", "inline-reasoning-first-turn-only",
    "reasoning-empty", "reasoning-some-turns", "system-five-turns", "three-calls-three-results",
    "tool-cycle-without-answer", "tools-system-no-call", "two-tool-questions", "user-twice",
}  # fmt: skip
"""What fixes look at beside the switched: enough to find an edit by; the whole suite then proves it."""
GLANCED = {"two-turns", "reasoning-two-turns", "tool-cycle-then-user", "reasoned-tool-cycles"}
"""What is told under any other option."""
SWITCHES = {"enable_thinking", "thinking"}
DRAWN = 12
"""How many random conversations a proof adds to the named ones."""


@dataclass(frozen=True)
class Bench:
    """An original, ready to be compared with candidates."""

    source: str
    special_tokens: Mapping[str, str]
    support: Support
    heard: tuple[Heard, ...]
    drawn: tuple[Heard, ...]
    left_out: tuple[tuple[str, str], ...]
    declined: str
    """What the template says to a plain conversation, where it speaks none."""

    @property
    def eos(self) -> str:
        """The tokenizer's EOS, or an empty text."""
        return self.special_tokens.get("eos_token", "")

    @property
    def studied(self) -> list[Conversation]:
        """The conversations that fixes look at to find their edits."""
        return [one.conversation for one in self.heard if one.conversation.name in SWITCHED | VARIED]

    def compiled(self, source: str) -> CompiledTemplate:
        """Compile a candidate as the original was."""
        return compile_template(source, special_tokens=self.special_tokens, clock=CLOCK)

    def heard_from(self, source: str) -> tuple[Heard, ...]:
        """Tell an edited original the named conversations, as a training template is told them."""
        return hear(self.compiled(source), [(one.conversation, one.conversation) for one in self.heard])

    def trials(self, source: str) -> Iterator[Trial]:
        """Tell a candidate the named conversations."""
        return try_on(self.heard, self.compiled(source), eos=self.eos, marked="endgeneration" in source)

    def last_trials(self, source: str) -> Iterator[Trial]:
        """Tell a candidate the random conversations, which no fix has seen."""
        return try_on(self.drawn, self.compiled(source), eos=self.eos)


def lay(source: str, special_tokens: Mapping[str, str]) -> Bench:
    """Compile an original and hear what it says to every conversation it can be told."""
    template = compile_template(source, special_tokens=special_tokens, clock=CLOCK)
    last_words = ""

    def say(messages: Sequence[Message], tools: Any, add_generation_prompt: bool, **options: Any) -> str | None:
        nonlocal last_words
        try:
            return template.render(messages, tools, add_generation_prompt=add_generation_prompt, **options)
        except Declined as declined:
            last_words = str(declined)
            return None

    support = learn_support(say, source)
    chosen = applicable(support)
    told = [one for one in chosen.conversations if support.prints(*one.needs & {"parts", "images"})]
    pairs = [pair for options in switched(support) for pair in under(told, options)]
    drawn = [(as_objects(one), one) for one in random_conversations(support, 0, DRAWN)] if support.speaks else []
    heard = hear(template, pairs)
    return Bench(source, special_tokens, support, heard, hear(template, drawn), chosen.left_out, last_words)


def switched(support: Support) -> tuple[Mapping[str, Any], ...]:
    """Return the options to tell conversations under; a switch of reasoning counts though it changed nothing at first."""
    sets = [dict(options) for options in option_sets(support)]
    for name in SWITCHES & {*support.knobs, *support.idle}:
        sets += [option for value in (True, False) if (option := {name: value}) not in sets]
    return tuple(sets)


def under(told: Sequence[Conversation], options: Mapping[str, Any]) -> Iterator[tuple[Conversation, Conversation]]:
    """Yield each conversation as a training template is told it and as the original is, under some options."""
    names = SWITCHED if SWITCHES & set(options) else GLANCED
    for conversation in told:
        if not options:
            yield as_objects(conversation), conversation
        elif conversation.name in names:
            heard = with_options(conversation, **options)
            yield as_objects(heard), heard


def as_objects(conversation: Conversation) -> Conversation:
    """Return the conversation with the arguments of its calls as dicts."""
    return replace(conversation, messages=tuple(map(_with_dicts, conversation.messages)))


def _with_dicts(message: Message) -> Message:
    if not message.get("tool_calls"):
        return message
    functions = [dict(call["function"]) for call in message["tool_calls"]]
    for function in functions:
        if isinstance(function["arguments"], str):
            function["arguments"] = json.loads(function["arguments"])
    calls = [{**call, "function": function} for call, function in zip(message["tool_calls"], functions, strict=True)]
    return {**message, "tool_calls": calls}
