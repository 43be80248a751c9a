"""How a template writes tool calls: each reading is one candidate field of a response template."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from trainplate.responses.delimiters import Delimiters, without_block
from trainplate.responses.marks import Marks, marks_of
from trainplate.responses.patterns import GIVEN_NAME, optional_edges, shared_end, shared_start, soft
from trainplate.responses.probes import KEY, NAME, NUMBER, ONE, SECOND_KEY, SECOND_NAME, TWO, VALUE
from trainplate.responses.sayings import Saying

Field = dict[str, Any]


class Reading(NamedTuple):
    """One way to read calls."""

    field: Field
    leftover: str
    """A token behind the last call, which the parser must pass over."""


FUNCTION = {"type": "function", "function": {"name": "{name}", "arguments": "{content}"}}
OPENING = re.compile(r"[\[{]")


@dataclass(frozen=True)
class Sample:
    """What a template prints behind the opener for one call, and for two where it prints several."""

    one: str
    two: str | None
    delimiters: Delimiters

    def marks(self, start: int, end: int, starts: int | None = None, ends: int | None = None) -> Marks:
        """Return the marks around a call that spans `one[start:end]`; the second call of `two` begins at `starts`."""
        between = None if self.two is None or starts is None or ends is None else self.two[ends:starts]
        return marks_of(self.one[:start], between, self.one[end:], self.delimiters.stops)


def readings(said: Sequence[Saying], delimiters: Delimiters) -> Iterator[Reading]:
    """Yield every way in which the calls of a template may be read, the strictest first; the proof chooses."""
    by_name = {one.probe.name: one for one in said}
    if (one := by_name.get("call")) is None:
        return
    two = by_name.get("two calls")
    behind = len(delimiters.opener)
    lead, lead_of_two = (
        None if saying is None else without_block(saying.turn[behind:], delimiters.reasoning) for saying in (one, two)
    )
    assert lead is not None
    sample = Sample(lead, lead_of_two, delimiters)
    for read in (whole_json, json_list, python_list, named_json, tagged, loose_json):
        yield from read(sample)


def decoded_from(text: str, start: int) -> tuple[Any, int] | None:
    """Return the JSON value that begins at a place, and where it ends."""
    try:
        return json.JSONDecoder().raw_decode(text, start)
    except (ValueError, RecursionError):
        return None


def values_naming(text: str, name: str) -> Iterator[tuple[Any, int, int]]:
    """Yield the JSON values that hold a name, outermost first, with where they begin and end."""
    place = text.find(name)
    for found in OPENING.finditer(text, 0, max(place, 0)):
        if (decoded := decoded_from(text, found.start())) is not None and name in json.dumps(decoded[0]):
            yield decoded[0], found.start(), decoded[1]


def paths_in(value: Any, wanted: Any, path: str = "") -> Iterator[str]:
    """Yield the dotted paths under which a value stands in an object; keys with other signs cannot be named."""
    if not isinstance(value, dict):
        return
    for key, inner in value.items():
        here = f"{path}.{key}" if path else key
        if inner == wanted and re.fullmatch(r"\w+", key):
            yield here
        yield from paths_in(inner, wanted, here)


def transform_for(value: Any, root: str = "") -> Mapping[str, Any] | None:
    """Return how the name and the arguments are taken out of a call's object; None where they are not both there."""
    if root and isinstance(value, dict) and set(value) == {"name", "arguments"}:
        return {"type": "function", "function": f"{{{root}}}"}
    name = next(paths_in(value, NAME, root), None)
    arguments = next(paths_in(value, ONE["function"]["arguments"], root), None)
    if name is None or arguments is None:
        return None
    return {"type": "function", "function": {"name": f"{{{name}}}", "arguments": f"{{{arguments}}}"}}


def whole_json(sample: Sample) -> Iterator[Reading]:
    """A call is one JSON object with its name and arguments: `{"name": ..., "arguments": {...}}`."""
    for value, start, end in values_naming(sample.one, NAME):
        transform = transform_for(value, "content")
        if transform is None:
            continue
        starts, ends = second_span(sample.two)
        marks = sample.marks(start, end, starts, ends)
        begins = rf'(?=\{{\s*"{re.escape(next(iter(value)))}"\s*:)'
        field: Field = {
            "open_pattern": marks.opens + ("" if marks.sure else begins),
            "close_pattern": marks.closes,
            "repeats": True,
            "content": "json",
            "transform": transform,
        }
        yield Reading(field, marks.leftover)


def second_span(text: str | None) -> tuple[int | None, int | None]:
    """Return where the second of two objects begins, and where the first ends."""
    if text is None:
        return None, None
    first = next(((start, end) for value, start, end in values_naming(text, NAME) if isinstance(value, dict)), None)
    if first is None:
        return None, None
    found = values_naming(text[first[1] :], SECOND_NAME)
    second = next((start + first[1] for value, start, _ in found if transform_two(value)), None)
    return second, first[1]


def transform_two(value: Any) -> bool:
    """Whether a value is an object with the second call's name and arguments."""
    return bool(list(paths_in(value, SECOND_NAME))) and bool(list(paths_in(value, TWO["function"]["arguments"])))


def json_list(sample: Sample) -> Iterator[Reading]:
    """All calls of a turn are one JSON list of objects."""
    for value, start, end in values_naming(sample.one, NAME):
        if not isinstance(value, list) or len(value) != 1 or (transform := transform_for(value[0])) is None:
            continue
        marks = sample.marks(start, end)
        begins = rf'(?=\[\s*\{{\s*"{re.escape(next(iter(value[0])))}"\s*:)'
        field: Field = {
            "open_pattern": marks.opens + ("" if marks.sure else begins),
            "close_pattern": marks.closes,
            "content": "json",
            "transform": transform,
            "transform_each": True,
        }
        yield Reading(field, marks.leftover)


