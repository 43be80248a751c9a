"""A template's source as a sequence of segments that join back to it, letter for letter."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from typing import NamedTuple

from jinja2 import lexer

from trainplate.errors import SyntaxFault
from trainplate.syntax.size import check_characters, check_words
from trainplate.syntax.white_space import without_end, without_start


class Kind(StrEnum):
    """What a segment is: text, `{# #}`, `{{ }}`, `{% %}`, or a whole `{% raw %}` block."""

    TEXT = "text"
    COMMENT = "comment"
    EXPRESSION = "expression"
    STATEMENT = "statement"
    RAW = "raw block"


class Token(NamedTuple):
    """One word of Jinja inside a tag: `type` as Jinja's lexer names it, and where it stands in the source."""

    # A tuple: a large template has ten thousand of them, and a frozen dataclass takes three times as long to make.
    type: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of source `[start, end)`. `tokens` are a tag's words; `printed` is what text prints, white space applied.

    For a tag `[inner_start, inner_end)` is what stands between its delimiters; for a raw block, its text.
    """

    kind: Kind
    start: int
    end: int
    inner_start: int
    inner_end: int
    tokens: tuple[Token, ...] = ()
    printed: str = ""

    @property
    def keyword(self) -> str:
        """The statement's first word (`if`, `endfor`), or an empty text."""
        return self.tokens[0].text if self.kind is Kind.STATEMENT and self.tokens else ""


OPENER = re.compile(r"\{[%{#]")
RAW_BEGIN = re.compile(r"\{%[-+]?\s*raw\s*(?:-%\}\s*|%\})")
RAW_END = re.compile(r"\{%[-+]?\s*endraw\s*[-+]?%\}")
BRACKETS = {"{": "}", "(": ")", "[": "]"}

NAME = lexer.name_re.pattern  # type: ignore[attr-defined]
# Jinja tries its patterns one after the other: numbers before names, since a name's pattern would match digits too.
WORD = (
    rf"(?P<name>(?!\d){NAME})"
    r"|(?P<operator>[.()\[\],:|{}~;]|[-+%]|[=!<>]=|[=<>]|\*\*?|//?)"
    rf"|(?P<string>{lexer.string_re.pattern})"
    rf"|(?P<float>(?i:{lexer.float_re.pattern}))"
    rf"|(?P<integer>(?i:{lexer.integer_re.pattern}))"
    rf"|(?P<odd_name>{NAME})"
)
FLAGS = re.VERBOSE | re.DOTALL
WITHIN_BRACKETS = rf"\s*(?:{WORD})"
OUTSIDE_BRACKETS = {
    "%": rf"\s*(?:(?P<closer>[-+]?%\}})|{WORD})",
    "{": rf"\s*(?:(?P<closer>-?\}}\}})|{WORD})",
}
"""By the second character of a tag's opening: only outside of brackets can the tag close."""


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """Return a pattern compiled when it is first needed: with all letters that names may have, that takes a while."""
    return re.compile(pattern, FLAGS)


def line_of(source: str, position: int) -> tuple[int, int]:
    """The line and column, both from 1, of a position in the source."""
    return source.count("\n", 0, position) + 1, position - source.rfind("\n", 0, position)


def fault_at(source: str, position: int, message: str) -> SyntaxFault:
    """The fault of a source at a position, to be raised."""
    line, column = line_of(source, position)
    return SyntaxFault(message, line=line, column=column)


def read_tag(source: str, start: int) -> tuple[tuple[Token, ...], int, int]:
    """The words of the tag that opens at `start`, where its closing delimiter begins, and where it ends."""
    within, outside = compiled(WITHIN_BRACKETS), compiled(OUTSIDE_BRACKETS[source[start + 1]])
    position = start + 2 + _signed(source, start)
    tokens: list[Token] = []
    open_brackets: list[str] = []
    while True:
        match = (within if open_brackets else outside).match(source, position)
        if match is None:
            raise _no_word(source, start, position)
        kind = str(match.lastgroup)
        begin, position = match.span(kind)
        text = source[begin:position]
        if kind == "closer":
            return tuple(tokens), begin, position
        if kind == "operator":
            kind = lexer.operators[text]
            if text in BRACKETS:
                open_brackets.append(BRACKETS[text])
            elif text in ")]}" and (not open_brackets or open_brackets.pop() != text):
                raise fault_at(source, begin, f"unexpected {text!r}: it does not close what was opened last")
        check_words(len(tokens))
        tokens.append(Token("name" if kind == "odd_name" else kind, text, begin, position))


