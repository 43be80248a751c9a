"""How one template ends, and what it reaches on its way; run within a process of its own."""

import sys
from typing import Any

import trainplate
from trainplate.errors import TrainplateError
from trainplate.rendering import Limits
from trainplate.template import Template

FORBIDDEN = (
    *("open", "socket.", "subprocess.", "os.", "shutil.", "ctypes.", "urllib.", "tempfile.", "glob.", "mmap."),
    *("import", "pty.", "fcntl.", "signal.", "webbrowser.", "sqlite3.", "http."),
)
"""What Python reports when something is read, written, started, sent or loaded."""

reached: list[str] = []


def watch() -> None:
    """From here on, note whatever is opened, started, sent or imported; it cannot be turned off again."""
    sys.addaudithook(note)


def note(event: str, arguments: tuple[Any, ...]) -> None:
    """Note one event, unless nothing is reached by it."""
    # To show the line of a SyntaxError, Python looks for a file of the name under which the code was compiled.
    own_name = arguments[:1] == ("<template>",)
    if event.startswith(FORBIDDEN) and not own_name:
        reached.append(f"{event} {arguments[:1]}")


def ending_of(source: str, limits: Limits) -> tuple[str, str]:
    """Return the kind of error that a template ends in, and its words; `patched` where there is none."""
    template = Template(source, {"bos_token": "<s>", "eos_token": "</s>"}, "hostile.jinja")
    try:
        trainplate.patch(template, limits=limits)
    except TrainplateError as error:
        return type(error).__name__, str(error)
    return "patched", ""
