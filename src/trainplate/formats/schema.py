"""Validates what a file says before it becomes a format, and says of each fault in which file and key it is."""

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from trainplate.formats.format import VERSION, Format, FormatError
from trainplate.formats.parts import SEEN, TOKENS, Part

REQUIRED = ("user", "assistant")
OPTIONAL = ("system", "tool", "reasoning", "call", "calls", "tools")
PARTS = (*REQUIRED, *OPTIONAL)
TEXTS = ("separator", "call_separator", "before_calls", "tool_separator", "before_tools")
PLACES = ("system", "start")
"""Where the definitions of tools may stand: inside the system message, or by themselves before the first message."""
NEEDED: Mapping[str, tuple[str, ...]] = {"call": ("content", "name")}
"""What a part must show beside content."""
DEFAULTS = {one.name: one.default for one in fields(Format) if isinstance(one.default, str)}


def fault(place: str, key: str, what: str, way_out: str) -> FormatError:
    """Return an error that names the file and the key."""
    return FormatError(f"{place}: {key}: {what}\n    way out   {way_out}")


def format_from(values: Mapping[str, Any], place: str) -> Format:
    """Return the format that the values of a file describe; raises FormatError. `place` is the file's name."""
    known = ("version", "name", "note", "stops", "start", *TEXTS, "tools_in", "added_tokens", "special_tokens", "parts")
    no_others(values, known, place)
    if values.get("version") != VERSION:
        raise fault(place, "version", f"must be {VERSION}, but is {values.get('version')!r}", "migrate it first")
    parts = table(values, "parts", place)
    no_others(parts, PARTS, place, "parts.")
    for name in REQUIRED:
        if name not in parts:
            raise fault(place, f"parts.{name}", "is missing", f"write what stands around a message of the {name}")
    given: dict[str, Any] = {
        "name": text(values, "name", place, empty=False),
        "stops": texts(values, "stops", place),
        "start": start_of(values, place),
        "special_tokens": tokens(values, place),
        "added_tokens": texts(values, "added_tokens", place),
    }
    given |= {key: text(values, key, place) for key in ("note", "tools_in", *TEXTS)}
    given |= {name: part(parts, name, place) for name in PARTS if name in parts}
    found = Format(**given)
    agree(found, place)
    return found


def no_others(values: Mapping[str, Any], known: Sequence[str], place: str, under: str = "") -> None:
    """Raise FormatError where there is a key of another name."""
    for key in values:
        if key not in known:
            near = difflib.get_close_matches(key, known, 1)
            way_out = f"perhaps {near[0]} is meant" if near else f"known are {', '.join(known)}"
            raise fault(place, f"{under}{key}", "no such key", way_out)


def table(values: Mapping[str, Any], key: str, place: str) -> Mapping[str, Any]:
    """Return a table of the file; one that is left out is empty."""
    value = values.get(key, {})
    if not isinstance(value, Mapping):
        raise fault(place, key, f"must be a table, but is {value!r:.60}", f"write its keys under [{key}]")
    return value


def text(values: Mapping[str, Any], key: str, place: str, *, empty: bool = True) -> str:
    """Return a text of the file, or what a format has where it is left out."""
    value = values.get(key, DEFAULTS.get(key, ""))
    if not isinstance(value, str) or not (value or empty):
        raise fault(place, key, f"must be a text, but is {value!r:.60}", "write it in quotes")
    if key in TEXTS:
        only_slots(Part(value), TOKENS, place, key)
    return value


def texts(values: Mapping[str, Any], key: str, place: str) -> tuple[str, ...]:
    """Return a list of texts, none of them empty."""
    value = values.get(key, [])
    if not isinstance(value, list | tuple) or not all(isinstance(one, str) and one for one in value):
        raise fault(place, key, f"must be a list of texts, but is {value!r:.60}", f'write {key} = ["..."]')
    return tuple(value)


def tokens(values: Mapping[str, Any], place: str) -> dict[str, str]:
    """Return the special tokens by name."""
    found = dict(table(values, "special_tokens", place))
    for name, value in found.items():
        if not name.endswith("_token") or not isinstance(value, str) or not value:
            what = f"must be a text under a name such as eos_token, but is {value!r:.60}"
            raise fault(place, f"special_tokens.{name}", what, 'write eos_token = "..."')
    return found


def start_of(values: Mapping[str, Any], place: str) -> Part | None:
    """Return what is printed before all; it belongs to no message, and so sees none."""
    if "start" not in values:
        return None
    found = Part(text(values, "start", place, empty=False))
    only_slots(found, TOKENS, place, "start")
    return found


def part(values: Mapping[str, Any], name: str, place: str) -> Part:
    """Return one part, in which content has its place exactly once."""
    value, key = values[name], f"parts.{name}"
    if not isinstance(value, str):
        raise fault(place, key, f"must be a text, but is {value!r:.60}", "write it in quotes")
    found = Part(value)
    only_slots(found, (*SEEN, *TOKENS), place, key)
    if found.slots.count("content") != 1:
        times = found.slots.count("content")
        raise fault(place, key, f"has {{content}} {times} times", "write {content} once, where the content goes")
    for slot in NEEDED.get(name, ()):
        if slot not in found.slots:
            raise fault(place, key, f"nowhere says {{{slot}}}", f"write {{{slot}}} where the {slot} goes")
    return found


def only_slots(found: Part, seen: Sequence[str], place: str, key: str) -> None:
    """Raise FormatError where a text asks for something it cannot see."""
    for slot in found.slots:
        if slot not in seen:
            allowed = ", ".join(f"{{{name}}}" for name in seen)
            raise fault(place, key, f"cannot see {{{slot}}}", f"it sees {allowed}; other braces are text")


def agree(found: Format, place: str) -> None:
    """Raise FormatError where parts that belong together do not fit."""
    if not found.stops:
        raise fault(place, "stops", "names nothing that ends a turn", 'write stops = ["..."], or ["{eos}"]')
    ending = found.assistant.after
    if not any(stop in ending for stop in found.stops):
        what = f"ends with {ending!r}, in which none of stops is found"
        raise fault(place, "parts.assistant", what, "let it end with what the model must emit to stop")
    if {"name", "role"} & set(found.assistant.slots):
        raise fault(
            place,
            "parts.assistant",
            "sees {role} or {name}",
            "write it out: a prompt is printed before there is a message",
        )
    if found.tools_in not in PLACES:
        raise fault(place, "tools_in", f"must be one of {', '.join(PLACES)}", 'write tools_in = "system"')
    if found.tools is not None and found.tools_in == "system" and found.system is None:
        raise fault(
            place, "parts.system", "is missing, though tools stand inside it", 'write it, or tools_in = "start"'
        )
    if found.calls is not None and found.call is None:
        raise fault(place, "parts.call", "is missing, though parts.calls stands around it", "write one call")
