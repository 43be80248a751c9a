"""A prompt that depends on the day on which it is made can be neither cached nor made again."""

from collections.abc import Iterator

from trainplate.auditing.audit import Severity
from trainplate.auditing.examples import MARKED
from trainplate.auditing.facts import clock_calls
from trainplate.auditing.registry import Example, Seen, audit_check, nothing
from trainplate.auditing.subject import Subject


@audit_check(
    severity=Severity.WARNING,
    cure="render a data set once and keep the texts, or pass a fixed date where the template takes one",
    passes=Example(MARKED),
    fails=Example("Today is {{ strftime_now('%d %B %Y') }}." + MARKED),
    missing=nothing,
)
def clock_in_template(subject: Subject) -> Iterator[Seen]:
    """What a template prints does not depend on the time at which it is rendered.

    The call is looked for in the template: rendering it on two days would not show a clock that is read in December.
    """
    calls = list(clock_calls(subject.tree))
    if calls:
        often = f", in {len(calls)} places" if len(calls) > 1 else ""
        yield Seen(
            f"the template asks what day it is{often}: the same conversation reads otherwise tomorrow",
            subject.place(calls[0]),
        )
