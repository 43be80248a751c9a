"""How tags are laid out: on lines of their own or within a line, and how far they are indented."""

import re


def own_line(source: str, start: int, end: int) -> str | None:
    """Return the indentation of `source[start:end]` if nothing else stands on its lines, or None."""
    line = source.rfind("\n", 0, start) + 1
    rest = source.find("\n", end)
    before, behind = source[line:start], source[end : rest if rest >= 0 else len(source)]
    return before if not before.strip() and not behind.strip() else None


def indent_step(source: str) -> str:
    """Return by how much the file indents a block."""
    indents = re.findall(r"^([ \t]+)\{[%{]", source, re.MULTILINE)
    shortest = min(indents, key=len, default="    ")
    return "\t" if shortest.startswith("\t") else shortest if len(shortest) in (2, 3, 4) else "    "


def indented(text: str, step: str) -> str:
    """Indent every line of a text but the first."""
    return text.replace("\n", f"\n{step}")
