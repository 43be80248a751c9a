"""What can be said to a template, and what its options change, put into words."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from trainplate.auditing.audit import Knob, Supports
from trainplate.conversations import Answer, Support, named
from trainplate.conversations.support import probes_of_knobs
from trainplate.errors import Declined
from trainplate.patching.bench import Bench
from trainplate.rendering.common_start import common_start

TOKEN_BEGUN = re.compile(r"<[^<>\s]*$")
TOKEN_ENDING = re.compile(r"(?:[^<>\s]*>)?")
SHOWN = 48
"""Characters of a text that are quoted."""


def supports_of(bench: Bench) -> Supports:
    """Say what the template takes; None where it could not be asked."""
    support = bench.support

    def takes(feature: str) -> bool | None:
        answer = support.answers.get(feature)
        return None if answer is None else answer is Answer.PRINTED

    parts = None if not support.speaks else support.form.contents == "parts" or takes("parts")
    return Supports(
        system=takes("system"),
        tools=takes("tools"),
        several_calls=takes("several-calls"),
        reasoning_field=takes("reasoning"),
        content_parts=parts,
        knobs=tuple(knobs_of(bench)),
    )


def knobs_of(bench: Bench) -> Iterator[Knob]:
    """Yield every option that the template reads, with what each value changes."""
    support = bench.support
    teller = Teller(bench)
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

    def effect(self, name: str, value: Any) -> str:
        """Say in one phrase what a value changes, by the first text that differs."""
        for conversation, prompt in self.asked(self.bench.support):
            usual, changed = self.say(conversation, prompt), self.say(conversation, prompt, **{name: value})
            if usual == changed:
                continue
            where = "the generation prompt" if prompt else "the text"
            if usual is None or changed is None:
                return f"the template {'declines' if changed is None else 'takes'} what it otherwise does not"
            return phrase(where, usual, changed)
        return "changes what is printed"

    def asked(self, support: Support) -> Iterator[tuple[str, bool]]:
        """Yield conversations, each once up to its last answer with the generation prompt and once whole."""
        for conversation in ("one-turn", *probes_of_knobs(support.answers)):
            yield from ((conversation, True), (conversation, False))

    def say(self, name: str, prompt: bool, **options: Any) -> str | None:
        """Return what is printed; None where it is declined."""
        told = self.bench.support.form.of(named(name))
        messages = told.messages[:-1] if prompt else told.messages
        try:
            return self.bench.compiled(self.bench.source).render(
                messages, told.tools, add_generation_prompt=prompt, **options
            )
        except Declined:
            return None


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
