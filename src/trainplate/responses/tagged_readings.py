"""Calls that are written otherwise than in JSON: as Python would, between tags, or with quotes of their own."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from trainplate.responses.patterns import optional_edges, shared_end, shared_start, soft
from trainplate.responses.probes import KEY, NAME, NUMBER, SECOND_KEY, VALUE
from trainplate.responses.samples import Reading, Sample, lead_to_object, named_reading, reading

PAIRS = re.compile(rf"(.*?){KEY}([^\w].*?){VALUE}(.*?){SECOND_KEY}([^\w].*?){NUMBER}(.*)", re.DOTALL)
"""Before the pairs of a call, from key to value, between the pairs, from key to value, behind them."""
QUOTED_VALUE = re.compile(rf"([\"']?){KEY}\1\s*:\s*([^\w]+?){VALUE}([^\w]+?)(?:,|\}}|\s)")
VALUE_PARSERS: tuple[Mapping[str, Any], ...] = (
    {"name": "text", "args": {"strip": False}},
    {"name": "json", "args": {"allow_non_json": True}},
)
"""Raw text, which the parser casts to the type that the tool declares; or whatever JSON makes of it."""


def python_list(sample: Sample) -> Iterator[Reading]:
    """All calls of a turn are one list as Python would write it: `[name(key="value")]`."""
    start = sample.one.find(f"[{NAME}(")
    end = sample.one.rfind(")]") + 2
    if 0 <= start < end:
        transform = {"type": "function", "function": {"name": "{name}", "arguments": "{arguments}"}}
        begins = r"(?=\[\w[\w.\-]*\()"
        content = "python-call-list"
        yield reading(sample.marks(start, end), begins, content=content, transform=transform, transform_each=True)


def tagged(sample: Sample) -> Iterator[Reading]:
    """Each argument stands between marks of its own: `<parameter=key>value</parameter>`."""
    place = sample.name
    parts = None if place is None else PAIRS.fullmatch(sample.one[place.end :])
    if place is None or parts is None:
        return
    before, to_text, between, to_number, after = parts.groups()
    opens, closes = shared_end(before, between), shared_start(between, after)
    if not opens.strip() or not closes.strip():
        return
    end = len(sample.one) - len(after) + len(closes)
    marks = sample.marks(place.start, end, place.second, end_of_first(sample.two, closes))
    forgiving = optional_edges if to_text == to_number else soft
    middle = "|".join(dict.fromkeys([forgiving(to_text), forgiving(to_number)]))
    pair = rf"{soft(opens)}(?P<key>[^\s<>\"'=:]+)(?:{middle})(?P<value>.*?){optional_edges(closes.rstrip())}"
    for parser in VALUE_PARSERS:
        taken = {"tag_pattern": pair, "value_parser": dict(parser)}
        lead = soft(before.removesuffix(opens).rstrip())
        yield named_reading(marks, lead, content="xml-inline", content_args=taken)


def loose_json(sample: Sample) -> Iterator[Reading]:
    """The name stands before arguments that are JSON but for their quotes: `{key:<|"|>value<|"|>}`."""
    place = sample.name
    start = -1 if place is None else sample.one.find("{", place.end)
    found = QUOTED_VALUE.search(sample.one, start) if start >= 0 else None
    end = end_of_first(sample.one, "}")
    if place is None or found is None or end is None:
        return
    marks = sample.marks(place.start, end, place.second, end_of_first(sample.two, "}"))
    dialect = {"string_delims": [[found[2], found[3]]], "unquoted_keys": not found[1]}
    lead = lead_to_object(sample.one[place.end : start])
    yield named_reading(marks, lead, content="json", content_args=dialect)


def end_of_first(text: str | None, closes: str) -> int | None:
    """Return where the first call's arguments end: behind what closes them, after the last of their values."""
    if text is None:
        return None
    last = max(text.find(str(NUMBER)), text.find(VALUE))
    end = text.find(closes, last)
    return None if last < 0 or end < 0 else end + len(closes)
