"""Formats of older versions, brought to the present one step at a time."""

from collections.abc import Callable, Mapping
from typing import Any

from trainplate.formats.format import VERSION
from trainplate.formats.schema import fault


def migrated(values: Mapping[str, Any], place: str) -> dict[str, Any]:
    """Return the values in the present version; raises FormatError where the version is unknown."""
    present = dict(values)
    while present.get("version") != VERSION:
        version = present.get("version")
        step = STEPS.get(version) if isinstance(version, int) else None
        if step is None:
            newer = isinstance(version, int) and version > VERSION
            way_out = "install a newer trainplate" if newer else f"write version = {VERSION}"
            raise fault(place, "version", f"must be a number from 1 to {VERSION}, but is {version!r}", way_out)
        present = step(present, place)
    return present


def from_pairs(values: dict[str, Any], place: str) -> dict[str, Any]:
    """Version 1 had a table for each part, with the text before its content and the text behind it.

    It called what ends a turn `stop`, a single text, and knew BOS by a switch.
    """
    tables = {key: value for key, value in values.items() if isinstance(value, Mapping) and key != "special_tokens"}
    rest = {key: value for key, value in values.items() if key not in tables}
    stop = rest.pop("stop", None)
    begins = rest.pop("bos", False)
    if not isinstance(begins, bool):
        raise fault(place, "bos", f"must be true or false, but is {begins!r:.60}", "write bos = true")
    return {
        **rest,
        "version": 2,
        **({} if stop is None else {"stops": [stop]}),
        **({"start": "{bos}"} if begins else {}),
        "parts": {name: joined(pair, name, place) for name, pair in tables.items()},
    }


def joined(pair: Mapping[str, Any], name: str, place: str) -> str:
    """Return the text of a part of version 1."""
    for key, value in pair.items():
        if key not in ("before", "after") or not isinstance(value, str):
            raise fault(place, f"{name}.{key}", "is no text before or after the content", "write before and after")
    return f"{pair.get('before', '')}{{content}}{pair.get('after', '')}"


STEPS: Mapping[int, Callable[[dict[str, Any], str], dict[str, Any]]] = {1: from_pairs}
"""The step that leads from each older version to the next."""
