"""How a training template differs from its original, for people and tools to read, and how much."""

import difflib
from collections.abc import Iterable, Iterator

NO_NEWLINE = "\\ No newline at end of file\n"


def unified_diff(original: str, training: str, *, name: str, context: int = 3) -> str:
    """The difference as `git diff` writes it, so that `git apply` makes one text of the other; empty if there is none.

    Only `\\n` ends a line: a `\\r` before it is part of what the line says.
    """
    before, after = _lines(original), _lines(training)
    written = difflib.unified_diff(before, after, f"a/{name}", f"b/{name}", n=context)
    return "".join(line if line.endswith("\n") else f"{line}\n{NO_NEWLINE}" for line in written)


def changed_characters(original: str, training: str) -> int:
    """How long the lines are that a unified diff without context adds and removes, their signs counted, line ends not.

    By this measure the templates that trl 1.16 patches by hand come to 52,142 characters.
    """
    lines = difflib.unified_diff(original.splitlines(), training.splitlines(), n=0, lineterm="")
    return sum(len(line) for line in _without_header(lines) if line[0] in "+-")


def _lines(text: str) -> list[str]:
    pieces = text.split("\n")
    return [f"{piece}\n" for piece in pieces[:-1]] + [piece for piece in pieces[-1:] if piece]


def _without_header(lines: Iterable[str]) -> Iterator[str]:
    """The lines of a diff behind the two that name the files."""
    return (line for number, line in enumerate(lines) if number >= 2)
