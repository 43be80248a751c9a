"""The tokens that Jinja's parser reads, numbered from 0 in the place of lines."""

from ast import literal_eval
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from jinja2 import lexer

from trainplate.syntax.segments import BRACKETS, Kind, Segment, Token, fault_at, segments

CLOSING_BRACKETS = frozenset(BRACKETS.values())


@dataclass(frozen=True, slots=True, eq=False)
class Numbering:
    """The tokens as Jinja's parser wants them, and what else is known of each by its number."""

    stream: list[lexer.Token]
    places: list[tuple[int, int, int]]
    """Per token: the index of its segment, its start and its end."""
    closing: dict[int, int]
    """For the number of an opening bracket, that of the bracket that closes it."""

    def type_of(self, number: int) -> str:
        """The type of a token, as Jinja's lexer names it."""
        return str(self.stream[number].type)

    def put(self, kind: str, value: Any, segment: int, start: int, end: int) -> None:
        """Add a token to the end."""
        self.stream.append(lexer.Token(len(self.stream), kind, value))
        self.places.append((segment, start, end))


def number_tokens(source: str, pieces: tuple[Segment, ...]) -> Numbering:
    """Number the tokens of a source; raises SyntaxFault where a name, a number or a string has no value."""
    numbering = Numbering([], [], {})
    for index, piece in enumerate(pieces):
        if piece.kind is Kind.TEXT or piece.kind is Kind.RAW:
            if piece.printed:
                numbering.put("data", piece.printed, index, piece.start, piece.end)
        elif piece.kind is not Kind.COMMENT:
            _number_tag(source, piece, index, numbering)
    return numbering


def _number_tag(source: str, tag: Segment, index: int, numbering: Numbering) -> None:
    name = "variable" if tag.kind is Kind.EXPRESSION else "block"
    open_brackets: list[int] = []
    numbering.put(f"{name}_begin", source[tag.start : tag.inner_start], index, tag.start, tag.inner_start)
    for token in tag.tokens:
        kind, text, start, end = token
        value = text
        if kind in VALUES:
            value = value_of(token, source)
        elif text in BRACKETS:
            open_brackets.append(len(numbering.stream))
        elif text in CLOSING_BRACKETS:
            numbering.closing[open_brackets.pop()] = len(numbering.stream)
        numbering.put(kind, value, index, start, end)
    numbering.put(f"{name}_end", source[tag.inner_end : tag.end], index, tag.inner_end, tag.end)


def _text_value(text: str) -> str:
    return text[1:-1].encode("ascii", "backslashreplace").decode("unicode-escape")


def _integer_value(text: str) -> int:
    return int(text.replace("_", ""), 0)


def _float_value(text: str) -> Any:
    return literal_eval(text.replace("_", ""))


def _name_value(text: str) -> str:
    if not text.isidentifier():
        raise ValueError("it has a character that is allowed in no name")
    return text


VALUES = {"name": _name_value, "string": _text_value, "integer": _integer_value, "float": _float_value}
"""How Jinja reads the tokens that stand for a value."""


def value_of(token: Token, source: str) -> Any:
    """What a name, a number or a string stands for; raises SyntaxFault where it cannot be read."""
    try:
        return VALUES[token.type](token.text)
    except (ValueError, SyntaxError, Warning) as error:  # an odd escape is a warning, which Python may be told to raise
        raise fault_at(source, token.start, f"this {token.type} cannot be read: {error}") from error


def numbered_tokens(source: str) -> Iterator[tuple[str, Any]]:
    """The tokens that the parser sees, as (type, value): the same as those of Jinja's own lexer."""
    stream = number_tokens(source, segments(source)).stream
    return ((str(token.type), token.value) for token in stream)
