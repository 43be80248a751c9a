"""How tags are laid out: on lines of their own or within a line, and how far they are indented."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from trainplate.syntax import Kind, segments


def own_line(source: str, start: int, end: int) -> str | None:
    """Return the indentation of `source[start:end]` if nothing else stands on its lines, or None."""
    line = source.rfind("\n", 0, start) + 1
    rest = source.find("\n", end)
    before, behind = source[line:start], source[end : rest if rest >= 0 else len(source)]
    return before if not before.strip() and not behind.strip() else None


def common_indent(source: str, start: int, end: int, last: int) -> str | None:
    """Return the lesser indentation of the first tag and that at `last`; None if something else is on their lines."""
    first = own_line(source, start, end - source[:end].endswith("\n"))
    before = source[source.rfind("\n", 0, last) + 1 : last]
    return first if first is None or before.strip() else min(first, before, key=len)


def indent_step(source: str) -> str:
    """Return by how much the file indents a block."""
    indents = re.findall(r"^([ \t]+)\{[%{]", source, re.MULTILINE)
    shortest = min(indents, key=len, default="    ")
    return "\t" if shortest.startswith("\t") else shortest if len(shortest) in (2, 3, 4) else "    "


def indented(text: str, step: str) -> str:
    """Indent every line that begins between two tags; strings and comments of several lines stay as they are."""
    if "\n" not in text:
        return text
    return "".join(
        text[piece.start : piece.end].replace("\n", f"\n{step}")
        if piece.kind is Kind.TEXT
        else text[piece.start : piece.end]
        for piece in segments(text)
    )


@dataclass(frozen=True)
class Layout:
    """How new tags are written in one place: each on its own line, or one behind the other."""

    indent: str | None
    """The indentation of lines of their own; None within a line."""
    step: str
    sign: str
    """What stands at the start of a tag, `-` or nothing, and what at the end of a block's tag."""
    closing: str = ""

    def block(self, words: str) -> str:
        """Write the tag of a block or a statement."""
        return f"{{% {words} %}}" if self.indent is None else f"{{%{self.sign} {words} {self.closing}%}}"

    def output(self, expression: str) -> str:
        """Write the tag of an expression."""
        return f"{{{{ {expression} }}}}" if self.indent is None else f"{{{{{self.sign} {expression} }}}}"

    def lines(self, tags: Iterable[tuple[int, str]]) -> str:
        """Write tags, each with its depth, as they follow each other."""
        if self.indent is not None:
            return f"\n{self.indent}".join(
                self.step * depth + indented(tag, self.step * depth) if depth else tag for depth, tag in tags
            )
        joined = "".join(tag for _, tag in tags)
        unsigned = self.sign and joined[2:3] not in ("-", "+")
        return joined[:2] + self.sign + joined[2:] if unsigned else joined


def layout_at(source: str, start: int, end: int, *, within_line: bool = False) -> Layout:
    """Choose how to write tags in the place of `source[start:end]`: as it stands there itself.

    Only tags that take the white space before them can have lines of their own everywhere.
    """
    opening = opening_sign(source, start)
    indent = own_line(source, start, end) if opening and not within_line else None
    return Layout(indent, indent_step(source), opening, closing_sign(source))


def opening_sign(source: str, start: int) -> str:
    """Return the sign at the start of the tag at a position: `-` or nothing."""
    return "-" if source[start : start + 3] in ("{{-", "{%-", "{#-") else ""


def closing_sign(source: str) -> str:
    """Return the sign that most blocks of a file end with: `-` or nothing."""
    return "-" if source.count("-%}") * 2 > source.count("%}") else ""
