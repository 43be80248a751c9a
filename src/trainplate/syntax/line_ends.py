"""Line ends: Jinja reads `\\r\\n` and `\\r` as `\\n`, and so do we, but a file gets back the ends that it had."""

import re
from collections.abc import Iterable

from trainplate.syntax.edits import Edit, edits_between

LINE_END = re.compile(r"\r\n|\r|\n")


def with_newlines(source: str) -> str:
    """The source as Jinja reads it, in which every line ends in `\\n`."""
    return LINE_END.sub("\n", source)


def with_line_ends_of(original: str, edited: str, edits: Iterable[Edit] | None = None) -> str:
    """A text made from `with_newlines(original)`, in which lines that were not changed end as they did.

    `edits` are those that lead to it; where they are not given, they are found. A new line ends as the line before it.
    Law: `with_newlines` of the result is `edited`, and an original that was not edited comes back byte for byte.
    """
    known = LINE_END.findall(original)
    if not known or set(known) == {"\n"}:
        return edited
    source, ends = with_newlines(original), list(known)
    made = edits_between(source, edited) if edits is None else edits
    for edit in sorted(made, key=lambda edit: edit.start, reverse=True):
        first, last = source.count("\n", 0, edit.start), source.count("\n", 0, edit.end)
        added = edit.replacement.count("\n")
        kept = known[first:last][:added]
        usual = kept[-1] if kept else known[max(first - 1, 0)]
        ends[first:last] = kept + [usual] * (added - len(kept))
    return _joined(edited.split("\n"), ends)


def _joined(lines: list[str], ends: list[str]) -> str:
    """The lines with their ends; a `\\r` that would run into a `\\n` behind it ends its line as `\\r\\n`."""
    pieces: list[str] = []
    for index, end in enumerate(ends):
        runs_on = end == "\r" and not lines[index + 1] and ends[index + 1 : index + 2] == ["\n"]
        pieces += lines[index], "\r\n" if runs_on else end
    return "".join(pieces) + lines[-1]
