"""Servers that render with minijinja know no generation tag, and reject the whole template.

The engine that llama.cpp has of its own and `@huggingface/jinja` pass over the tag, as their sources say and as was
tried with releases of 2026; llama.cpp's older engines are not known here.
"""

from collections.abc import Iterator

from trainplate.auditing.audit import Severity
from trainplate.auditing.examples import MARKED, PLAIN
from trainplate.auditing.places import place_of_segment
from trainplate.auditing.registry import Example, Seen, audit_check, nothing
from trainplate.auditing.subject import Subject


@audit_check(
    severity=Severity.NOTE,
    cure="trainplate patch --strip exports the template without markers for serving",
    passes=Example(PLAIN),
    fails=Example(MARKED),
    missing=nothing,
)
def markers_rejected_by_servers(subject: Subject) -> Iterator[Seen]:
    """A template that is served has no generation markers: minijinja knows no such tag."""
    for index, segment in enumerate(subject.tree.segments):
        if segment.keyword == "generation":
            message = "servers that render with minijinja reject {% generation %}"
            yield Seen(message, place_of_segment(subject.tree, index))
            return
