"""Contents as lists of parts, as servers take them, may come out as Python's spelling of a list, or not at all."""

from collections.abc import Iterator

from trainplate.auditing.audit import Severity
from trainplate.auditing.examples import MARKED
from trainplate.auditing.registry import Example, Seen, audit_check
from trainplate.auditing.subject import Subject
from trainplate.conversations import Answer, as_parts, named, text_of, words

TAKES_BOTH = MARKED.replace(
    "{{ m.content }}",
    "{% if m.content is string %}{{ m.content }}{% else %}{% for p in m.content %}{{ p.text }}{% endfor %}{% endif %}",
)
MESSAGES = {
    Answer.GARBLED: "contents given as parts are printed as Python writes a list",
    Answer.DROPPED: "contents given as parts are left out without a word",
}


@audit_check(
    severity=Severity.WARNING,
    cure="give contents as text; trainplate.normalise_messages makes them so",
    passes=Example(TAKES_BOTH),
    fails=Example(MARKED),
)
def content_parts_ignored(subject: Subject) -> Iterator[Seen]:
    """A content given as a list of text parts is printed as their text, or declined."""
    answer = subject.support.answers["parts"]
    if answer in MESSAGES:
        conversation = as_parts(named("one-turn"))
        said = next(iter(words(conversation.messages)), "")
        place = subject.writer_of(conversation, said)
        question = text_of(conversation.messages[0]["content"])
        yield Seen(MESSAGES[answer], place, "parts", question, subject.tell(conversation) or "")
