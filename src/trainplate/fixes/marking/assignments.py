"""Divides a value that holds a header and sampled text: what is sampled is left out of it, and printed behind it."""

from trainplate.fixes.marking.draft import Draft
from trainplate.fixes.marking.labels import Label
from trainplate.fixes.marking.splitting import Indivisible, as_tags, divided
from trainplate.rendering.trace import Piece, Place, key_of
from trainplate.syntax import Edit, Kind


def split_assignments(draft: Draft) -> list[Edit] | None:
    """Return the edits that divide what `{% set %}` puts together and an output prints; None if there is nothing to do.

    `{% set content = header + message['content'] %}{{ content }}` becomes
    `{% set content = header %}{{ content }}{{ message['content'] }}`.
    """
    edits = []
    for target in sorted({key_of(piece.node) for piece in draft.printed.values() if is_undecided(draft, piece)} - {""}):
        values = [piece for piece in draft.tracer.pieces if piece.target == target and piece.parent is None]
        halves = {piece: texts for piece in values if (texts := in_two(draft, piece))}
        tails = {texts[1] for texts in halves.values()}
        if len(tails) != 1:
            continue
        tail = tails.pop()
        for piece, texts in halves.items():
            edits.append(Edit(piece.extent.outer_start, piece.extent.outer_end, texts[0]))
        for piece in draft.printed.values():
            segment = draft.segments[piece.segment]
            if key_of(piece.node) == target and segment.kind is Kind.EXPRESSION:
                tags = as_tags(draft.source, segment, [draft.tracer.tree.text(piece.node), tail])
                edits.append(Edit(segment.start, segment.end, tags))
    return edits or None


def is_undecided(draft: Draft, piece: Piece) -> bool:
    """Say whether a piece prints sampled and supplied text in one."""
    return piece.place is Place.TEXT and draft.readings[piece.number].label is Label.MIXED


def in_two(draft: Draft, piece: Piece) -> list[str] | None:
    """Return the supplied and the sampled half of a value, as they are written; None where it has no such halves."""
    if draft.readings[piece.number].label is not Label.MIXED:
        return None
    try:
        texts = list(divided(draft, piece))
    except Indivisible:
        return None
    return texts if len(texts) == 2 else None
