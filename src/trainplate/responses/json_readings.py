"""Calls that are written in JSON: whole, in a list, or their arguments alone."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from trainplate.responses.probes import NAME, ONE, SECOND_NAME, TWO
from trainplate.responses.samples import Reading, Sample, lead_to_object, named_reading, reading

OPENING = re.compile(r"[\[{]")


def whole_json(sample: Sample) -> Iterator[Reading]:
    """A call is one JSON object with its name and arguments: `{"name": ..., "arguments": {...}}`."""
    for value, start, end in values_naming(sample.one, NAME):
        if (transform := transform_for(value, "content")) is not None:
            marks = sample.marks(start, end, *second_of_two(sample.two))
            begins = rf'(?=\{{\s*"{re.escape(next(iter(value)))}"\s*:)'
            yield reading(marks, begins, repeats=True, content="json", transform=transform)


def json_list(sample: Sample) -> Iterator[Reading]:
    """All calls of a turn are one JSON list of objects."""
    for value, start, end in values_naming(sample.one, NAME):
        if isinstance(value, list) and len(value) == 1 and (transform := transform_for(value[0])) is not None:
            begins = rf'(?=\[\s*\{{\s*"{re.escape(next(iter(value[0])))}"\s*:)'
            marks = sample.marks(start, end)
            yield reading(marks, begins, content="json", transform=transform, transform_each=True)


def named_json(sample: Sample) -> Iterator[Reading]:
    """The name stands before its arguments, which are a JSON object."""
    place = sample.name
    start = -1 if place is None else sample.one.find("{", place.end)
    decoded = decoded_from(sample.one, start) if start >= 0 else None
    if place is None or decoded is None or decoded[0] != ONE["function"]["arguments"]:
        return
    marks = sample.marks(place.start, decoded[1], place.second, first_object_end(sample.two))
    yield named_reading(marks, lead_to_object(sample.one[place.end : start]), content="json")


def decoded_from(text: str, start: int) -> tuple[Any, int] | None:
    """Return the JSON value that begins at a place, and where it ends."""
    try:
        return json.JSONDecoder().raw_decode(text, start)
    except (ValueError, RecursionError):
        return None


def values_naming(text: str, name: str) -> Iterator[tuple[Any, int, int]]:
    """Yield the JSON values that hold a name, outermost first, with where they begin and end."""
    for found in OPENING.finditer(text, 0, max(text.find(name), 0)):
        if (decoded := decoded_from(text, found.start())) is not None and name in json.dumps(decoded[0]):
            yield decoded[0], found.start(), decoded[1]


def first_object_end(text: str | None) -> int | None:
    """Return where the first call's object of arguments ends."""
    start = -1 if text is None else text.find("{", text.find(NAME))
    decoded = decoded_from(text, start) if text is not None and start >= 0 else None
    return None if decoded is None else decoded[1]


def second_of_two(text: str | None) -> tuple[int | None, int | None]:
    """Return where the second of two objects begins, and where the first ends."""
    first = next((end for value, _, end in values_naming(text or "", NAME) if isinstance(value, dict)), None)
    if text is None or first is None:
        return None, None
    behind = values_naming(text[first:], SECOND_NAME)
    return next((first + start for value, start, _ in behind if holds_second(value)), None), first


def holds_second(value: Any) -> bool:
    """Whether a value is an object with the second call's name and arguments."""
    return all(any(paths_in(value, wanted)) for wanted in (SECOND_NAME, TWO["function"]["arguments"]))


def transform_for(value: Any, root: str = "") -> Mapping[str, Any] | None:
    """Return how the name and the arguments are taken out of a call's object; None where they are not both there."""
    if root and isinstance(value, dict) and set(value) == {"name", "arguments"}:
        return {"type": "function", "function": f"{{{root}}}"}
    name = next(paths_in(value, NAME, root), None)
    arguments = next(paths_in(value, ONE["function"]["arguments"], root), None)
    if name is None or arguments is None:
        return None
    return {"type": "function", "function": {"name": f"{{{name}}}", "arguments": f"{{{arguments}}}"}}


def paths_in(value: Any, wanted: Any, path: str = "") -> Iterator[str]:
    """Yield the dotted paths under which a value stands in an object; keys with other signs cannot be named."""
    if not isinstance(value, dict):
        return
    for key, inner in value.items():
        here = f"{path}.{key}" if path else key
        if inner == wanted and re.fullmatch(r"\w+", key):
            yield here
        yield from paths_in(inner, wanted, here)
