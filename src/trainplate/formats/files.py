"""Formats in files: those of our own writing by name, any other by path; TOML to write by hand, JSON to pass on."""

import json
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from trainplate.families.location import chat_templates_folder
from trainplate.formats.format import VERSION, Format, FormatError
from trainplate.formats.migration import migrated
from trainplate.formats.schema import DEFAULTS, PARTS, TEXTS, fault, format_from
from trainplate.loading.text_file import parse_json, read_text

SUFFIXES = (".toml", ".json")


def load_format(name: str | Path) -> Format:
    """Return a format of ours by name (`chatml`), or the one in a .toml or .json file.

    Raises FormatError, which names the file and the key, where it is no format; LoadingError where no file can be read.
    """
    path = Path(name)
    if path.suffix in SUFFIXES:
        return read_format(path, str(name))
    if str(name) not in format_names():
        what = "is neither a format of ours nor a .toml or .json file"
        raise FormatError(f"{name}: {what}\n    way out   name one of: {', '.join(format_names())}")
    return own_format(str(name))


@cache
def own_format(name: str) -> Format:
    """Return a format of our own writing, read once."""
    return read_format(folder() / f"{name}.toml", f"{name}.toml")


def folder() -> Path:
    """Return the folder of our own formats, in a wheel as in a checkout."""
    return chat_templates_folder() / "formats"


def format_names() -> tuple[str, ...]:
    """Return the names of our own formats, sorted."""
    return tuple(sorted(path.stem for path in folder().glob("*.toml")))


def read_format(path: Path, shown: str) -> Format:
    """Read a format's file, whatever its version."""
    text = read_text(path, shown)
    return format_from_json(text, shown) if path.suffix == ".json" else format_from_toml(text, shown)


def format_from_toml(text: str, place: str = "<toml>") -> Format:
    """Return the format that TOML text describes."""
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise FormatError(f"{place}: not TOML: {error}\n    way out   mend the file there") from None
    return format_from(migrated(values, place), place)


def format_from_json(text: str, place: str = "<json>") -> Format:
    """Return the format that JSON text describes."""
    values = parse_json(text, place)
    if not isinstance(values, Mapping):
        raise fault(place, "version", "is missing: the file holds no JSON object", f'begin with {{"version": {VERSION}')
    return format_from(migrated(values, place), place)


def format_to_json(format: Format) -> str:
    """Return a format as JSON text. Law: reading it gives the same format again."""
    return json.dumps(values_of(format), ensure_ascii=False, indent=2) + "\n"


def values_of(format: Format) -> dict[str, Any]:
    """Return a format as the values of a file: what is left at its default is left out."""
    parts = {name: getattr(format, name) for name in PARTS}
    texts = ("note", *TEXTS, "tools_in")
    return {
        "version": VERSION,
        "name": format.name,
        **{key: value for key in texts if (value := getattr(format, key)) != DEFAULTS[key]},
        **({} if format.start is None else {"start": format.start.text}),
        "stops": list(format.stops),
        **({"added_tokens": list(format.added_tokens)} if format.added_tokens else {}),
        **({"special_tokens": dict(format.special_tokens)} if format.special_tokens else {}),
        "parts": {name: part.text for name, part in parts.items() if part is not None},
    }
