"""All the ways in which the tool calls of a template may be read."""

from collections.abc import Iterator, Sequence

from trainplate.responses.delimiters import Delimiters, without_block
from trainplate.responses.json_readings import json_list, named_json, whole_json
from trainplate.responses.samples import Reading, Sample
from trainplate.responses.sayings import Saying
from trainplate.responses.tagged_readings import loose_json, python_list, tagged

READERS = (whole_json, json_list, python_list, named_json, tagged, loose_json)
"""The strictest first."""


def readings(said: Sequence[Saying], delimiters: Delimiters) -> Iterator[Reading]:
    """Yield every way in which the calls may be read, as one field of a response template each; the proof chooses."""
    by_name = {one.probe.name: behind_opener(one, delimiters) for one in said}
    if (one := by_name.get("call")) is not None:
        sample = Sample(one, by_name.get("two calls"), delimiters.stops)
        for read in READERS:
            yield from read(sample)


def behind_opener(saying: Saying, delimiters: Delimiters) -> str:
    """Return the text of a turn behind its opener, and behind an empty block of reasoning."""
    return without_block(saying.turn[len(delimiters.opener) :], delimiters.reasoning)
