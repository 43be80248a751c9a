"""Measures how a family's turns open and stop, and what the prompt prefills under which options."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from trainplate.conversations import Conversation, Form, Say, learn_support, named, text_of, with_options
from trainplate.errors import Declined
from trainplate.rendering import CompiledTemplate, compile_template
from trainplate.rendering.common_start import common_start

THINKING = re.compile(r"<think>|<think$|\[THINK\]")
"""Where a prefill begins at the latest."""
CONTROL_TOKEN = re.compile(r"<[^<>\s]+>|\[/?[A-Z_]+\]")
LAST_TOKEN = re.compile(rf"({CONTROL_TOKEN.pattern})\s*$")
TOKEN_BEGUN = re.compile(r"<[^<>\s]*$")
ASKED = (
    "two-turns",
    "reasoning",
    "call",
    "tool-cycle-then-user",
    "two-tool-cycles",
    "reasoned-tool-cycles",
    "image-two-turns",
    "parts",
)
"""Where turns of every kind end."""


@dataclass(frozen=True)
class TurnFacts:
    """What announces a turn, the tokens that the model stops on, and the prefills with the options they need."""

    opens: str
    stops: tuple[str, ...]
    prefills: tuple[tuple[str, Mapping[str, Any]], ...]


def measure(source: str, training: str | None, special_tokens: Mapping[str, str]) -> TurnFacts:
    """Measure an original, and its training template where there is one: only that says where turns stop."""
    original = compile_template(source, special_tokens=special_tokens)
    support = learn_support(voice_of(original), source)
    sets: list[dict[str, Any]] = [{}, *({name: value} for name, values in support.knobs.items() for value in values)]
    asked = support.form.of(named("then-user"))
    openings = [(prompt_of(original, with_options(asked, **options)), options) for options in sets]
    opener = turn_opener([text for text, _ in openings if text is not None])
    usual = (openings[0][0] or "").removeprefix(opener)
    prefills: list[tuple[str, Mapping[str, Any]]] = [(usual, {})] if usual else []
    for text, options in openings[1:]:
        if text is not None and (prefill := text.removeprefix(opener)) != usual:
            prefills.append((prefill, options))
    stops = stop_tokens(training, support.form, special_tokens) if training else ()
    return TurnFacts(opener, tuple(stops), tuple(prefills))


def voice_of(template: CompiledTemplate) -> Say:
    """Return the renderer by which support is learnt."""

    def say(messages: Any, tools: Any, add_generation_prompt: bool, **options: Any) -> str | None:
        return said(template, Conversation("", tuple(messages), tools, options), prompt=add_generation_prompt)

    return say


def said(template: CompiledTemplate, told: Conversation, *, prompt: bool = False) -> str | None:
    """Render a conversation; None where it is declined."""
    try:
        return template.render(told.messages, told.tools, add_generation_prompt=prompt, **told.options)
    except Declined:
        return None


def prompt_of(template: CompiledTemplate, told: Conversation) -> str | None:
    """Return the generation prompt behind a user's message, or what stands there where none has to be asked for."""
    bare, asking = said(template, told), said(template, told, prompt=True)
    if bare is None or asking is None:
        return None
    shared = TOKEN_BEGUN.sub("", shared_start([bare, asking]))
    spoken = text_of(told.messages[-1]["content"])
    return asking[len(shared) :] or asking[asking.rfind(spoken) + len(spoken) :]


def shared_start(texts: Sequence[str]) -> str:
    """Return what all texts begin with."""
    shared = texts[0]
    for text in texts[1:]:
        shared = shared[: common_start(shared, text)]
    return shared


def turn_opener(prompts: list[str]) -> str:
    """Return what all prompts begin with, without thinking and without a token that is only begun."""
    shared = TOKEN_BEGUN.sub("", shared_start(prompts))
    cut = THINKING.search(shared)
    return shared[: cut.start()] if cut else shared


def stop_tokens(training: str, form: Form, special_tokens: Mapping[str, str]) -> Iterator[str]:
    """Yield the control tokens that trained spans end with, most usual first."""
    template = compile_template(training, special_tokens=special_tokens)
    found: dict[str, int] = {}
    for name in ASKED:
        told = form.of(named(name))
        try:
            marked = template.render_marked(told.messages, told.tools)
        except Declined:
            continue
        for (_, end), (start, _) in pairwise([*marked.spans, (len(marked.text) + 1, 0)]):
            goes_on = not marked.text[end:start].strip()
            if not goes_on and (token := LAST_TOKEN.search(marked.text[:end])):
                found[token[1]] = found.get(token[1], 0) + 1
    yield from sorted(found, key=lambda token: (-found[token], token))
