"""Where in a file of a repository a place of a template stands, so that a code host can show it."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from trainplate.auditing import Place
from trainplate.syntax import line_of, with_newlines
from trainplate.template import Template

LITERAL = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
ESCAPE = re.compile(r"\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u....|\\.|.", re.DOTALL)
"""What stands for one character in a JSON string; two halves of a pair stand for one."""


@dataclass(frozen=True)
class Region:
    """A piece of a file: lines and columns count from 1, the end stands behind the last character."""

    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True)
class FilePlace:
    """A place as a code host takes it; `in_repository` where the address counts from the repository's root."""

    uri: str
    in_repository: bool
    region: Region | None = None


def file_place(template: Template, place: Place | None, root: Path) -> FilePlace:
    """Return where a template's place stands in its file; for what lies in no file, where it stands in the template."""
    source = with_newlines(template.source)
    path = Path(file_name(template))
    if not path.is_file():
        return FilePlace(quote(file_name(template)), False, region_in(source, source, place))
    text = source if path.suffix != ".json" else with_newlines(path.read_text(encoding="utf-8", errors="replace"))
    region = region_in(text, source, place)
    resolved = path.resolve()
    if resolved.is_relative_to(root):
        return FilePlace(quote(resolved.relative_to(root).as_posix()), True, region)
    return FilePlace(resolved.as_uri(), False, region)


def file_name(template: Template) -> str:
    """Return a template's name without the key and the variant that stand behind the file's."""
    name = template.name
    if template.variant is not None:
        name = name.removesuffix(f"[{template.variant}]")
    return name.removesuffix("#chat_template")


def repository_root(folder: Path) -> Path:
    """Return the root of the repository that a folder lies in; the folder itself where it lies in none."""
    resolved = folder.resolve()
    return next((one for one in (resolved, *resolved.parents) if (one / ".git").exists()), resolved)


def region_in(text: str, source: str, place: Place | None) -> Region | None:
    """Return a place of a template's source as a region of the file's text, which holds it plain or in JSON."""
    if place is None:
        return None
    start = offset_of(source, place)
    end = start + len(place.expression) if source.startswith(place.expression, start) else start
    if text != source:
        found = positions_in_json(text, source, start, end)
        if found is None:
            return None
        start, end = found
    (line, column), (end_line, end_column) = line_of(text, start), line_of(text, end)
    return Region(line, column, end_line, end_column)


def offset_of(source: str, place: Place) -> int:
    """Return how many characters stand before a place, at most the whole source."""
    lines = source.split("\n")[: place.line - 1]
    return min(sum(len(line) + 1 for line in lines) + place.column - 1, len(source))


def positions_in_json(text: str, source: str, start: int, end: int) -> tuple[int, int] | None:
    """Return where two characters of a template stand in JSON text; None where no string of it says the template."""
    for literal in LITERAL.finditer(text):
        if literal.end() - literal.start() > len(source) and said(literal.group()) == source:
            inner = literal.start() + 1
            lengths = list(character_lengths(literal.group()[1:-1]))
            return inner + sum(lengths[:start]), inner + sum(lengths[:end])
    return None


def said(literal: str) -> str | None:
    """Return the text of a JSON string with plain line ends, or None where it is none."""
    try:
        return with_newlines(str(json.loads(literal, strict=False)))
    except ValueError:
        return None


def character_lengths(inner: str) -> Iterator[int]:
    """Yield how many characters of JSON stand for each character of the text; an escaped `\\r\\n` is one line end."""
    length = 0
    for match in ESCAPE.finditer(inner):
        length += len(match.group())
        if match.group() == r"\r" and inner.startswith(r"\n", match.end()):
            continue
        yield length
        length = 0
