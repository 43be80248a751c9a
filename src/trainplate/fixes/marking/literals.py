"""String constants as they are written: where a character of the value stands, and how to write one anew."""

import re

CHARACTER = re.compile(r"\\(?:\n|[0-7]{1,3}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|N\{[^}]*\}|.)|.", re.DOTALL)


def cut_literal(literal: str, offset: int) -> tuple[str, str] | None:
    """Cut a quoted string so that the first half has `offset` characters; None where it is written in several parts."""
    quote, inside = literal[0], literal[1:-1]
    count = position = 0
    for match in CHARACTER.finditer(inside):
        if match.group() == quote:
            return None
        if count == offset:
            break
        count += len(value_of(match.group()))
        position = match.end()
    if count != offset:
        return None
    return f"{quote}{inside[:position]}{quote}", f"{quote}{inside[position:]}{quote}"


def value_of(written: str) -> str:
    """Return the value of one written character, as Jinja reads it."""
    return written.encode("ascii", "backslashreplace").decode("unicode-escape")


def write_literal(text: str, quote: str = "'") -> str:
    """Write a text as a string of Jinja on one line."""
    escapes = {"\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r", quote: f"\\{quote}"}
    return quote + "".join(escapes.get(character, character) for character in text) + quote