def _no_word(source: str, start: int, position: int) -> SyntaxFault:
    """Why no word follows in the tag that opens at `start`."""
    rest = source[position:].lstrip()
    if not rest:
        return fault_at(source, start, "this tag is never closed")
    place = len(source) - len(rest)
    if rest[0] in "'\"":
        return fault_at(source, place, "this string is never closed")
    return fault_at(source, place, f"unexpected character {rest[0]!r} inside a tag")


def _signed(source: str, start: int) -> int:
    """The length of the sign behind a tag's opening: 1 or 0."""
    return source[start + 2 : start + 3] in ("-", "+")


@lru_cache(maxsize=8)
def segments(source: str) -> tuple[Segment, ...]:
    """The segments of a source whose line ends are `\\n`; their texts joined are the source.

    Raises SyntaxFault, with line and column, where a tag, comment or raw block does not end or a character fits
    nowhere, and LimitExceeded where it is larger than any template.
    """
    return tuple(_cut(source))


def count_words(source: str) -> int:
    """Return how many names, constants and signs there are in the tags of a source; raises as `segments` does."""
    return sum(len(piece.tokens) for piece in _cut(source))


def _cut(source: str) -> Iterator[Segment]:
    check_characters(source)
    position = words = 0
    before: Segment | None = None
    while opener := OPENER.search(source, position):
        start = opener.start()
        if start > position:
            yield _text(source, position, start, before)
        before = _read_segment(source, start, opener.group())
        yield before
        position = before.end
        words += 1 + len(before.tokens)
        check_words(words)
    if position < len(source):
        yield _text(source, position, len(source), before)


def _read_segment(source: str, start: int, opener: str) -> Segment:
    """The comment, raw block or tag that opens at `start`."""
    if opener == "{#":
        inner = start + 2 + _signed(source, start)
        end = source.find("#}", inner)
        if end >= 0:
            return Segment(Kind.COMMENT, start, end + 2, inner, end)
        return _last(Kind.COMMENT, source, start, inner)
    if opener == "{%" and (raw := RAW_BEGIN.match(source, start)):
        close = RAW_END.search(source, raw.end())
        if close:
            printed = _raw_text(source, raw.end(), close.start())
            return Segment(Kind.RAW, start, close.end(), raw.end(), close.start(), printed=printed)
        return _last(Kind.RAW, source, start, raw.end())
    tokens, inner_end, end = read_tag(source, start)
    kind = Kind.EXPRESSION if opener == "{{" else Kind.STATEMENT
    return Segment(kind, start, end, start + 2 + _signed(source, start), inner_end, tokens)


def _last(kind: Kind, source: str, start: int, inner: int) -> Segment:
    """A comment or raw block that opens at the very end: Jinja takes it for a closed one."""
    if source[inner:] not in ("", "\n"):
        raise fault_at(source, start, f"this {kind} is never closed")
    return Segment(kind, start, len(source), len(source), len(source))


def _text(source: str, start: int, end: int, before: Segment | None) -> Segment:
    """The text between two tags, with what it prints."""
    # Jinja drops one newline at the very end of a template; it still belongs to the last segment here.
    dropped = end == len(source) and source.endswith("\n")
    text = kept = source[start : end - dropped]
    if before is not None:
        kept = without_start(text, _closing_sign(source, before), after_expression=before.kind is Kind.EXPRESSION)
    if end < len(source):
        starts_line = before is None or text[: len(text) - len(kept)].endswith("\n")
        sign, before_expression = source[end + 2 : end + 3], source[end + 1] == "{"
        kept = without_end(kept, sign, starts_line=starts_line, before_expression=before_expression)
    return Segment(Kind.TEXT, start, end, start, end, printed=kept)


def _closing_sign(source: str, segment: Segment) -> str:
    """The sign at the end of a tag, or any other text where it has none."""
    if segment.kind is Kind.RAW:
        return source[segment.end - 3]
    if segment.kind is Kind.COMMENT:
        return source[segment.inner_start : segment.inner_end][-1:]
    return source[segment.inner_end]


def _raw_text(source: str, start: int, end: int) -> str:
    """What a raw block prints: only the signs on its inner sides count."""
    return without_end(source[start:end], source[end + 2], starts_line=source[start - 1] == "\n")
