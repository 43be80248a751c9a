"""What one template says to one conversation, at every stage of its growth."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Protocol

from trainplate.conversations import Conversation, Message
from trainplate.errors import Declined, LimitExceeded
from trainplate.rendering import CompiledTemplate, Marked, TornMarkers

Span = tuple[int, int]


@dataclass(frozen=True)
class Turn:
    """One assistant turn: the text that asks for it and the text that ends with it, None where declined."""

    index: int
    prompt: str | None
    text: str | None

    @property
    def told(self) -> bool:
        """Whether both stages render."""
        return self.prompt is not None and self.text is not None

    @property
    def continues(self) -> bool:
        """Whether the prompt is the start of the turn, so that the rest is what the model samples."""
        return self.prompt is not None and self.text is not None and self.text.startswith(self.prompt)


@dataclass(frozen=True, eq=False)
class Telling:
    """One conversation in a template's words: the whole text, its generation markers, and every turn."""

    text: str
    spans: tuple[Span, ...]
    counted_spans: tuple[Span, ...]
    """What transformers' own tracker counts, empty spans included."""
    turns: tuple[Turn, ...]


class Voice(Protocol):
    """Renders messages with the tools and options of one conversation; None where the template declines."""

    def __call__(self, messages: Sequence[Message], *, prompt: bool = False) -> str | None:
        """Return the text, or None."""


def voice(template: CompiledTemplate, conversation: Conversation) -> Voice:
    """Return the function that renders growths of a conversation.

    What the same messages were answered before is remembered, for many conversations begin alike: they must not be
    changed once they were told.
    """
    options: dict[str, Any] = dict(conversation.options)
    tools = list(conversation.tools) if conversation.tools else None
    given = repr(options)

    def render(messages: Sequence[Message], prompt: bool) -> str | None:
        try:
            return template.render(messages, tools, add_generation_prompt=prompt, **options)
        except Declined:
            return None
        except LimitExceeded as error:
            raise error.during(f"{conversation.label}[:{len(messages)}]") from None

    def say(messages: Sequence[Message], *, prompt: bool = False) -> str | None:
        asked = (prompt, given, id(conversation.tools), *map(id, messages))
        if asked not in template.said:
            # What an id belongs to is kept with the answer, so that nothing else is given that id.
            template.said[asked] = render(messages, prompt), conversation.tools, (*messages,)
        answer: str | None = template.said[asked][0]
        return answer

    return say


def refusal_of(
    template: CompiledTemplate, conversation: Conversation, messages: Sequence[Message], prompt: bool = False
) -> Declined | None:
    """Return with what a template declines messages with the tools and options of a conversation, if it does."""
    tools = list(conversation.tools) if conversation.tools else None
    try:
        template.render(messages, tools, add_generation_prompt=prompt, **conversation.options)
    except Declined as declined:
        return declined
    return None


def turns_of(template: CompiledTemplate, conversation: Conversation, whole: str) -> tuple[Turn, ...]:
    """Render the prompt and the end of every assistant turn; where the last message is one, its end is the whole."""
    say = voice(template, conversation)
    found = []
    for index in conversation.turns:
        prompt = say(conversation.messages[:index], prompt=True)
        last = index + 1 == len(conversation.messages)
        found.append(Turn(index, prompt, whole if last else say(conversation.messages[: index + 1])))
    return tuple(found)


def tell(template: CompiledTemplate, conversation: Conversation, *, marked: bool) -> Telling | None:
    """Render a conversation whole and in its growths, with markers if wanted; None where the template declines it."""
    if not marked:
        text = voice(template, conversation)(conversation.messages)
        return None if text is None else Telling(text, (), (), turns_of(template, conversation, text))
    try:
        whole, counted = markers_in(template, conversation)
    except Declined:
        return None
    return Telling(whole.text, whole.spans, counted, turns_of(template, conversation, whole.text))


def markers_in(template: CompiledTemplate, conversation: Conversation) -> tuple[Marked, tuple[Span, ...]]:
    """Render a whole conversation with its markers, as they stand and as transformers counts them."""
    tools = list(conversation.tools) if conversation.tools else None
    options: dict[str, Any] = dict(conversation.options)
    try:
        if (both := template.render_counted(conversation.messages, tools, **options)) is not None:
            return both
        counted = template.transformers_spans(conversation.messages, tools, **options)
        with suppress(TornMarkers):
            return template.render_marked(conversation.messages, tools, **options), counted
        # The template works on marked text, so that nobody can tell what is marked: nothing counts as such.
        return Marked(template.render(conversation.messages, tools, **options), ()), counted
    except LimitExceeded as error:
        raise error.during(conversation.label) from None


def tell_again(telling: Telling, template: CompiledTemplate, conversation: Conversation, *, marked: bool) -> Telling:
    """Add the markers to what a template said without them: its text stays the same."""
    if not marked:
        return telling
    whole, counted = markers_in(template, conversation)
    return replace(telling, spans=whole.spans, counted_spans=counted)
