"""Finds a training template for an original nobody has recorded: fixes in order, each kept only if it helps."""

from collections.abc import Iterator, Mapping, Sequence
import re
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from trainplate.checks import Heard, Report, hear, judge
from trainplate.conversations import Conversation, Support, applicable, learn_support, option_sets, with_options
from trainplate.errors import Declined
from trainplate.fixes.replay import replay
from trainplate.patching.survey import survey
from trainplate.rendering import CompiledTemplate, compile_template

CLOCK = datetime(2024, 7, 26, 12, 0)


@dataclass(frozen=True)
class Bench:
    """An original on the bench: compiled, with what it supports and everything it says."""

    source: str
    special_tokens: Mapping[str, str]
    template: CompiledTemplate
    support: Support
    heard: tuple[Heard, ...]
    left_out: tuple[tuple[str, str], ...]

    @property
    def eos(self) -> str:
        """The tokenizer's EOS, or an empty text."""
        return self.special_tokens.get("eos_token", "")


def lay(source: str, special_tokens: Mapping[str, str]) -> Bench:
    """Compile an original and hear what it says to every conversation it can be told."""
    template = compile_template(source, special_tokens=special_tokens, clock=CLOCK)

    def say(messages: Any, tools: Any, prompt: bool, **options: Any) -> str | None:
        try:
            return template.render(messages, tools, add_generation_prompt=prompt, **options)
        except Declined:
            return None

    support = learn_support(say, source)
    chosen = applicable(support)
    told = [c for c in chosen.conversations if not any(f in c.needs and not support.prints(f) for f in ("parts", "images"))]
    pairs = [pair for options in option_sets(support) for pair in in_both_forms(told_under(told, options), options)]
    return Bench(source, special_tokens, template, support, hear(template, pairs), chosen.left_out)


VARIATIONS = re.compile("edges-|arguments-|results-|image-|parts|.*-in-a-row|.*-late|.*-first$|.*-no-call|.*-none$")


def told_under(told: Sequence[Conversation], options: Mapping[str, Any]) -> Sequence[Conversation]:
    """Return what to tell under some options: everything under the default ones, the plain kinds under others."""
    return [one for one in told if not VARIATIONS.match(one.name)] if options else told


def in_both_forms(
    told: Sequence[Conversation], options: Mapping[str, Any]
) -> Iterator[tuple[Conversation, Conversation]]:
    """Yield each conversation as a training template is told it and as the original is, under the options."""
    for conversation in told:
        heard = with_options(conversation, **options) if options else conversation
        yield as_objects(heard), heard


def as_objects(conversation: Conversation) -> Conversation:
    """Return the conversation with arguments as dicts."""
    import json

    messages = []
    for message in conversation.messages:
        if message.get("tool_calls"):
            calls = [
                {**call, "function": {**call["function"], "arguments": json.loads(call["function"]["arguments"])}}
                if isinstance(call["function"]["arguments"], str)
                else call
                for call in message["tool_calls"]
            ]
            message = {**message, "tool_calls": calls}
        messages.append(message)
    return replace(conversation, messages=tuple(messages))


def prove(bench: Bench, source: str, *, first_only: bool = True) -> Report:
    """Hold a candidate to the contract."""
    candidate = compile_template(source, special_tokens=bench.special_tokens, clock=CLOCK)
    return judge(bench.heard, candidate, eos=bench.eos, first_only=first_only)


def search(bench: Bench) -> tuple[str | None, Report]:
    """Return the first candidate that is proven, else None with the report on the last."""
    report = prove(bench, bench.source)
    if report.proven:
        return bench.source, report
    candidate = replay(bench.source, survey(bench.heard, bench.support, bench.eos))
    report = prove(bench, candidate)
    return (candidate if report.proven else None), report
