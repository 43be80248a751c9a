"""Says which places of a source each assistant turn comes by, those that print nothing too, by probes put there."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from trainplate.conversations import Conversation, Message
from trainplate.errors import Declined
from trainplate.fixes.marking.draft import Draft
from trainplate.rendering import compile_template
from trainplate.syntax import Edit, apply_edits

PROBE = "\ue1f0{}\ue1f1"
FOUND = re.compile(PROBE.format(r"(\d+)"))
Passes = Callable[[Conversation, Sequence[Message]], tuple[int, ...] | None]
"""Returns the places that messages of a conversation come by, in order; None where they are declined."""


@dataclass(frozen=True)
class Run:
    """One turn: whether it calls tools, and the places it comes by, in order."""

    calls: bool
    places: tuple[int, ...]


@dataclass(frozen=True)
class Probing:
    """A source, what it is told, and what it needs to be rendered."""

    draft: Draft
    growths: Sequence[Conversation]
    special_tokens: dict[str, str]
    clock: datetime | None

    def runs(self, places: Iterable[int]) -> list[Run]:
        """Return the turns that come by any of the places, and change nothing that was said before."""
        passes, found = self.passes(places), []
        for growth in self.growths:
            for asked, answered in growth.growths():
                before, after = passes(growth, asked), passes(growth, answered)
                if before is not None and after and after[: len(before)] == before != after:
                    found.append(Run(bool(answered[-1].get("tool_calls")), after[len(before) :]))
        return found

    def others_pass(self, place: int) -> bool:
        """Say whether a place is come by before an assistant speaks."""
        passes = self.passes([place])
        return any(passes(growth, growth.messages[: growth.turns[0]]) for growth in self.growths if growth.turns)

    def passes(self, places: Iterable[int]) -> Passes:
        """Return the function that tells which of some places are come by."""
        edits = [Edit(place, place, f"{{{{ '{PROBE.format(place)}' }}}}") for place in places]
        template = compile_template(
            apply_edits(self.draft.source, edits), special_tokens=self.special_tokens, clock=self.clock
        )

        def passes(growth: Conversation, messages: Sequence[Message]) -> tuple[int, ...] | None:
            options: dict[str, Any] = dict(growth.options)
            try:
                text = template.render(messages, list(growth.tools) if growth.tools else None, **options)
            except Declined:
                return None
            return tuple(map(int, FOUND.findall(text)))

        return passes
