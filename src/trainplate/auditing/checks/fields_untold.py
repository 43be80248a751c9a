"""Some templates read fields of answers that hardly any other does; what those print is trained or not, unproven."""

from collections.abc import Iterator

from jinja2 import nodes

from trainplate.auditing.audit import Severity
from trainplate.auditing.examples import MARKED
from trainplate.auditing.registry import Example, Seen, audit_check
from trainplate.auditing.subject import Subject
from trainplate.conversations import untold_fields


@audit_check(
    severity=Severity.NOTE,
    cure="leave these fields out of the data, or look at what is trained: trainplate show SOURCE --conversation FILE",
    passes=Example(MARKED),
    fails=Example(MARKED.replace("{{ m.content }}", "{{ m.tool_plan }}{{ m.content }}")),
)
def fields_untold(subject: Subject) -> Iterator[Seen]:
    """Answers are asked for nothing but role, content, reasoning and calls, so that all they print is looked at."""
    for name in untold_fields(subject.original, [one.heard for one in subject.heard()]):
        reading = (node for node in subject.tree.walk() if reads(node, name))
        place = next(map(subject.place, reading), None)
        yield Seen(f"answers may have {name!r}, which no conversation tells: nothing is proven of it", place)


def reads(node: nodes.Node, name: str) -> bool:
    """Say whether a node reads a field of that name."""
    match node:
        case nodes.Getattr(attr=attribute):
            return bool(attribute == name)
        case nodes.Getitem(arg=nodes.Const(value=value)) | nodes.Call(args=[nodes.Const(value=value), *_]):
            return bool(value == name)
        case nodes.Compare(expr=nodes.Const(value=value)):
            return bool(value == name)
    return False
