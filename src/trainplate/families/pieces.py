"""A template cut into pieces, each hashed as it is written and in ever plainer forms, where unlike ways to write meet.

A hash says whether two pieces are the same and nothing of what they say: no publisher's text has to be stored.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from hashlib import blake2b

from trainplate.syntax import Kind, Segment, Token, segments, with_newlines
from trainplate.syntax.numbering import value_of
from trainplate.syntax.spelling import quoted

HEX_DIGITS = 6
LONGEST = 8
"""Words of one text that count, so that a long system prompt does not outweigh the rest of a template."""
LOCAL = "§"
"""What stands for every name that the template itself gives to a value: which one it chose says nothing."""
CONSTANTS = {"True": "true", "False": "false", "None": "none"}


class Form(IntEnum):
    """How plainly a piece is written: in each form fewer differences are left than in the one before."""

    WRITTEN = 0
    """As it stands in the source."""
    UNSIGNED = 1
    """Without white space control."""
    SPELLED = 2
    """With one kind of quotes, one space between words, and numbers and constants spelled one way."""
    NAMELESS = 3
    """With one sign for every name that the template gives."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A tag, or a line of text that is printed, at its place in the source; comments are pieces that weigh nothing."""

    start: int
    end: int
    hashes: tuple[str, ...]
    """One for each form."""
    weight: int
    """How many words it has; a statement of one word (`else`, `endif`) is in every template and weighs nothing."""
    is_comment: bool = False


def pieces(source: str) -> tuple[Piece, ...]:
    """Return the pieces of a source, in order; raises SyntaxFault."""
    source = with_newlines(source)
    cut = segments(source)
    local = frozenset(name for segment in cut for name in names_given(segment))
    return tuple(piece for segment in cut for piece in _pieces_of(source, segment, local))


def hashed(text: str, digits: int = HEX_DIGITS) -> str:
    """Return the short hash of a text."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=(digits + 1) // 2).hexdigest()[:digits]


def names_given(segment: Segment) -> Iterator[str]:
    """Yield the names to which a tag gives a value: targets of `for` and `set`, macros and their parameters."""
    words = segment.tokens[1:]
    match segment.keyword:
        case "for":
            yield from (word.text for word in _until(words, "in") if word.type == "name")
        case "set":
            target = list(_until(words, "="))
            yield from (word.text for word in target if word.type == "name" and not any(w.text == "." for w in target))
        case "macro":
            yield from (
                word.text
                for before, word in zip(segment.tokens, words, strict=False)
                if word.type == "name" and before.text in ("macro", "(", ",")
            )


def _until(words: tuple[Token, ...], end: str) -> Iterator[Token]:
    for word in words:
        if word.text == end:
            return
        yield word


def _pieces_of(source: str, segment: Segment, local: frozenset[str]) -> Iterator[Piece]:
    match segment.kind:
        case Kind.COMMENT:
            written = hashed(source[segment.start : segment.end])
            yield Piece(segment.start, segment.end, (written,) * len(Form), 0, is_comment=True)
        case Kind.TEXT | Kind.RAW:
            yield from _lines(source, segment)
        case _:
            yield _tag(source, segment, local)


def _lines(source: str, segment: Segment) -> Iterator[Piece]:
    """The lines that a text prints, blank ones and the space around them aside: a tag's signs decide on those."""
    start = source.find(segment.printed, segment.start)
    for line in segment.printed.splitlines(keepends=True):
        if text := line.strip():
            yield Piece(start, start + len(line.rstrip("\n")), (hashed(text),) * len(Form), weight_of(text))
        start += len(line)


def _tag(source: str, tag: Segment, local: frozenset[str]) -> Piece:
    bracket = source[tag.start : tag.start + 2]
    unsigned = bracket + source[tag.inner_start : tag.inner_end].strip()
    spelled = " ".join([bracket, *(spelling(word, source) for word in tag.tokens)])
    nameless = " ".join([bracket, *(_nameless(tag.tokens, at, source, local) for at in range(len(tag.tokens)))])
    forms = source[tag.start : tag.end], unsigned, spelled, nameless
    weight = sum(weight_of(value_of(word, source)) if word.type == "string" else 1 for word in tag.tokens)
    says_nothing = tag.kind is Kind.STATEMENT and len(tag.tokens) == 1
    return Piece(tag.start, tag.end, tuple(map(hashed, forms)), 0 if says_nothing else weight)


def weight_of(text: str) -> int:
    """Return how much a text counts: the number of its words, within reason."""
    return min(max(len(text.split()), 1), LONGEST)


def spelling(word: Token, source: str) -> str:
    """Return a word of a tag in the one way in which it is written."""
    if word.type == "string":
        return quoted(value_of(word, source))
    return CONSTANTS.get(word.text, word.text)


def _nameless(words: tuple[Token, ...], at: int, source: str, local: frozenset[str]) -> str:
    word = words[at]
    is_attribute = at > 0 and words[at - 1].text == "."
    return LOCAL if word.type == "name" and word.text in local and not is_attribute else spelling(word, source)
