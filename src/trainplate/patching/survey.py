"""What must be known of an original before it can be replayed: how prompts end, and how turns do."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from trainplate.checks import Heard
from trainplate.checks.stop_trained import plain_end
from trainplate.checks.telling import Turn
from trainplate.checks.trial import HOISTS, MERGES
from trainplate.conversations import Support, spoken, words
from trainplate.fixes.replay import Measurements
from trainplate.rendering.common_start import common_start

LONGEST_PREFILL = 80
ROLE_MARKER = re.compile(r"<[|\uff5c][^<>|\uff5c\s]+[|\uff5c]>")
TOKEN_BEGUN = re.compile(r"(<[^<>\s]*|\[[A-Z_]*|[#@]+ ?)$")


def survey(heard: Sequence[Heard], support: Support, eos: str) -> Measurements:
    """Measure what `replay` needs to know, over all conversations."""
    everything, heard = heard, [one for one in heard if not one.irregular] or heard
    shed, ended = endings(heard, eos)
    stop, after_calls = stops(heard, eos, shed)
    return Measurements(
        unprompted=unprompted(heard),
        stop=stop,
        stop_after_calls=after_calls if support.prints("calls") else "",
        shed=shed,
        opener=opener(everything, unprompted(heard)),
        empty=any(is_empty(one, turn) for one in everything for turn in one.telling.turns),
        merges=any(one.irregular == MERGES for one in everything),
        hoists=any(one.irregular == HOISTS for one in everything),
        shifts=any(
            turn.told and not turn.continues and not contradiction(turn) for one in heard for turn in one.telling.turns
        ),
        moved=moves(heard),
        ended=ended,
        deaf=not support.prints("calls"),
        alone=support.prints("calls") and (not support.prints("call-content") or content_waits(heard)),
    )


def opener(heard: Sequence[Heard], contradicted: Sequence[str]) -> str | None:
    """Find what announces a turn, where the original renders conversations that begin with one but no empty prompt."""
    first = [one.telling.turns[0] for one in heard if one.heard.turns[:1] == (0,)]
    if all(turn.prompt is not None for turn in first):
        return None
    begun = next((turn.text for turn in first if turn.text), "")
    for one in heard:
        say = one.say()
        for turn in one.telling.turns[:1]:
            asked = say(one.heard.messages[: turn.index]) if turn.index else None
            if turn.continues and asked and (turn.prompt or "").startswith(asked) and turn.prompt != asked:
                return fitting((turn.prompt or "")[len(asked) :].lstrip(), begun, contradicted)
    return ""


def fitting(header: str, text: str, contradicted: Sequence[str]) -> str:
    """Return as much of a header as a text has: without an end that turns contradict, or the end of a turn in front."""
    while header:
        for end in ("", *contradicted):
            if header.endswith(end) and header.removesuffix(end) and header.removesuffix(end) in text:
                return header.removesuffix(end)
        header = header[header.find("<", 1) :] if "<" in header[1:] else ""
    return ""


def content_waits(heard: Sequence[Heard]) -> bool:
    """Say whether the content beside a call is printed only behind the results of the call."""
    for one in heard:
        for message, result in pairwise(one.heard.messages):
            if message.get("tool_calls") and result["role"] == "tool":
                text, said, answered = one.telling.text, spoken(message), spoken(result)
                if said and answered in text and text.find(said) > text.find(answered):
                    return True
    return False


def is_empty(one: Heard, turn: Turn) -> bool:
    """Say whether a turn adds nothing to its prompt, or nothing of the assistant's own."""
    return turn.text == turn.prompt or not any(
        word in (turn.text or "") for word in words(one.heard.messages[turn.index])
    )


def unprompted(heard: Sequence[Heard]) -> tuple[str, ...]:
    """Find the ends of prompts that finished turns contradict, shortest first."""
    found = set()
    for one in heard:
        for turn in one.telling.turns:
            if turn.told and not turn.continues:
                found.add(contradiction(turn))
    whole = {end for end in found if end and not any(is_rest_of_word(end, longer) for longer in found)}
    return tuple(sorted(whole, key=lambda end: (len(end), end)))


def is_rest_of_word(end: str, longer: str) -> bool:
    """Say whether an end begins inside a word of a longer one: there an answer happened to begin like that word."""
    return end != longer and longer.endswith(end) and end[0].isalnum() and longer[-len(end) - 1].isalnum()


