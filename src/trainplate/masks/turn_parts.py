"""Which part of a turn is reasoning, and which is tool calls: what the turn is printed without if it has none."""

from collections.abc import Mapping, Sequence
from typing import Any

from trainplate.errors import Declined
from trainplate.masks.turns import Messages, Say, Turn, common_start, said_last, turns_of
from trainplate.rendering.marks import Marked, Span
from trainplate.rendering.messages import REASONING_FIELDS

Message = Mapping[str, Any]

CLOSES = "</think>"


def without_reasoning(
    spans: list[Span], turn: Turn, marked: Marked, message: Message, shorter: str | None
) -> list[Span]:
    """Take the reasoning out of a turn: all that is printed only because there is some.

    `shorter` is what is printed without; where that is None, the reasoning itself is looked for.
    """
    if unreasoned(message) == message:
        return spans
    added = added_text(turn, marked, shorter) or literal(turn, marked, message)
    return spans if added is None else [piece for span in spans for piece in pieces_without(span, added)]


def with_calls_only(spans: list[Span], turn: Turn, marked: Marked, messages: Messages, say: Say) -> list[Span]:
    """Keep the tool calls of a turn and how it stops behind them; nothing of a turn that calls nothing.

    The whole turn is kept where the template prints none without calls.
    """
    message = messages[turn.message]
    if not message.get("tool_calls"):
        return []
    without = {key: value for key, value in message.items() if key != "tool_calls"}
    added = added_text(turn, marked, said_last([*messages[: turn.message], {"content": "", **without}], say))
    start = turn.spans[0][0] if added is None else added[0]
    return [(max(begins, start), ends) for begins, ends in spans if max(begins, start) < ends]


def unreasoned_turns(messages: Messages, say: Say) -> dict[int, str]:
    """Return what each turn is printed in where no turn has reasoning; nothing where the template declines that."""
    shorter = [unreasoned(message) for message in messages]
    try:
        marked = say(shorter)
        turns = turns_of(marked, shorter, say)
    except Declined:
        return {}
    return {turn.message: marked.text[turn.spans[0][0] : turn.spans[-1][1]] for turn in turns}


def added_text(turn: Turn, marked: Marked, other: str | None) -> Span | None:
    """Return the part of a turn that a shorter form of its message leaves out; None where that cannot be told."""
    start, end = turn.spans[0][0], turn.spans[-1][1]
    longer = marked.text[start:end]
    if other is None:
        return None
    same_end = len(common_start(longer[::-1], other[::-1]))
    same_start = len(common_start(longer[: len(longer) - same_end], other[: len(other) - same_end]))
    if same_start + same_end < len(other):
        return None
    return start + same_start, end - same_end


def unreasoned(message: Message) -> dict[str, Any]:
    """Return a message without its reasoning, whether that is a field or stands in the content."""
    if message.get("role") != "assistant":
        return dict(message)
    kept = {key: value for key, value in message.items() if key not in REASONING_FIELDS}
    content = kept.get("content")
    if isinstance(content, str) and CLOSES in content:
        kept["content"] = content.rpartition(CLOSES)[2].lstrip("\n")
    return kept


def literal(turn: Turn, marked: Marked, message: Message) -> Span | None:
    """Find the reasoning itself in a turn, with nothing of what stands around it."""
    reasoning = next((message[key] for key in REASONING_FIELDS if message.get(key)), "")
    start = marked.text.find(reasoning.strip(), turn.spans[0][0], turn.spans[-1][1]) if reasoning else -1
    return None if start < 0 else (start, start + len(reasoning.strip()))


def pieces_without(span: Span, removed: Span) -> Sequence[Span]:
    """Return what is left of a span."""
    pieces = ((span[0], min(span[1], removed[0])), (max(span[0], removed[1]), span[1]))
    return [piece for piece in pieces if piece[0] < piece[1]]
