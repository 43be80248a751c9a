"""What a template says unasked, the model was trained with; whoever trains on should know the words."""

from collections.abc import Iterator

from trainplate.auditing.audit import Severity
from trainplate.auditing.examples import MARKED
from trainplate.auditing.registry import Example, Seen, audit_check
from trainplate.auditing.subject import Subject

SYSTEM = "{% if messages[0].role != 'system' %}<system>You are a kind assistant.</s>{% endif %}"
LONGEST = 120


@audit_check(
    severity=Severity.NOTE,
    cure="give a system message of your own where these words are not wanted; a patch leaves them as they are",
    passes=Example(MARKED),
    fails=Example(SYSTEM + MARKED),
)
def implicit_system_prompt(subject: Subject) -> Iterator[Seen]:
    """A conversation without a system message is printed without one.

    The words are quoted. They stay: the model was trained with them.
    """
    words = subject.facts.default_system_prompt
    if words:
        first, conversation = words.splitlines()[0], subject.in_form("two-turns")
        quoted = words if len(words) <= LONGEST else f"{words[:LONGEST]}…"
        place = subject.writer_of(conversation, first)
        yield Seen(f"without a system message it says: {quoted!r}", place, conversation.name, after=words)
