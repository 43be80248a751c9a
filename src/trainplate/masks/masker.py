"""Conversations as rows of tokens: rendered, weighed, encoded and cut."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from trainplate.masks.alignment import align
from trainplate.masks.backend import Backend
from trainplate.masks.encoding import portions
from trainplate.masks.loss_policy import LossPolicy, Weighted, bare, weigh
from trainplate.masks.normalisation import normalised
from trainplate.masks.painting import mask_of, weights_of
from trainplate.masks.rows import Row, Surrounding, cut, surrounded
from trainplate.masks.turn_rows import asked_turns, fewest_rows
from trainplate.masks.turns import turns_of
from trainplate.masks.wants import Wants, wants_of
from trainplate.rendering import CompiledTemplate, Marked

Messages = Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Said:
    """One conversation as a data set holds it: messages, tools, and options of the template."""

    messages: Messages
    tools: Sequence[Any] | None = None
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Rendered:
    """A conversation's text, and what of it is trained."""

    text: str
    trained: Weighted
    changes: Mapping[str, int] = field(default_factory=dict)
    """What was done to the messages first, counted."""

    @property
    def marked(self) -> Marked:
        """The text with the trained spans alone."""
        return Marked(self.text, self.trained.spans)


@dataclass(frozen=True)
class Masker:
    """Everything that turns conversations into rows, the same for each of them."""

    template: CompiledTemplate
    backend: Backend
    policy: LossPolicy = field(default_factory=LossPolicy)
    max_length: int | None = None
    truncation_side: str = "right"
    wants: Wants | None = None
    """What messages are made into before they are rendered; None leaves them as they come."""
    around: Surrounding = field(default_factory=Surrounding)
    weighted: bool = False
    fast: bool = True
    """Whether the packages of the extra `fast` may be used, where they are installed and prove equal."""
    original: CompiledTemplate | None = None
    """What asks for each turn, where turns are to stand behind the very prompts of the original."""

    def rendered_rows(self, said: Said) -> list[Rendered]:
        """Render a conversation as one row, or as the fewest rows in which each turn stands behind its prompt."""
        if self.original is None:
            return [self.render(said)]
        return self.as_asked(said, self.original)

    def as_asked(self, said: Said, original: CompiledTemplate) -> list[Rendered]:
        """Render a conversation turn by turn, each behind the prompt that the original asks for it by."""

        def say(messages: Messages) -> Marked:
            return self.template.render_marked(messages, said.tools, **said.options)

        def prompt(messages: Messages) -> str:
            wanted, _ = normalised(messages, wants_of(original))
            return original.render(wanted, said.tools, add_generation_prompt=True, **said.options)

        whole = self.render(said)
        messages = bare(said.messages if self.wants is None else normalised(said.messages, self.wants)[0])
        marked = say(messages)
        asked = asked_turns(marked, turns_of(marked, messages, say), whole.trained, messages, prompt)
        if not asked:
            return [whole]
        rows = fewest_rows(asked)
        return [
            Rendered(text, trained, whole.changes if not index else {}) for index, (text, trained) in enumerate(rows)
        ]

    def render(self, said: Said) -> Rendered:
        """Render a conversation and choose what is trained; raises Declined in the template's own words."""

        def say(messages: Messages) -> Marked:
            return self.template.render_marked(messages, said.tools, **said.options)

        messages, changes = (said.messages, None) if self.wants is None else normalised(said.messages, self.wants)
        marked = say(bare(messages))
        return Rendered(marked.text, weigh(self.policy, marked, messages, say, self.stops), changes or {})

    @property
    def stops(self) -> tuple[str, ...]:
        """The tokens that may end a turn: any added one that is no white space."""
        if self.policy.stop_white_space:
            return ()
        added = self.backend.encoder.get_added_tokens_decoder().values()
        return tuple(token.content for token in added if token.content.strip())

    def rows(self, rendered: Sequence[Rendered]) -> Iterator[Row]:
        """Encode rendered conversations, many at once, and yield them as rows.

        Raises OtherIds where the fast encoder is found to differ, which will not be used again: all is to be done anew.
        """
        for portion in portions([one.text for one in rendered]):
            yield from self.encoded(rendered[portion.start : portion.stop])

    def encoded(self, rendered: Sequence[Rendered]) -> Iterator[Row]:
        """Encode as many conversations as fit in memory together."""
        aligned = align(self.backend, [one.marked for one in rendered], fast=self.fast)
        encoded, ranges = aligned.encoded, aligned.ranges
        mask = mask_of(ranges, len(encoded.ids))
        weights = None
        if self.weighted:
            weights = weights_of(ranges, [w for one in rendered for w in one.trained.weights], len(encoded.ids))
        room = None if self.max_length is None else max(0, self.max_length - self.around.size)
        for index in range(len(rendered)):
            tokens = slice(encoded.bounds[index], encoded.bounds[index + 1])
            spans = slice(ranges.bounds[index], ranges.bounds[index + 1])
            row = Row(
                ids=encoded.ids[tokens],
                mask=mask[tokens],
                weights=None if weights is None else weights[tokens],
                merged=int(ranges.torn_first[spans].sum()),
                torn=int(ranges.torn_last[spans].sum()),
                by_offsets=bool(aligned.by_offsets[index]),
            )
            yield surrounded(cut(row, room, self.truncation_side), self.around)
