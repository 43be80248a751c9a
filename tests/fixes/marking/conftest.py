"""Samples as the search makes them: renderings in which the prompt says where each turn begins."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import cache
from typing import Any

import pytest

from trainplate.conversations import applicable, learn_support, option_sets
from trainplate.errors import Declined
from trainplate.fixes.mark_generation import Sample, Unmarkable, mark_generation
from trainplate.rendering import compile_template

SPECIAL_TOKENS = {"bos_token": "<s>", "eos_token": "</s>"}
CLOCK = datetime(2024, 7, 26)

Measure = Callable[[str], tuple[Sample, ...]]
Mark = Callable[[str], str | Unmarkable]


@cache
def measured(source: str) -> tuple[Sample, ...]:
    template = compile_template(source, special_tokens=SPECIAL_TOKENS, clock=CLOCK)

    def say(messages: Sequence[Any], tools: Any, prompt: bool, **options: Any) -> str | None:
        try:
            return template.render(messages, tools, add_generation_prompt=prompt, **options)
        except Declined:
            return None

    def samples() -> Iterator[Sample]:
        support = learn_support(say, source)
        for conversation in applicable(support).conversations:
            for options in option_sets(support):
                messages, tools = conversation.messages, conversation.tools
                text, spans = say(messages, tools, False, **options), []
                for turn in conversation.turns:
                    prompt = say(messages[:turn], tools, True, **options)
                    end = say(messages[: turn + 1], tools, False, **options)
                    if None not in (text, prompt, end) and str(end).startswith(str(prompt)) and prompt:
                        spans.append((len(str(prompt)), len(str(end))))
                if text and spans and len(spans) == len(conversation.turns):
                    yield Sample(messages, tools, options, text, tuple(spans))

    return tuple(samples())


@cache
def marked(source: str) -> str | Unmarkable:
    return mark_generation(source, measured(source), special_tokens=SPECIAL_TOKENS, clock=CLOCK)


@pytest.fixture(scope="session")
def measure() -> Measure:
    """The samples of a source, made from the named conversations that it takes."""
    return measured


@pytest.fixture(scope="session")
def mark() -> Mark:
    """A source with markers, or why it gets none."""
    return marked
