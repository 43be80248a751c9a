"""Places in a text, found again in the text that a tokenizer's normalizer makes of it."""

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

from trainplate.masks.token_lengths import SPACE, parts
from trainplate.rendering.marks import Span

Normalise = Callable[[str], str]

NEIGHBOURS = 16
"""How far a character can be from those that it is composed with: no letter that is in use carries as many marks."""


@dataclass(frozen=True)
class BytePlaces:
    """The edges of spans as places in the bytes of a normalised text, and how many bytes that has."""

    edges: list[int]
    total: int
    composed: list[bool] = field(default_factory=list)
    """Which edges have a character composed across them; none where this is empty."""


class UnknownNormalizer(Exception):
    """Raised where a normalizer does more than compose characters, so that lengths say nothing of places."""


def normaliser_of(backend: Any) -> Normalise | None:
    """Return what a tokenizer does to the characters of a text; None where it leaves them as they are.

    To write spaces in another way, or to put one in front, counts as leaving them. Raises UnknownNormalizer.
    """
    settings = [part for part in parts(backend.normalizer) if not is_space_writing(part)]
    if not settings:
        return None
    if [part["type"] for part in settings] == ["NFC"]:
        return lambda text: text if is_nfc(text) else backend.normalizer.normalize_str(text)
    if len(settings) == len(list(parts(backend.normalizer))):
        return lambda text: backend.normalizer.normalize_str(text)
    raise UnknownNormalizer


def is_space_writing(settings: Any) -> bool:
    """Say whether a normalizer only writes spaces as SentencePiece does."""
    replaces: bool = settings["type"] == "Replace" and settings.get("content") == SPACE
    return bool(settings["type"] == "Prepend" or (replaces and settings["pattern"] == {"String": " "}))


def is_nfc(text: str) -> bool:
    """Say whether a text is composed already, which nearly all are."""
    return text.isascii() or unicodedata.is_normalized("NFC", text)


def byte_places(text: str, spans: Sequence[Span], normalise: Normalise | None) -> BytePlaces | None:
    """Find the edges of spans in the bytes of the normalised text.

    Where a character is composed across an edge, it belongs to the span. None where the edges cannot be found again.
    """
    edges = [edge for span in spans for edge in span]
    whole = text if normalise is None else normalise(text)
    if whole == text:
        return BytePlaces(bytes_before(text, edges), bytes_in(text))
    assert normalise is not None
    for tried in (edges, widened(text, spans, normalise)):
        pieces = [normalise(piece) for piece in cut(text, tried)]
        if "".join(pieces) == whole:
            *places, total = accumulate(map(bytes_in, pieces))
            return BytePlaces(places, total, [before != after for before, after in zip(edges, tried, strict=True)])
    return None


def bytes_before(text: str, edges: Sequence[int]) -> list[int]:
    """Return how many bytes stand before each place, given in order."""
    if text.isascii():
        return list(edges)
    places, total, last = [], 0, 0
    for edge in edges:
        total, last = total + bytes_in(text[last:edge]), edge
        places.append(total)
    return places


def bytes_in(text: str) -> int:
    """Return the length of a text in UTF-8; half a surrogate pair counts as what stands for it."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def cut(text: str, edges: Sequence[int]) -> list[str]:
    """Return the pieces of a text between its edges."""
    return [text[start:end] for start, end in zip([0, *edges], [*edges, len(text)], strict=True)]


def widened(text: str, spans: Sequence[Span], normalise: Normalise) -> list[int]:
    """Move each edge outwards, as far as characters are composed across it, but not into the span before."""
    edges: list[int] = []
    for start, end in spans:
        earliest = edges[-1] if edges else 0
        begins = next(
            (at for at in range(start, max(earliest, start - NEIGHBOURS), -1) if parted(text, at, normalise)), start
        )
        latest = min(len(text), end + NEIGHBOURS)
        ends = next((at for at in range(end, latest + 1) if parted(text, at, normalise)), end)
        edges += [max(begins, earliest), ends]
    return edges


def parted(text: str, place: int, normalise: Normalise) -> bool:
    """Say whether what stands around a place is the same normalised together and apart."""
    before, after = text[max(place - NEIGHBOURS, 0) : place], text[place : place + NEIGHBOURS]
    return normalise(before) + normalise(after) == normalise(before + after)