def contradiction(turn: Turn) -> str:
    """Return the end of a prompt that its turn does not have, from the beginning of a token on; empty if it is long."""
    prompt, text = turn.prompt or "", turn.text or ""
    start = common_start(prompt, text)
    begun = TOKEN_BEGUN.search(prompt[:start])
    end = prompt[begun.start() if begun else start :]
    return end if len(end) <= LONGEST_PREFILL and not words(end) else ""


def moves(heard: Sequence[Heard]) -> bool:
    """Say whether the original rewrites earlier turns when messages are appended."""
    for one in heard:
        texts = [turn.text for turn in one.telling.turns]
        if any(text is not None and not one.telling.text.startswith(text) for text in texts):
            return True
        for a, b in pairwise(one.telling.turns):
            if a.text is not None and b.prompt is not None and not b.prompt.startswith(a.text):
                return True
    return False


def plain_ends(heard: Sequence[Heard]) -> Iterator[tuple[Turn, str, str | None]]:
    """Yield each plain answer: its turn, how it ends as the last, and what stands behind it once a user speaks."""
    for one in heard:
        turns = one.telling.turns
        for number, turn in enumerate(turns):
            message = one.heard.messages[turn.index]
            following = one.heard.messages[turn.index + 1 : turn.index + 2]
            if turn.text is None or (ending := plain_end(message, turn.text)) is None:
                continue
            later = turns[number + 1].prompt if number + 1 < len(turns) else None
            asked = bool(following) and following[0]["role"] == "user" and later is not None
            yield turn, ending, plain_end(message, later or "") if asked else None


def endings(heard: Sequence[Heard], eos: str) -> tuple[str, str | None]:
    """Find what is printed behind a turn only while nothing follows, and what ends it otherwise where that differs."""
    for turn, last, later in plain_ends(heard):
        if later is None or later.startswith(last):
            continue
        if last.strip() and later.lstrip().startswith(last.strip()):
            return "", later[: len(later) - len(later.lstrip()) + len(last.strip())]
        start = common_start(last, later)
        begun = TOKEN_BEGUN.search(last[:start])
        start = begun.start() if begun else start
        kept, only_last = last[:start], last[start:]
        if kept.strip() or (turn.prompt or "").rstrip().endswith(only_last.rstrip()):
            return last[header_start(turn, later, start) :], None
        other = ROLE_MARKER.match(later)
        return "", other.group() if other and later[other.end() :].startswith("<") else ""
    return "", None


def header_start(turn: Turn, later: str, shared: int) -> int:
    """Return where, at the latest at `shared`, the header of the user's message begins behind a turn.

    A generation prompt that nobody asked for may begin like that header (`<|START_OF_TURN_TOKEN|>`), and goes with it.
    """
    prompt = turn.prompt or ""
    spoken = [
        (prompt.find(word), later.find(other)) for word, other in zip(words(prompt)[:1], words(later)[:1], strict=False)
    ]
    for here, there in spoken:
        length = common_start(prompt[:here][::-1], later[:there][::-1])
        begins = there - length
        if 0 < begins < shared and later[:begins].strip():
            return begins
    return shared


def stops(heard: Sequence[Heard], eos: str, shed: str) -> tuple[str, str]:
    """Find the stop token that plain turns lack, and the one that turns ending in calls lack."""
    for _, last, later in plain_ends(heard):
        if later is None:
            continue
        if last.removesuffix(shed).strip():
            return "", ""
        marker = ROLE_MARKER.match(later[len(last.removesuffix(shed)) :].lstrip())
        return (marker.group() if marker else eos), (marker_after_calls(heard) or eos if marker else "")
    return "", ""


def marker_after_calls(heard: Sequence[Heard]) -> str:
    """Find the role marker that stands behind a turn of tool calls."""
    for one in heard:
        for turn, later in pairwise(one.telling.turns):
            message = one.heard.messages[turn.index]
            if not message.get("tool_calls") or turn.text is None or later.prompt is None:
                continue
            if later.prompt.startswith(turn.text):
                marker = ROLE_MARKER.match(later.prompt[len(turn.text) :].lstrip())
                return marker.group() if marker else ""
    return ""
