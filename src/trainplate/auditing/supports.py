"""What can be said to a template, and what its options change, put into words."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from trainplate.auditing.audit import Knob, Supports
from trainplate.conversations import Answer, Conversation, Message, named, words
from trainplate.conversations.support import probes_of_knobs
from trainplate.errors import Declined
from trainplate.patching.bench import Bench
from trainplate.rendering import CompiledTemplate
from trainplate.rendering.common_start import common_start

TOKEN_BEGUN = re.compile(r"<[^<>\s]*$")
TOKEN_ENDING = re.compile(r"(?:[^<>\s]*>)?")
SHOWN = 48
"""Characters of a text that are quoted."""


def supports_of(bench: Bench, original: CompiledTemplate) -> Supports:
    """Say what the template takes; None where it could not be asked."""
    support = bench.support

    def takes(feature: str) -> bool | None:
        answer = support.answers.get(feature)
        return None if answer is None else answer is Answer.PRINTED

    reasoning = takes("reasoning")
    parts = None if not support.speaks else support.form.contents == "parts" or takes("parts")
    return Supports(
        system=takes("system"),
        tools=takes("tools"),
        several_calls=takes("several-calls"),
        reasoning_field=reasoning if reasoning is None else reasoning or beside_calls(bench),
        content_parts=parts,
        knobs=tuple(knobs_of(bench, original)),
    )


def beside_calls(bench: Bench) -> bool:
    """Say whether reasoning is printed in front of calls, as it is by templates that print no other."""
    told = (one for one in bench.heard if one.conversation.name == "call-with-reasoning-and-content")
    return any(words(one.conversation.messages[1]["reasoning_content"])[0] in one.telling.text for one in told)


def knobs_of(bench: Bench, original: CompiledTemplate) -> Iterator[Knob]:
    """Yield every option that the template reads, with what each value changes."""
    support = bench.support
    teller = Teller(bench, original)
    for name in sorted({*support.knobs, *support.idle}):
        moving = support.knobs.get(name, ())
        values = (*moving, *support.idle.get(name, ()))
        effects = [f"{value!r}: {teller.effect(name, value)}" for value in moving]
        if moving or values:
            effects += [f"{value!r}: as without it" for value in support.idle.get(name, ())]
        else:
            effects = ["what it takes does not stand in the template, so no value was tried"]
        yield Knob(name, tuple(repr(value) for value in values), "; ".join(effects))


@dataclass(frozen=True)
class Teller:
    """Renders the conversations in which options are likely to show, with an option and without."""

    bench: Bench
    template: CompiledTemplate

    def effect(self, name: str, value: Any) -> str:
        """Say what a value changes, by the first texts that differ: in messages, and in the generation prompt."""
        found: dict[str, str] = {}
        for conversation in map(self.bench.support.form.of, map(named, self.asked)):
            asking = conversation.messages[:-1]
            usual, changed = Said(self, conversation, {}), Said(self, conversation, {name: value})
            if changed.text(asking) is None and usual.text(asking) is not None:
                return "declines what is told without it"
            for where, pair in (
                ("the text", (usual.text(asking), changed.text(asking))),
                ("the generation prompt", (usual.prompt(asking), changed.prompt(asking))),
                ("the text", (usual.text(conversation.messages), changed.text(conversation.messages))),
            ):
                before, after = pair
                if before != after and before is not None and after is not None:
                    found.setdefault(where, phrase(where, before, after))
        return ", ".join(found.values()) or "changes what is printed"

    @property
    def asked(self) -> tuple[str, ...]:
        """The conversations in which an option is likely to show."""
        return ("one-turn", *probes_of_knobs(self.bench.support.answers))


@dataclass(frozen=True)
class Said:
    """One conversation as it is told under some options."""

    teller: Teller
    conversation: Conversation
    options: dict[str, Any]

    def text(self, messages: Sequence[Message], *, prompt: bool = False) -> str | None:
        """Return what is printed; None where it is declined."""
        tools = self.conversation.tools
        try:
            return self.teller.template.render(messages, tools, add_generation_prompt=prompt, **self.options)
        except Declined:
            return None

    def prompt(self, messages: Sequence[Message]) -> str | None:
        """Return what the generation prompt adds to a text."""
        text, asked = self.text(messages), self.text(messages, prompt=True)
        if text is None or asked is None or not asked.startswith(text):
            return asked
        return asked[len(text) :]


def phrase(where: str, usual: str, changed: str) -> str:
    """Say how one text differs from another."""
    start = len(TOKEN_BEGUN.sub("", usual[: common_start(usual, changed)]))
    end = common_start(usual[start:][::-1], changed[start:][::-1])
    end -= len(TOKEN_ENDING.match(usual[len(usual) - end :]).group())  # type: ignore[union-attr]
    gone, come = usual[start : len(usual) - end], changed[start : len(changed) - end]
    if not gone:
        return f"{where} gains {quoted(come)}"
    if not come:
        return f"{where} loses {quoted(gone)}"
    return f"{where} reads {quoted(come)} in place of {quoted(gone)}"


def quoted(text: str) -> str:
    """Quote a text, without its middle where it is long."""
    return repr(text if len(text) <= SHOWN else f"{text[: SHOWN // 2]}…{text[-SHOWN // 2 :]}")
