"""How a template delimits a turn: its opener, reasoning and content, and what ends it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from trainplate.conversations import words
from trainplate.responses.patterns import BEGUN, TOKEN, first_token, shared_start
from trainplate.responses.probes import CONTENT, NAME, REASONING
from trainplate.responses.sayings import Saying

LONGEST_ANCHOR = 80
OPENED_BLOCK = re.compile(r"(<\w[\w:.-]*>|\[[A-Z_]+\])\s*(\S*)")


@dataclass(frozen=True)
class Delimiters:
    """The texts around the parts of a turn; reasoning is None where the template prints none."""

    opener: str
    """What every prompt adds and every turn begins with; empty where a turn begins without announcement."""
    anchors: tuple[str, ...]
    """Texts the last of which in a prompt stands right before the turn."""
    reasoning: tuple[str, str] | None
    content: str
    """What stands before content, empty where nothing does."""
    stops: tuple[str, ...]
    """The tokens that end a turn behind content or calls, or that announce the next one where nothing does."""
    tails: tuple[str, ...] = ()
    """All that is printed behind content, each beginning with one of the stops."""
    announces_itself: bool = False
    """Whether there are prompts without an opener behind which the model writes the opener itself."""


def without_block(text: str, reasoning: tuple[str, str] | None) -> str:
    """Return what follows an empty block of reasoning at the start of a text, or one that the prompt has opened."""
    if reasoning is None or not reasoning[1]:
        return text
    opened, closed = map(re.escape, reasoning)
    return re.sub(rf"\A\s*(?:{opened}\s*)?{closed}\s*", "", text)


def learn_delimiters(said: Sequence[Saying], told: Sequence[Saying], following: Sequence[str]) -> Delimiters:
    """Learn from what was said behind a question, then from all that was told behind anything else.

    `following` are the tokens printed right behind turns that end with none of their own.
    """
    by_name = {one.probe.name: one for one in said}
    opener, reasoning = opener_and_reasoning(said, by_name)
    plain = by_name["content"].turn[len(opener) :]
    before, _, after = plain.partition(CONTENT)
    content = without_block(before, reasoning).strip()
    if reasoning is not None and content and reasoning[1].endswith(content):
        reasoning = (reasoning[0], reasoning[1].removesuffix(content).strip())
    anchors = [
        opener,
        *(other_anchor(one, opener) for one in told),
        *closed_at_once(told, opener, reasoning),
    ]
    tails = [tail.strip() for tail in (after, *tails_beside(by_name), *following)]
    stops = dict.fromkeys(filter(None, map(first_token, tails)))
    return Delimiters(
        opener=opener,
        anchors=tuple(dict.fromkeys(filter(None, anchors))),
        reasoning=reasoning,
        content=content,
        stops=tuple(stops),
        tails=tuple(dict.fromkeys(filter(None, tails))),
        announces_itself=any(one.text.startswith(one.prompt + opener) for one in told) and opener != "",
    )


def opener_and_reasoning(said: Sequence[Saying], by_name: Mapping[str, Saying]) -> tuple[str, tuple[str, str] | None]:
    """Return what announces a turn, and what opens and closes reasoning.

    Where every prompt opens the block of reasoning itself, what opens it is the last token of what all turns share.
    """
    opener = opener_of(said)
    reasoning = learn_reasoning(by_name, opener)
    if reasoning is None or reasoning[0]:
        return opener, reasoning
    tokens = list(TOKEN.finditer(opener))
    cut = tokens[-1].start() if tokens else len(opener)
    return opener[:cut], (opener[cut:].strip(), reasoning[1])


def closed_at_once(told: Sequence[Saying], opener: str, reasoning: tuple[str, str] | None) -> Iterator[str]:
    """Yield the opener with what closes reasoning, where a turn without any begins so: no block is open there."""
    if reasoning is not None and reasoning[1]:
        pattern = re.compile(rf"{re.escape(opener)}\s*{re.escape(reasoning[1])}")
        texts = (text for one in told for text in (one.asked, one.turn))
        yield from (found.group() for text in texts if (found := pattern.match(text)))


def tails_beside(by_name: Mapping[str, Saying]) -> Iterator[str]:
    """Yield what ends a turn whose content is printed behind its calls."""
    saying = by_name.get("content and a call")
    if saying is not None and CONTENT in saying.turn:
        tail = saying.turn.rpartition(CONTENT)[2]
        yield "" if NAME in tail else tail


def opened_block(said: Sequence[Saying], delimiters: Delimiters, source: str) -> tuple[str, str] | None:
    """Return the tags of a block that a prompt opens for the model, or opens and closes; None where no prompt does.

    The tag that closes it is known by the one that opens it, and must stand in the template.
    """
    for saying in said:
        found = OPENED_BLOCK.fullmatch(saying.asked.removeprefix(delimiters.opener).strip())
        if found and (closed := f"{found[1][0]}/{found[1][1:]}") in source and found[2] in ("", closed):
            return found[1], closed
    return None


def opener_of(said: Sequence[Saying]) -> str:
    """Return the text with which every prompt and every turn begins."""
    shared = said[0].asked
    for one in (saying for saying in said if saying.probe.usual):
        shared = shared_start(shared_start(shared, one.asked), one.turn)
    begun = BEGUN.search(shared)
    return shared[: begun.start()] if begun else shared


def other_anchor(saying: Saying, opener: str) -> str:
    """Return the last token of the prompt and what follows it, where that is not the opener."""
    if opener and opener in saying.prompt[max(0, saying.start - len(opener)) :]:
        return ""
    end = saying.prompt[-LONGEST_ANCHOR:]
    tokens = list(TOKEN.finditer(end))
    anchor = end[tokens[-1].start() :] if tokens else ""
    return "" if words(anchor) else anchor


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
