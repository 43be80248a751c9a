"""An original with the conversations it can be told, to hold training templates against."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from trainplate.checks import Heard, Trial, hear, try_on
from trainplate.conversations import Conversation, Message, applicable, learn_support
from trainplate.errors import Declined
from trainplate.patching.choosing import under
from trainplate.patching.script import CLOCK
from trainplate.rendering import CompiledTemplate, compile_template
from trainplate.syntax import with_newlines
from trainplate.template import Template

ALL: Collection[str] = ()
NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True)
class Listening:
    """What can be said to an original."""

    compiled: CompiledTemplate
    told: tuple[Conversation, ...]

    def heard(self, names: Collection[str] = ALL, options: Mapping[str, Any] = NOTHING) -> tuple[Heard, ...]:
        """Tell the original conversations, all of them or those named, under some options."""
        chosen = [one for one in self.told if not names or one.name in names]
        return hear(self.compiled, list(under(chosen, options or {}, {one.name for one in chosen})))

    def trials(self, training: str, heard: Sequence[Heard]) -> Iterator[Trial]:
        """Tell a training template what the original was told."""
        tokens = self.compiled.special_tokens
        candidate = compile_template(with_newlines(training), special_tokens=tokens, clock=CLOCK)
        eos = tokens.get("eos_token", "")
        return try_on(heard, candidate, eos=eos, marked="endgeneration" in training)


def listen(original: Template) -> Listening:
    """Learn what an original can be told; this is done once for each text."""
    return learnt(with_newlines(original.source), frozenset(original.special_tokens.items()))


@lru_cache(maxsize=8)
def learnt(source: str, tokens: frozenset[tuple[str, str]]) -> Listening:
    """Compile the original, and choose the conversations that it takes."""
    compiled = compile_template(source, special_tokens=dict(tokens), clock=CLOCK)

    def say(messages: Sequence[Message], tools: Any, add_generation_prompt: bool, **options: Any) -> str | None:
        try:
            return compiled.render(messages, tools, add_generation_prompt=add_generation_prompt, **options)
        except Declined:
            return None

    support = learn_support(say, source)
    told = [one for one in applicable(support).conversations if support.prints(*one.needs & {"parts", "images"})]
    return Listening(compiled, tuple(told))
