"""Reading a file as exact text, or as JSON, with errors that name the place in the file."""

import json
import shlex
from pathlib import Path
from typing import Any

from trainplate.errors import LoadingError

LARGEST_FILE = 64 * 2**20
"""More bytes than any chat template or tokenizer configuration has; weights have more."""

BYTE_ORDER_MARKS = (b"\xff\xfe", b"\xfe\xff")


def failure(where: str, what: str, way_out: str) -> LoadingError:
    """Return an error in the form of all messages: the place, what is wrong there, and what to do."""
    return LoadingError(f"{where}: {what}\n    way out   {way_out}")


def read_text(path: Path, shown: str) -> str:
    """Return the file's text with its line ends as they are; what is not UTF-8 is named by byte and line."""
    data = read_bytes(path, shown)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        wide = data.startswith(BYTE_ORDER_MARKS)
        what = f"byte {error.start} (0x{data[error.start]:02x}) is not UTF-8{'; it looks like UTF-16' if wide else ''}"
        encoding = "UTF-16" if wide else "ENCODING"
        way_out = f"iconv -f {encoding} -t UTF-8 {shlex.quote(shown)} > utf8{path.suffix}"
        raise failure(f"{shown}:{line}", what, way_out) from None


def read_bytes(path: Path, shown: str) -> bytes:
    """Return the file's bytes; a missing or unreadable file, and one that is no text, is a clear error."""
    try:
        if not path.is_file():
            raise failure(shown, absence(path), "check the path; it is taken from the current folder")
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise failure(shown, f"cannot be read: {reason}", "check the path and its permissions") from None
    if data.startswith(b"GGUF"):
        raise failure(shown, "a GGUF file, not a template", "name the model folder or Hub id that it was made from")
    if len(data) > LARGEST_FILE:
        raise failure(shown, f"more than {LARGEST_FILE >> 20} MB, so no template", "name the .jinja file itself")
    return data


def absence(path: Path) -> str:
    """Say why a path is no file to be read."""
    if path.exists():
        return "not a file"
    return "a symbolic link that leads to no file" if path.is_symlink() else "no such file"


def read_json(path: Path, shown: str) -> dict[str, Any]:
    """Return the JSON object a file holds; broken JSON is named by line and column."""
    value = parse_json(read_text(path, shown), shown)
    if not isinstance(value, dict):
        found = {"list": "a list", "str": "a string"}.get(type(value).__name__, f"{value!r:.40}")
        raise failure(f"{shown}:1", f"expected a JSON object, found {found}", "name the file that holds chat_template")
    return value


def parse_json(text: str, shown: str) -> Any:
    """Return what JSON text says, or say where it stops being JSON."""
    if text.startswith("\ufeff"):  # which transformers does not read either
        raise failure(f"{shown}:1:1", "not JSON: it begins with a byte order mark", "save it as UTF-8 without one")
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        where = f"{shown}:{error.lineno}:{error.colno}"
        more = error.msg == "Extra data"
        what = "more stands behind the end of the JSON" if more else f"not JSON: {error.msg}"
        raise failure(where, what, "mend the file there, or fetch it again") from None
    except (RecursionError, ValueError) as error:
        what = "nested too deep" if isinstance(error, RecursionError) else str(error)
        raise failure(shown, f"JSON that cannot be read: {what}", "fetch the file again") from None
