"""A template under audit, and the means to ask it anything: what every check beyond the contract looks at."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from jinja2 import nodes

from trainplate.auditing.audit import Facts, Place
from trainplate.auditing.places import Writers, place_of_node
from trainplate.auditing.tokens import Encoder
from trainplate.checks import Heard, Trial
from trainplate.conversations import Conversation, Message, Support, named
from trainplate.errors import Declined, Refusal
from trainplate.families.identification import Match
from trainplate.patching.bench import Bench
from trainplate.patching.patch import Patch
from trainplate.patching.script import CLOCK
from trainplate.rendering import CompiledTemplate
from trainplate.rendering.trace import trace
from trainplate.syntax import Tree, parse
from trainplate.syntax.grammar import GENERATION
from trainplate.template import Template


@dataclass(frozen=True)
class Subject:
    """One template, all that has been learnt of it so far, and a voice to ask it for more."""

    template: Template
    bench: Bench = field(repr=False)
    match: Match | None
    patch: Patch | None
    refusal: Refusal | None
    facts: Facts
    encoder: Encoder | None
    original: CompiledTemplate = field(repr=False)
    """The template itself, with its clock stopped."""
    training: CompiledTemplate | None = field(default=None, repr=False)
    """Its training template, where there is one."""
    trials: tuple[Trial, ...] = field(default=(), repr=False)
    """The original held against itself, as the contract does with a training template."""
    assumed_tokens: Mapping[str, str] = field(default_factory=dict)
    """Special tokens that the source does not tell, taken from what is known of the family."""

    @property
    def source(self) -> str:
        """The template's text with plain line ends; places are counted in it."""
        return self.bench.source

    @cached_property
    def tree(self) -> Tree:
        """The source as it was parsed."""
        return parse(self.source)

    @property
    def marked(self) -> bool:
        """Whether there are markers where Jinja reads them."""
        return any(segment.keyword == GENERATION for segment in self.tree.segments)

    @property
    def support(self) -> Support:
        """What the template can be told."""
        return self.bench.support

    @cached_property
    def writers(self) -> Writers:
        """What wrote which text; compiled when it is first asked for."""
        tracer = trace(self.source, self.template.special_tokens, CLOCK)
        told = {one.heard.label: one.heard for one in self.bench.heard}
        return Writers(tracer.tree, tracer, {**{one.conversation.label: one.heard for one in self.bench.heard}, **told})

    def place(self, node: nodes.Node) -> Place:
        """Return where an expression of the tree stands."""
        return place_of_node(self.tree, node)

    def in_form(self, name: str) -> Conversation:
        """Return a named conversation in the form that the template takes."""
        return self.support.form.of(named(name))

    def heard(self) -> Iterator[Heard]:
        """Yield the conversations that the template renders under no options."""
        return (one for one in self.bench.heard if not one.heard.options)

    def say(
        self, messages: Sequence[Message], tools: Sequence[Any] | None = None, *, prompt: bool = False, **options: Any
    ) -> str | None:
        """Return what the template prints; None where it declines."""
        try:
            return self.original.render(messages, tools, add_generation_prompt=prompt, **options)
        except Declined:
            return None

    def tell(self, conversation: Conversation, *, prompt: bool = False) -> str | None:
        """Return what the template prints of a whole conversation; None where it declines."""
        return self.say(conversation.messages, conversation.tools, prompt=prompt, **conversation.options)

    def writer_of(self, conversation: Conversation, text: str) -> Place | None:
        """Return what wrote a text where it first stands in a conversation; None where it is not printed."""
        told = self.tell(conversation) if text else None
        at = told.find(text) if told is not None else -1
        return self.writers.place(conversation, at) if at >= 0 else None
