"""transformers looks for markers with a regular expression, so one in a comment silences its warning."""

import re
from collections.abc import Iterator

from trainplate.auditing.audit import Severity
from trainplate.auditing.examples import MARKED, PLAIN
from trainplate.auditing.places import place_of_segment
from trainplate.auditing.registry import Example, Seen, audit_check, nothing
from trainplate.auditing.subject import Subject
from trainplate.syntax import Kind

MARKER = re.compile(r"\{%-?\s*generation\s*-?%\}")
FAILS = "{# put {% generation %} around the answer #}" + PLAIN


@audit_check(
    severity=Severity.WARNING,
    cure="trainplate patch sets real markers",
    passes=Example("{# put {% generation %} around the answer #}" + MARKED),
    fails=Example(FAILS),
    missing=nothing,
)
def markers_only_in_comment(subject: Subject) -> Iterator[Seen]:
    """Markers stand where Jinja reads them, and not only in a comment, a raw block or a string.

    transformers finds them there with a regular expression, so it does not warn that the mask is empty.
    """
    if subject.marked:
        return
    for index, segment in enumerate(subject.tree.segments):
        found = MARKER.search(subject.source, segment.start, segment.end)
        if found:
            where = "a comment" if segment.kind is Kind.COMMENT else "a text"
            yield Seen(
                f"the only marker stands in {where}, where it marks nothing", place_of_segment(subject.tree, index)
            )
            return
