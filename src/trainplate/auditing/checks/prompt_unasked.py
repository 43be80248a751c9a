"""A generation prompt that nobody asked for stands in every data set that is rendered whole."""

from collections.abc import Iterator

from trainplate.auditing.audit import Severity
from trainplate.auditing.examples import MARKED
from trainplate.auditing.registry import Example, Seen, audit_check
from trainplate.auditing.subject import Subject
from trainplate.auditing.telling import end_that_goes, is_prompt

FAILS = MARKED.replace("{% if add_generation_prompt %}", "{% if messages %}")


@audit_check(
    severity=Severity.WARNING,
    cure="trainplate patch leaves it out where it is not asked for, or refuses",
    passes=Example(MARKED),
    fails=Example(FAILS),
)
def prompt_unasked(subject: Subject) -> Iterator[Seen]:
    """A generation prompt is printed where one is asked for, and not behind a finished answer."""
    found = end_that_goes(subject)
    if found is not None and is_prompt(subject, found.lost):
        message = f"{found.lost.strip()!r} is printed behind an answer though no generation prompt is asked for"
        place = subject.writers.place(found.conversation, found.start, end=2)
        yield Seen(
            message, place, f"{found.conversation.name}[:2]", found.alone, found.whole, ("as last", "in history")
        )
