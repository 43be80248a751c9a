"""Where output goes: how wide it is, whether it shows colour, and how text gets there unchanged."""

import io
import re
import sys
import textwrap
from typing import TextIO

from rich.console import Console
from rich.text import Text

LABEL = re.compile(r" +\S.*?  +(?=\S)")
"""What stands in front of a text in a row of a message, with the spaces behind it."""
WIDEST = 100
"""Messages stay this narrow on a wide screen; without a terminal the width is 80."""


def output() -> Console:
    """Return standard output, for what was asked for."""
    return console(sys.stdout)


def errors() -> Console:
    """Return standard error, for what is to be known beside it."""
    return console(sys.stderr)


def console(stream: TextIO) -> Console:
    """Return a console that adds no markup of its own and never fails on a character it cannot show."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")
    return Console(file=stream, highlight=False, markup=False, emoji=False, soft_wrap=True)


def is_coloured(console: Console) -> bool:
    """Say whether colour can be seen there; `NO_COLOR`, a pipe and a dumb terminal say no."""
    return console.color_system is not None and not console.no_color


def width_of(console: Console) -> int:
    """Return how wide messages may be."""
    return min(console.width, WIDEST)


def wrapped(message: str, width: int) -> str:
    """Return a message with each of its lines wrapped; what goes on is indented under what it belongs to."""
    return "\n".join(
        textwrap.fill(
            line, width, subsequent_indent=" " * hanging(line), break_long_words=False, break_on_hyphens=False
        )
        for line in message.splitlines()
    )


def hanging(line: str) -> int:
    """Return how far the further lines of one are indented: to where its text begins behind a label."""
    label = LABEL.match(line)
    return label.end() if label else 4


def tell(console: Console, text: str | Text, end: str = "\n") -> None:
    """Write the text as it is, in colour where there is any."""
    if isinstance(text, Text) and is_coloured(console):
        console.print(text, end=end)
    else:
        console.file.write((text.plain if isinstance(text, Text) else text) + end)
        console.file.flush()
