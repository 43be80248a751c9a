"""A probe in a template's words: the prompt, the text that ends with the turn, and where the turn begins."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from trainplate.conversations import Conversation, Say, Support, Tool
from trainplate.patching.choosing import SWITCH
from trainplate.rendering.common_start import common_start
from trainplate.responses.probes import CONTEXTS, PROBES, Probe, tools_of

TOKEN_BEGUN = re.compile(r"[<\[][^<>\[\]\s]*\Z")
MAY_BE = frozenset({"reasoning", "inline-reasoning"})


@dataclass(frozen=True)
class Saying:
    """One probe as a template says it."""

    probe: Probe
    context: str
    options: Mapping[str, Any]
    tools: tuple[Tool, ...] | None
    prompt: str
    """Up to where the model begins to write."""
    text: str
    """Up to the end of the turn."""
    start: int
    """Where the prompt leaves what was said before, so that the turn's opener begins there."""

    @property
    def label(self) -> str:
        """Name it, as findings show it."""
        options = f" [{', '.join(f'{name}={value!r}' for name, value in self.options.items())}]" if self.options else ""
        return f"{self.probe.name} behind {self.context}{options}"

    @property
    def is_usual(self) -> bool:
        """Whether it refutes a response template that does not give it back: under options, those of reasoning do."""
        return self.probe.usual and all(map(SWITCH.search, self.options))

    @property
    def turn(self) -> str:
        """Return the text of the turn with its opener."""
        return self.text[self.start :]

    @property
    def asked(self) -> str:
        """Return what the prompt adds: the opener, and what it supplies of the turn."""
        return self.prompt[self.start :]


def sayings(
    say: Say, support: Support, options: Mapping[str, Any], context: str, probes: Sequence[Probe] = PROBES
) -> Iterator[Saying]:
    """Yield each probe that the template takes and prints, under some options.

    Reasoning may be printed in front of calls though not in a plain answer: saying it will tell.
    """
    for probe in probes:
        needs = probe.needs | CONTEXTS[context].needs
        if all(support.prints(need) or (need in MAY_BE and not support.refuses(need)) for need in needs):
            saying = said(say, support, probe, context, options)
            if saying is not None:
                yield saying


def said(say: Say, support: Support, probe: Probe, context: str, options: Mapping[str, Any]) -> Saying | None:
    """Say one probe; None where the template declines it or its prompt."""
    before, needs = CONTEXTS[context]
    tools = tools_of(probe.message) if "calls" in probe.needs | needs else None
    told = support.form.of(Conversation(probe.name, (*before, probe.message), tools)).messages
    base = say(told[:-1], tools, False, **options)
    prompt = say(told[:-1], tools, True, **options)
    text = say(told, tools, False, **options)
    if prompt is None or text is None:
        return None
    start = common_start(prompt, text) if base is None else min(common_start(base, prompt), common_start(prompt, text))
    begun = TOKEN_BEGUN.search(prompt, 0, start) if start < len(prompt) else None
    return Saying(probe, context, options, tools, prompt, text, begun.start() if begun else start)
