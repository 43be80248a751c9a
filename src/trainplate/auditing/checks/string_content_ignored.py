"""Most data sets have contents as text; a template made for pictures may look for parts alone."""

from collections.abc import Iterator

from trainplate.auditing.audit import Severity
from trainplate.auditing.examples import MARKED
from trainplate.auditing.registry import Example, Seen, audit_check
from trainplate.auditing.subject import Subject
from trainplate.conversations import named, text_of

FAILS = MARKED.replace("{{ m.content }}", "{% for p in m.content %}{{ p.text }}{% endfor %}")


@audit_check(
    severity=Severity.ERROR,
    cure="give contents as lists of parts; trainplate.normalise_messages makes them so",
    passes=Example(MARKED),
    fails=Example(FAILS),
)
def string_content_ignored(subject: Subject) -> Iterator[Seen]:
    """A content given as text is printed, or declined."""
    if subject.support.form.contents == "strings":
        return
    conversation = named("one-turn")
    question, text = text_of(conversation.messages[0]["content"]), subject.tell(conversation)
    if text is None:
        message, severity = "contents given as text are declined: it takes lists of parts", Severity.NOTE
    else:
        message, severity = (
            "contents given as text are left out without a word: it takes lists of parts",
            Severity.ERROR,
        )
    yield Seen(message, conversation=conversation.name, before=question, after=text or "", severity=severity)
