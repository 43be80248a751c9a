"""How a template delimits a turn: its opener, reasoning and content, and what ends it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trainplate.responses.patterns import BEGUN, TOKEN, first_token, shared_start
from trainplate.responses.probes import CONTENT, NAME, REASONING
from trainplate.responses.sayings import Saying


@dataclass(frozen=True)
class Delimiters:
    """The texts around the parts of a turn; reasoning is None where the template prints none."""

    openers: tuple[str, ...]
    """What announces a turn, the usual one first."""
    reasoning: tuple[str, str] | None
    content: str
    """What stands before content, empty where nothing does."""
    stops: tuple[str, ...]
    """What ends a turn behind content or calls."""

    def without_block(self, text: str) -> str:
        """Return what follows an empty block of reasoning at the start of a text."""
        if self.reasoning is None:
            return text
        opened, closed = (re.escape(part) for part in self.reasoning)
        return re.sub(rf"\A\s*{opened}\s*{closed}\s*", "", text)


def learn_delimiters(said: Sequence[Saying], behind: Sequence[Saying], following: Mapping[str, str]) -> Delimiters:
    """Learn from what was said behind a question, then from what was said `behind` other contexts.

    `following` is what the template prints right behind a turn, by the kind of message that comes next.
    """
    by_name = {one.probe.name: one for one in said}
    opener = opener_of(said)
    reasoning = learn_reasoning(by_name, opener)
    if reasoning is not None and not reasoning[0]:
        # The prompt always opens the block of reasoning: what opens it is the last token of what all turns share.
        cut = list(TOKEN.finditer(opener))[-1].start() if TOKEN.search(opener) else len(opener)
        opener, reasoning = opener[:cut], (opener[cut:].strip(), reasoning[1])
    found = Delimiters((opener,), reasoning, "", ())
    plain = by_name["content"].turn[len(opener) :]
    before, _, after = plain.partition(CONTENT)
    content = found.without_block(before).strip()
    if reasoning is not None and content and reasoning[1].endswith(content):
        reasoning = (reasoning[0], reasoning[1].removesuffix(content).strip())
    others = dict.fromkeys(other_opener(one, opener) for one in behind)
    return Delimiters(
        openers=tuple(dict.fromkeys([opener, *(other for other in others if other)])),
        reasoning=reasoning,
        content=content,
        stops=tuple(dict.fromkeys(filter(None, [first_token(after), *map(first_token, following.values())]))),
    )


def opener_of(said: Sequence[Saying]) -> str:
    """Return the text with which every prompt and every turn begins."""
    shared = said[0].asked
    for one in said:
        shared = shared_start(shared_start(shared, one.asked), one.turn)
    begun = BEGUN.search(shared)
    return shared[: begun.start()] if begun else shared


def other_opener(saying: Saying, opener: str) -> str:
    """Return what announces the turn where that is not the usual opener: the last token of the prompt, or nothing."""
    if opener in saying.prompt[max(0, saying.start - len(opener)) :]:
        return ""
    tokens = TOKEN.findall(saying.prompt.rstrip()[-80:])
    return tokens[-1] if tokens else ""


def learn_reasoning(by_name: Mapping[str, Saying], opener: str) -> tuple[str, str] | None:
    """Return what opens and closes reasoning, stripped; None where it is not printed."""
    for name, behind in (("reasoning", CONTENT), ("reasoning and a call", NAME)):
        saying = by_name.get(name)
        if saying is None or REASONING not in saying.turn or behind not in saying.turn:
            continue
        before, _, after = saying.turn[len(opener) :].partition(REASONING)
        closed = after.partition(behind)[0]
        if behind == NAME:
            closed = closed.removesuffix(by_name["call"].turn[len(opener) :].partition(NAME)[0])
        return before.strip(), closed.strip()
    return None
