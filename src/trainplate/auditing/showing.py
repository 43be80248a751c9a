"""Conversations as a training template prints them, parted into what is trained, supplied and prefilled."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from trainplate.auditing.audit import Facts, Part, ShownConversation
from trainplate.auditing.tokens import Encoder, lengths_within
from trainplate.checks.spans import joined, without
from trainplate.conversations import Conversation, named, with_options
from trainplate.errors import Declined
from trainplate.patching.bench import Bench
from trainplate.patching.choosing import SWITCH
from trainplate.rendering import CompiledTemplate, TornMarkers

SHOWN = (
    "two-turns", "system", "developer", "system-five-turns", "reasoning-two-turns", "inline-reasoning-two-turns",
    "tools-no-call", "tool-cycle-then-user", "three-calls-three-results", "reasoned-tool-cycles", "parts",
    "image-two-turns", "edges-non-ascii", "edges-looks-like-control-token",
)  # fmt: skip
"""What a person looks at to see how a template speaks: a conversation for each kind of turn."""
SWITCHED = ("two-turns", "reasoning-two-turns")
"""What is shown once more under each switch of reasoning."""
Span = tuple[int, int]


def shown_conversations(
    bench: Bench, template: CompiledTemplate, facts: Facts, encoder: Encoder | None, *, marked: bool
) -> tuple[ShownConversation, ...]:
    """Show the conversations that a template can be told; `marked` is whether its markers are to be trusted."""
    return tuple(show(template, one, facts, encoder, marked=marked) for one in chosen(bench))


def chosen(bench: Bench) -> Iterator[Conversation]:
    """Yield what to show: conversations that lose nothing, and some of them under the switches of reasoning."""
    support = bench.support
    if not support.speaks:
        return
    for name in SHOWN:
        conversation = named(name)
        if support.prints(*conversation.needs):
            yield support.form.of(conversation)
    for option, values in support.knobs.items():
        if SWITCH.search(option):
            for value in values:
                yield from (with_options(support.form.of(named(name)), **{option: value}) for name in SWITCHED)


def show(
    template: CompiledTemplate, conversation: Conversation, facts: Facts, encoder: Encoder | None, *, marked: bool
) -> ShownConversation:
    """Render one conversation and part it."""
    options: dict[str, Any] = dict(conversation.options)
    try:
        rendered = template.render_marked(conversation.messages, conversation.tools, **options)
        prefills = list(prefilled(template, conversation, facts, rendered.text))
    except (Declined, TornMarkers) as declined:
        return ShownConversation(conversation.label, (), declined=str(declined))
    offsets = encoder.offsets(rendered.text) if encoder is not None else ()
    trained = joined(rendered.spans) if marked else []
    return ShownConversation(conversation.label, tuple(parts(rendered.text, trained, prefills, offsets)))


def prefilled(template: CompiledTemplate, conversation: Conversation, facts: Facts, text: str) -> Iterator[Span]:
    """Yield what each turn's prompt says beyond the opener, where it stands in the whole text."""
    if not facts.turn_opener:
        return
    options: dict[str, Any] = dict(conversation.options)
    for turn in conversation.turns:
        before = conversation.messages[:turn]
        try:
            prompt = template.render(before, conversation.tools, add_generation_prompt=True, **options)
        except Declined:
            continue
        opened = prompt.rfind(facts.turn_opener) + len(facts.turn_opener)
        if text.startswith(prompt) and facts.turn_opener in prompt and opened < len(prompt):
            yield opened, len(prompt)


def parts(text: str, trained: Sequence[Span], prefills: Sequence[Span], offsets: Sequence[Span]) -> Iterator[Part]:
    """Cut a text at every edge; what is trained is trained, whatever else it may be."""
    supplied_early = without(prefills, trained)
    edges = sorted({0, len(text), *(edge for span in (*trained, *supplied_early) for edge in span)})
    for start, end in pairwise(edges):
        kind = "supplied"
        if any(a <= start and end <= b for a, b in trained):
            kind = "trained"
        elif any(a <= start and end <= b for a, b in supplied_early):
            kind = "prefilled"
        yield Part(kind, text[start:end], lengths_within(offsets, start, end))
