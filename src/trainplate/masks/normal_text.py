"""Places in a text, found again in the text that a tokenizer's normalizer makes of it."""

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate
from typing import Any, Literal

from trainplate.masks.token_lengths import SPACE, parts
from trainplate.rendering.marks import Span

Form = Literal["NFC", "NFD", "NFKC", "NFKD"]
FORMS = ("NFC", "NFD", "NFKC", "NFKD")
NEIGHBOURS = 16
"""How far a character can be from those that it is composed with: no letter that is in use carries as many marks."""


@dataclass(frozen=True)
class Normaliser:
    """What a tokenizer does to the characters of a text before it cuts it."""

    apply: Callable[[str], str]
    form: Form | None = None
    """The form of Unicode that it gives a text, where it does just that."""

    def changes(self, text: str) -> bool:
        """Say whether a text comes out otherwise; one in ASCII has every form of Unicode."""
        if self.form is not None:
            return not (text.isascii() or unicodedata.is_normalized(self.form, text))
        return self.apply(text) != text


@dataclass(frozen=True)
class BytePlaces:
    """The edges of spans as places in the bytes of a normalised text, and how many bytes that has."""

    edges: list[int]
    total: int
    composed: list[bool] = field(default_factory=list)
    """Which edges have a character composed across them; none where this is empty."""


class UnknownNormalizer(Exception):
    """Raised where a normalizer does more than compose characters, so that lengths say nothing of places."""


def normaliser_of(backend: Any) -> Normaliser | None:
    """Return what a tokenizer does to the characters of a text; None where it leaves them as they are.

    To write spaces in another way, or to put one in front, counts as leaving them. Raises UnknownNormalizer.
    """
    settings = [part for part in parts(backend.normalizer) if not is_space_writing(part)]
    if not settings:
        return None
    if len(settings) == 1 and settings[0]["type"] in FORMS:
        form = settings[0]["type"]
        return Normaliser(partial(unicodedata.normalize, form), form)
    if len(settings) == len(list(parts(backend.normalizer))):
        return Normaliser(backend.normalizer.normalize_str)
    raise UnknownNormalizer


def is_space_writing(settings: Any) -> bool:
    """Say whether a normalizer only writes spaces as SentencePiece does."""
    replaces: bool = settings["type"] == "Replace" and settings.get("content") == SPACE
    return bool(settings["type"] == "Prepend" or (replaces and settings["pattern"] == {"String": " "}))


def byte_places(text: str, spans: Sequence[Span], normaliser: Normaliser | None) -> BytePlaces | None:
    """Find the edges of spans in the bytes of the normalised text.

    Where a character is composed across an edge, it belongs to the span. None where the edges cannot be found again.
    """
    edges = [edge for span in spans for edge in span]
    if normaliser is None or not normaliser.changes(text):
        return BytePlaces(bytes_before(text, edges), bytes_in(text))
    found = edges if all(parted(text, edge, normaliser) for edge in edges) else widened(text, spans, normaliser)
    pieces = [normaliser.apply(piece) for piece in cut(text, found)]
    if not all(parted(text, edge, normaliser) for edge in found):
        return None
    if normaliser.form is None and "".join(pieces) != normaliser.apply(text):
        return None
    *places, total = accumulate(map(bytes_in, pieces))
    return BytePlaces(places, total, [before != after for before, after in zip(edges, found, strict=True)])


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


def widened(text: str, spans: Sequence[Span], normaliser: Normaliser) -> list[int]:
    """Move each edge outwards, as far as characters are composed across it, but not into the span before."""
    edges: list[int] = []
    for start, end in spans:
        earliest = max(edges[-1] if edges else 0, start - NEIGHBOURS)
        begins = (at for at in range(start, earliest - 1, -1) if parted(text, at, normaliser))
        ends = (at for at in range(end, min(len(text), end + NEIGHBOURS) + 1) if parted(text, at, normaliser))
        edges += [next(begins, start), next(ends, end)]
    return edges


def parted(text: str, place: int, normaliser: Normaliser) -> bool:
    """Say whether what stands around a place is the same normalised together and apart.

    No character of ASCII is ever composed with what stands before it.
    """
    if normaliser.form is not None and text[place : place + 1].isascii():
        return True
    before, after = text[max(place - NEIGHBOURS, 0) : place], text[place : place + NEIGHBOURS]
    return normaliser.apply(before) + normaliser.apply(after) == normaliser.apply(before + after)
