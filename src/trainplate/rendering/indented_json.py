"""JSON on several lines, as Python writes it: its encoder is quick on one line alone, and templates indent tools."""

import json
from json.encoder import encode_basestring as quoted
from typing import Any

plain_json = json.JSONEncoder(ensure_ascii=False)
LEAVES = frozenset((int, float, bool, type(None)))


class Unusual(Exception):
    """Raised at a value that is none of plain JSON, which Python's own encoder knows how to treat."""


def indented_json(value: Any, indent: int) -> str:
    """Return what `json.dumps(value, ensure_ascii=False, indent=indent)` does, for an indent of no less than 0."""
    try:
        return written(value, "\n", " " * indent)
    except Unusual:
        return json.dumps(value, ensure_ascii=False, indent=indent)


def written(value: Any, line: str, step: str) -> str:
    """Write one value; `line` begins a line at its own depth."""
    kind = value.__class__
    if kind is str:
        return quoted(value)
    if kind is dict:
        inner = line + step
        items = [f"{key_of(key)}: {written(item, inner, step)}" for key, item in value.items()]
        return "{" + inner + f",{inner}".join(items) + line + "}" if items else "{}"
    if kind is list:
        inner = line + step
        items = [written(item, inner, step) for item in value]
        return "[" + inner + f",{inner}".join(items) + line + "]" if items else "[]"
    if kind in LEAVES:
        return plain_json.encode(value)
    raise Unusual


def key_of(key: Any) -> str:
    """Write a key; those that are no text take a form of their own."""
    if key.__class__ is not str:
        raise Unusual
    return quoted(key)
