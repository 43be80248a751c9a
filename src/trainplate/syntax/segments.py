"""A template's source as a sequence of segments that join back to it, letter for letter."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from jinja2 import lexer

from trainplate.errors import SyntaxFault


class Kind(StrEnum):
    """What a segment is: text, `{# #}`, `{{ }}`, `{% %}`, or a whole `{% raw %}` block."""

    TEXT = "text"
    COMMENT = "comment"
    EXPRESSION = "expression"
    STATEMENT = "statement"
    RAW = "raw"


@dataclass(frozen=True, slots=True)
class Token:
    """One word of Jinja inside a tag: `type` as Jinja's lexer names it, and where it stands in the source."""

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


OPENERS = re.compile(r"\{[%{#]")
RAW_BEGIN = re.compile(r"\{%[-+]?\s*raw\s*(?:-%\}\s*|%\})")
RAW_END = re.compile(r"\{%([-+]?)\s*endraw\s*(?:\+%\}|-%\}|%\})")
WORD = re.compile(
    r"(?P<whitespace>\s+)"
    rf"|(?P<float>{lexer.float_re.pattern})"
    rf"|(?P<integer>{lexer.integer_re.pattern})"
    rf"|(?P<name>{lexer.name_re.pattern})"
    rf"|(?P<string>{lexer.string_re.pattern})"
    rf"|(?P<operator>{lexer.operator_re.pattern})",
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
CLOSERS = {"%": re.compile(r"[-+]?%\}"), "{": re.compile(r"-?\}\}")}
BRACKETS = {"{": "}", "(": ")", "[": "]"}


def line_of(source: str, position: int) -> tuple[int, int]:
    """The line and column, both from 1, of a position in the source."""
    return source.count("\n", 0, position) + 1, position - source.rfind("\n", 0, position)


def _fault(source: str, position: int, message: str) -> SyntaxFault:
    line, column = line_of(source, position)
    return SyntaxFault(message, line=line, column=column)


def _read_tag(source: str, start: int) -> tuple[tuple[Token, ...], int]:
    """The words of the tag that opens at `start`, and where its closing delimiter begins."""
    closer = CLOSERS[source[start + 1]]
    position = start + 2
    if source[position : position + 1] in ("-", "+"):
        position += 1
    tokens: list[Token] = []
    open_brackets: list[str] = []
    while position < len(source):
        if not open_brackets and closer.match(source, position):
            return tuple(tokens), position
        match = WORD.match(source, position)
        if match is None:
            raise _fault(source, position, f"unexpected character {source[position]!r} inside a tag")
        kind, text = str(match.lastgroup), match.group()
        if kind == "operator":
            kind = lexer.operators[text]
            if text in BRACKETS:
                open_brackets.append(BRACKETS[text])
            elif text in BRACKETS.values() and (not open_brackets or open_brackets.pop() != text):
                raise _fault(source, position, f"unexpected {text!r}: it closes nothing that is open")
        if kind != "whitespace":
            tokens.append(Token(kind, text, position, match.end()))
        position = match.end()
    raise _fault(source, start, "this tag is never closed")


def _cut(source: str) -> Iterator[tuple[Kind, int, int, int, int, tuple[Token, ...]]]:
    position = 0
    while position < len(source):
        opener = OPENERS.search(source, position)
        begin = opener.start() if opener else len(source)
        if begin > position:
            yield Kind.TEXT, position, begin, position, begin, ()
        if opener is None:
            return
        if opener.group() == "{#":
            end = source.find("#}", begin + 2)
            if end < 0:
                raise _fault(source, begin, "this comment is never closed")
            sign = source[begin + 2] in "-+" and begin + 2 < end
            yield Kind.COMMENT, begin, end + 2, begin + 2 + sign, end, ()
            position = end + 2
        elif raw := RAW_BEGIN.match(source, begin):
            close = RAW_END.search(source, raw.end())
            if close is None:
                raise _fault(source, begin, "this raw block is never closed")
            inner = raw.end()
            yield Kind.RAW, begin, close.end(), inner, close.start(), ()
            position = close.end()
        else:
            tokens, inner_end = _read_tag(source, begin)
            kind = Kind.EXPRESSION if opener.group() == "{{" else Kind.STATEMENT
            sign = source[begin + 2] in "-+"
            end = source.index("}", inner_end + (source[inner_end] in "-+") + 1) + 1
            yield kind, begin, end, begin + 2 + sign, inner_end, tokens
            position = end


def _printed_text(source: str, start: int, end: int, before: Segment | None, after: str) -> str:
    """What the text `[start, end)` prints, with trim_blocks, lstrip_blocks and the signs of its neighbours applied.

    The rules are those of Jinja's lexer (jinja.palletsprojects.com, "Whitespace Control"); `after` is the opening of
    the tag behind the text, with its sign.
    """
    text = source[start:end]
    line_starting = True
    if before is not None:
        closing = source[before.inner_end] if before.kind is not Kind.RAW else source[before.end - 3]
        if before.kind is Kind.COMMENT:
            closing = source[before.inner_end - 1] if before.inner_end > before.inner_start else ""
        taken = 0
        if closing == "-":
            taken = len(text) - len(text.lstrip())
        elif before.kind is not Kind.EXPRESSION and closing != "+" and text.startswith("\n"):
            taken = 1
        line_starting = taken > 0 and text[taken - 1] == "\n"
        text = text[taken:]
    if after[2:3] == "-":
        return text.rstrip()
    if after[:2] in ("{%", "{#") and after[2:3] != "+":
        line = text.rfind("\n") + 1
        if (line > 0 or line_starting) and not text[line:].strip() and text[line:]:
            return text[:line]
    return text


def _raw_text(source: str, start: int, segment: Segment) -> str:
    """What a raw block prints: only the signs on its inner sides count."""
    text = source[segment.inner_start : segment.inner_end]
    sign = source[segment.inner_end + 2 : segment.inner_end + 3]
    if sign == "-":
        return text.rstrip()
    if sign != "+":
        line = text.rfind("\n") + 1
        line_starting = source[segment.inner_start - 1] == "\n"
        if (line > 0 or line_starting) and not text[line:].strip() and text[line:]:
            return text[:line]
    return text


@lru_cache(maxsize=64)
def segments(source: str) -> tuple[Segment, ...]:
    """The segments of a source whose line ends are `\\n`; their texts joined are the source.

    Raises SyntaxFault, with line and column, where a tag, comment or raw block does not end or a character fits nowhere.
    """
    done: list[Segment] = []
    # Jinja drops one line end at the very end of a template; that newline still belongs to the last segment here.
    last = len(source) - source.endswith("\n")
    for kind, start, end, inner_start, inner_end, tokens in _cut(source):
        segment = Segment(kind, start, end, inner_start, inner_end, tokens)
        if kind is Kind.TEXT:
            after = source[end : end + 3]
            printed = _printed_text(source, start, min(end, last), done[-1] if done else None, after)
            segment = Segment(kind, start, end, start, end, (), printed)
        elif kind is Kind.RAW:
            segment = Segment(kind, start, end, inner_start, inner_end, (), _raw_text(source, start, segment))
        done.append(segment)
    return tuple(done)