def python_list(sample: Sample) -> Iterator[Reading]:
    """All calls of a turn are one list as Python would write it: `[name(key="value")]`."""
    start = sample.one.find(f"[{NAME}(")
    end = sample.one.rfind(")]") + 2
    if start < 0 or end < start:
        return
    marks = sample.marks(start, end)
    function = {"name": "{name}", "arguments": "{arguments}"}
    field: Field = {
        "open_pattern": marks.opens + ("" if marks.sure else r"(?=\[\w[\w.\-]*\()"),
        "close_pattern": marks.closes,
        "content": "python-call-list",
        "transform": {"type": "function", "function": function},
        "transform_each": True,
    }
    yield Reading(field, marks.leftover)


def name_place(sample: Sample) -> tuple[int, int, int | None]:
    """Return where the name that stands before the arguments begins and ends, and where the second call's does."""
    place = sample.one.rfind(NAME, 0, max(sample.one.find(KEY), 0))
    second = None
    if sample.two is not None:
        behind = sample.two.find("Coral2")
        second = sample.two.rfind(SECOND_NAME, 0, behind) if behind >= 0 else -1
    return place, place + len(NAME), second if second is not None and second >= 0 else None


def named_json(sample: Sample) -> Iterator[Reading]:
    """The name stands before its arguments, which are a JSON object."""
    place, named, second = name_place(sample)
    start = sample.one.find("{", named)
    decoded = decoded_from(sample.one, start) if place >= 0 and start >= 0 else None
    if decoded is None or decoded[0] != ONE["function"]["arguments"]:
        return
    first_end = None
    if sample.two is not None and (first := sample.two.find("{", sample.two.find(NAME))) >= 0:
        first_decoded = decoded_from(sample.two, first)
        first_end = first_decoded[1] if first_decoded else None
    marks = sample.marks(place, decoded[1], second, first_end)
    lead = sample.one[named:start]
    field: Field = {
        "open_pattern": marks.opens + GIVEN_NAME + (soft(lead) if lead.strip() else r"\s*(?=\{)"),
        "close_pattern": marks.closes,
        "repeats": True,
        "content": "json",
        "transform": FUNCTION,
    }
    yield Reading(field, marks.leftover)


def tagged(sample: Sample) -> Iterator[Reading]:
    """Each argument stands between marks of its own: `<parameter=key>value</parameter>`."""
    place, named, second = name_place(sample)
    parts = re.fullmatch(
        rf"(.*?){KEY}([^\w].*?){VALUE}(.*?){SECOND_KEY}([^\w].*?){NUMBER}(.*)", sample.one[named:], re.DOTALL
    )
    if place < 0 or parts is None:
        return
    before, to_text, between, to_number, after = parts.groups()
    opens, closes = shared_end(before, between), shared_start(between, after)
    if not opens.strip() or not closes.strip():
        return
    end = len(sample.one) - len(after) + len(closes)
    first_end = None
    if sample.two is not None and second is not None:
        first_end = sample.two.find(closes, sample.two.find(str(NUMBER))) + len(closes)
    marks = sample.marks(place, end, second, first_end)
    lead = before.removesuffix(opens).rstrip()
    value = optional_edges if to_text == to_number else soft
    middles = dict.fromkeys([value(to_text), value(to_number)])
    for parser in VALUE_PARSERS:
        field: Field = {
            "open_pattern": marks.opens + GIVEN_NAME + soft(lead),
            "close_pattern": marks.closes,
            "repeats": True,
            "content": "xml-inline",
            "content_args": {
                "tag_pattern": rf"{soft(opens)}(?P<key>[^\s<>\"'=:]+)(?:{'|'.join(middles)})"
                rf"(?P<value>.*?){optional_edges(closes.rstrip())}",
                "value_parser": parser,
            },
            "transform": FUNCTION,
        }
        yield Reading(field, marks.leftover)


VALUE_PARSERS: tuple[Mapping[str, Any], ...] = (
    {"name": "text", "args": {"strip": False}},
    {"name": "json", "args": {"allow_non_json": True}},
)
"""Raw text, which the parser casts to the type that the tool declares; or whatever JSON makes of it."""


def loose_json(sample: Sample) -> Iterator[Reading]:
    """The name stands before arguments that are JSON but for their quotes: `{key:<|"|>value<|"|>}`."""
    place, named, second = name_place(sample)
    start = sample.one.find("{", named)
    pattern = rf"([\"']?){KEY}\1\s*:\s*([^\w]+?){VALUE}([^\w]+?)(?:,|\}}|\s)"
    found = re.search(pattern, sample.one[start:]) if place >= 0 and start >= 0 else None
    last = max(sample.one.find(str(NUMBER)), sample.one.find(VALUE))
    end = sample.one.find("}", last) + 1
    if found is None or end <= start:
        return
    first_end = None
    if sample.two is not None:
        behind = max(sample.two.find(str(NUMBER)), sample.two.find(VALUE))
        first_end = sample.two.find("}", behind) + 1
    marks = sample.marks(place, end, second, first_end)
    lead = sample.one[named:start]
    field: Field = {
        "open_pattern": marks.opens + GIVEN_NAME + (soft(lead) if lead.strip() else r"\s*(?=\{)"),
        "close_pattern": marks.closes,
        "repeats": True,
        "content": "json",
        "content_args": {"string_delims": [[found[2], found[3]]], "unquoted_keys": not found[1]},
        "transform": FUNCTION,
    }
    yield Reading(field, marks.leftover)
