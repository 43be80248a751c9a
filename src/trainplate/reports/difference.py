"""A unified diff as people read it."""

from rich.text import Text

STYLES = {"---": "bold", "+++": "bold", "@@": "cyan", "+": "green", "-": "red"}
"""By the start of a line; the first that fits counts."""


def difference_text(diff: str) -> Text:
    """Return the diff with what goes in red and what comes in green."""
    return Text("").join(Text(line, style_of(line)) for line in diff.splitlines(keepends=True))


def style_of(line: str) -> str:
    """Return the colour of one line of a diff."""
    return next((style for start, style in STYLES.items() if line.startswith(start)), "")
