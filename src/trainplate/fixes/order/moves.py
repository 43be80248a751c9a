"""Where a template prints a turn's words behind results, although they came first while there were none."""

from dataclasses import dataclass
from itertools import pairwise

from trainplate.conversations import Conversation
from trainplate.errors import TrainplateError
from trainplate.fixes.marking.blocks import Body, Item, path_to
from trainplate.fixes.marking.draft import Draft
from trainplate.rendering.common_start import common_start
from trainplate.rendering.trace import Traced, Write


@dataclass(frozen=True)
class Moved:
    """What moves, as items of one body: words that are printed before results at first, and behind them later."""

    body: Body
    results: Item
    words: Item
    front: Item
    """What the words are to stand in front of: the results, or a block in there where that prints calls as well."""
    result: int
    """Where the output of a result begins."""


def spoken_call(growth: Conversation) -> int | None:
    """Return the number of the first message that both says something and calls a tool which answers."""
    messages = growth.messages
    for number, (message, following) in enumerate(pairwise(messages)):
        if message.get("tool_calls") and message.get("content") and following["role"] == "tool":
            return number
    return None


def moved_in(draft: Draft, growth: Conversation, turn: int) -> Moved | None:
    """Find what a turn prints first until a result follows, and behind that from then on; None where nothing moves."""
    told = [tell(draft, growth, length) for length in (turn + 1, turn + 2)]
    if None in told:
        return None
    first, then = (one for one in told if one is not None)
    at = common_start(first.text, then.text)
    if at == len(first.text):
        return None
    words, result = writing(first, at), writing(then, at)
    behind = [write for write in then.writes if write.start > at and words and write.piece is words.piece]
    if words is None or result is None or words.piece is result.piece or not behind:
        return None
    own, other = (draft.segments[write.piece.segment].start for write in (words, result))
    return apart(draft, own, other, {write.piece.segment for write in first.writes if write.end > write.start})


def tell(draft: Draft, growth: Conversation, length: int) -> Traced | None:
    """Render the beginning of a conversation; None where the template declines it."""
    options = dict(growth.options)
    try:
        return draft.tracer.render(growth.messages[:length], growth.tools, **options)
    except TrainplateError:
        return None


def writing(traced: Traced, at: int) -> Write | None:
    """Return what wrote a character."""
    return next((write for write in traced.writes if write.start <= at < write.end), None)


def apart(draft: Draft, words: int, result: int, printed: set[int]) -> Moved | None:
    """Find the body in which words and results are items apart, the results first; `printed` is what came before."""
    path = list(path_to(draft.root, result))
    for depth, ((body, own), (other, item)) in enumerate(zip(path_to(draft.root, words), path, strict=False)):
        if body is not other:
            return None
        if own is not item:
            inner = (item for _, item in path[depth:] if not printed & set(range(item.first, item.last + 1)))
            front = next(inner, None)
            return Moved(body, item, own, front, result) if front and item.end <= own.start else None
    return None
