"""Without markers nothing says which tokens the model itself writes, and transformers returns a mask of zeros."""

from collections.abc import Iterator

from trainplate.auditing.audit import Severity
from trainplate.auditing.examples import MARKED, PLAIN
from trainplate.auditing.registry import Example, Seen, audit_check, nothing
from trainplate.auditing.subject import Subject


@audit_check(
    severity=Severity.ERROR,
    cure="trainplate patch puts markers around what the model samples",
    passes=Example(MARKED),
    fails=Example(PLAIN),
    missing=nothing,
)
def markers_absent(subject: Subject) -> Iterator[Seen]:
    """A template says with `{% generation %}` blocks what the model itself writes.

    What stands in a comment or in a raw block is no marker.
    """
    if not subject.marked:
        cure = "no training template is found for it: the verdict says why" if subject.refusal else ""
        yield Seen("there are no generation markers: nothing is trained, and nobody warns", cure=cure)
