"""Finds where a message prints the role marker that the turn before has taken for its stop token."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from trainplate.conversations import Conversation, Message, spoken, words
from trainplate.errors import Declined
from trainplate.fixes.marking.draft import Draft
from trainplate.fixes.marking.labels import constant
from trainplate.rendering.trace import Piece, Place, Traced, Write

Stops = Mapping[bool, str]
"""The stop token of a turn, by whether it calls tools."""


@dataclass(frozen=True)
class Opening:
    """The pieces that print a marker one after the other, and how much of the last one's text belongs to it."""

    pieces: tuple[Piece, ...]
    length: int


@dataclass
class Taken:
    """Whose messages begin at an opening, behind turns without tool calls and behind those with them."""

    roles: dict[bool, set[str]] = field(default_factory=dict)
    shared: bool = False
    """Whether messages of other roles begin there too."""


class Unknown(Exception):
    """Raised where what prints a stop token behind a turn cannot be told, or is the turn itself."""


def openings_of(draft: Draft, growths: Sequence[Conversation], stops: Stops) -> dict[Opening, Taken]:
    """Return every opening at which a message prints the stop token of the turn before; raises Unknown."""
    found: dict[Opening, Taken] = {}
    roles: dict[Piece, set[str]] = {}
    for growth in growths:
        for index in growth.turns:
            follower = growth.messages[index + 1 : index + 2]
            turn, both = (rendered(draft, growth, growth.messages[:end]) for end in (index + 1, index + 2))
            if not follower or follower[0]["role"] == "assistant" or turn is None or both is None:
                continue
            for leaf in leaves_of(both.writes):
                roles.setdefault(leaf.piece, set()).add(leaf.role or "")
            calls = bool(growth.messages[index].get("tool_calls"))
            opening = opening_in(turn.text, both, stops[calls])
            if opening is not None:
                found.setdefault(opening, Taken()).roles.setdefault(calls, set()).add(str(follower[0]["role"]))
    for opening, taken in found.items():
        taken.shared = bool(roles[opening.pieces[0]].difference(*taken.roles.values()))
    return found


def rendered(draft: Draft, growth: Conversation, messages: Sequence[Message], *, prompt: bool = False) -> Traced | None:
    """Render the beginning of a conversation and say who wrote it; None where it is declined."""
    tools = list(growth.tools) if growth.tools else None
    try:
        return draft.tracer.render(messages, tools, add_generation_prompt=prompt, **dict(growth.options))
    except Declined:
        return None


def opening_in(turn: str, traced: Traced, stop: str) -> Opening | None:
    """Return what prints a stop token behind a turn, None where nothing does; raises Unknown."""
    behind = traced.text[len(turn) :]
    if not traced.text.startswith(turn) or not behind.lstrip().startswith(stop):
        return None
    start = len(turn)
    end = start + len(behind) - len(behind.lstrip()) + len(stop)
    leaves = [leaf for leaf in leaves_of(traced.writes) if start < leaf.end > leaf.start < end]
    last = leaves[-1]
    if leaves[0].start < start or any(leaf.role == "assistant" for leaf in leaves):
        raise Unknown("the turn prints it itself, once something follows")
    if last.end > end and constant(last.piece.node) is None:
        raise Unknown("the marker is a part of a value")
    return Opening(tuple(leaf.piece for leaf in leaves), end - last.start)


def leaves_of(writes: Iterable[Write]) -> Iterator[Write]:
    """Yield the smallest known parts of a text that are written where they are printed."""
    for write in writes:
        if any(part.piece.place is not write.piece.place for part in write.parts) or not write.parts:
            yield write
        else:
            yield from leaves_of(write.parts)


def all_end(draft: Draft, growths: Sequence[Conversation], stops: Stops) -> bool:
    """Say whether every turn that is printed ends with its stop token."""
    for growth in growths:
        for _, answered in growth.growths():
            told, said = rendered(draft, growth, answered), words(answered[-1])
            ends = told is None or told.text.rstrip().endswith(stops[bool(answered[-1].get("tool_calls"))])
            if told is not None and not ends and any(word in told.text for word in said):
                return False
    return True


def announces_answers(draft: Draft, growths: Sequence[Conversation], stop: str) -> bool:
    """Say whether a stop token also stands between what others say and the answer."""
    for growth in growths:
        for index in growth.turns:
            before = growth.messages[index - 1 : index]
            word = spoken(before[0]) if before and before[0]["role"] != "assistant" else ""
            traced = rendered(draft, growth, growth.messages[:index], prompt=True) if word else None
            if traced is not None and word in traced.text and stop in traced.text.rpartition(word)[2]:
                return True
    return False


def unseen(draft: Draft, known: Mapping[Opening, Taken]) -> Iterator[tuple[Opening, Taken]]:
    """Yield constants of the same loop that begin with a known marker, in branches that no conversation came to."""
    seen = {piece for opening in known for piece in opening.pieces}
    for opening, taken in known.items():
        first = opening.pieces[0]
        marker = (constant(first.node) or "")[: opening.length]
        if len(opening.pieces) > 1 or taken.shared or not marker:
            continue
        for piece in draft.tracer.pieces:
            alike = piece.place is Place.TEXT and piece.loops == first.loops and piece not in seen
            if alike and (constant(piece.node) or "").startswith(marker) and is_first(draft, piece):
                yield Opening((piece,), opening.length), taken


def is_first(draft: Draft, piece: Piece) -> bool:
    """Say whether a piece is printed whole, or as the first operand."""
    whole = draft.printed.get(piece.segment)
    return piece is whole or (whole is not None and piece.parent == whole.number == piece.number - 1)
