"""Some data sets carry arguments as objects, others as JSON text; a template may take one of the two."""

from collections.abc import Iterator
from dataclasses import replace

from trainplate.auditing.audit import Severity
from trainplate.auditing.examples import CALLS
from trainplate.auditing.registry import Example, Seen, audit_check
from trainplate.auditing.subject import Subject
from trainplate.conversations import Answer, named

GUARDED = "{{ c.function.arguments if c.function.arguments is string else c.function.arguments | tojson }}"
FAILS = CALLS.replace(GUARDED, "{% for key, value in c.function.arguments | items %}{{ key }}={{ value }}{% endfor %}")


@audit_check(
    severity=Severity.WARNING,
    cure="trainplate.normalise_messages brings them into the form that is taken",
    passes=Example(CALLS),
    fails=Example(FAILS),
)
def arguments_declined(subject: Subject) -> Iterator[Seen]:
    """The arguments of tool calls are taken as objects and as JSON text."""
    support = subject.support
    if support.answers["calls"] is not Answer.PRINTED:
        return
    if support.answers["text-arguments"] is Answer.DECLINED:
        yield Seen("arguments given as JSON text are declined", conversation="call [arguments as JSON text]")
    if support.form.arguments == "text":
        objects = replace(support.form, arguments="objects").of(named("call"))
        if subject.tell(objects) is None:
            yield Seen("arguments given as objects are declined", conversation=objects.name)
