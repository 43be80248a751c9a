"""Servers that render with minijinja or in llama.cpp know no generation tag, and reject the whole template."""

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
    """A template that is served has no generation markers: minijinja and llama.cpp know no such tag."""
    for index, segment in enumerate(subject.tree.segments):
        if segment.keyword == "generation":
            message = "servers based on minijinja or llama.cpp reject {% generation %}"
            yield Seen(message, place_of_segment(subject.tree, index))
            return
