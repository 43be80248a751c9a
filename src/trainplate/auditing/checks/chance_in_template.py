"""A prompt that chance writes is another one each time, so that nothing can be proven of it."""

from collections.abc import Iterator

from jinja2 import nodes

from trainplate.auditing.audit import Severity
from trainplate.auditing.examples import MARKED
from trainplate.auditing.registry import Example, Seen, audit_check, nothing
from trainplate.auditing.subject import Subject


@audit_check(
    severity=Severity.ERROR,
    cure="take it out: the same conversation must always read the same",
    passes=Example(MARKED),
    fails=Example("{{ ['Hello.', 'Good day.'] | random }}" + MARKED),
    missing=nothing,
)
def chance_in_template(subject: Subject) -> Iterator[Seen]:
    """What a template prints does not depend on chance: it uses neither the filter `random` nor `lipsum`."""
    for node in subject.tree.walk():
        match node:
            case nodes.Filter(name="random"):
                yield Seen("the template draws what it prints", subject.place(node))
            case nodes.Call(node=nodes.Name(name="lipsum")):
                yield Seen("the template prints filler text that differs each time", subject.place(node))
