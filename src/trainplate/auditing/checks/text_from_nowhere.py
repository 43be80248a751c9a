"""Words that nobody said, in the middle of a conversation, are trained or answered as if somebody had."""

from collections.abc import Iterator

from jinja2 import nodes

from trainplate.auditing.audit import Severity
from trainplate.auditing.examples import MARKED
from trainplate.auditing.facts import PROSE, TOKEN
from trainplate.auditing.registry import Example, Seen, audit_check
from trainplate.auditing.subject import Subject
from trainplate.conversations import Conversation, words

FAILS = MARKED.replace("{{ m.content }}", "{{ m.content }}{{ ' Visit our shop.' if m.role == 'user' }}")
ASKED = ("two-turns", "system", "five-turns")


@audit_check(
    severity=Severity.WARNING,
    cure="read these words, and take them out if the model is not to learn them",
    passes=Example(MARKED),
    fails=Example(FAILS),
)
def text_from_nowhere(subject: Subject) -> Iterator[Seen]:
    """Behind the first message, a plain conversation is printed with no words but those in its messages.

    What stands in front of the first message is an implicit system prompt, which has a check of its own.
    """
    seen = set()
    for conversation in map(subject.in_form, ASKED):
        for text, position in constants(subject, conversation):
            if text not in seen:
                seen.add(text)
                place = subject.writers.place(conversation, position)
                yield Seen(f"the template says unasked: {text.strip()!r}", place, conversation.name, after=text)


def constants(subject: Subject, conversation: Conversation) -> Iterator[tuple[str, int]]:
    """Yield the texts of two words and more that the template itself writes behind the first message."""
    traced = subject.writers.traced(conversation, len(conversation.messages), False)
    if traced is None:
        return
    said = [at for at in map(traced.text.find, words(conversation.messages)) if at >= 0]
    for write in traced.writes:
        for leaf in write.leaves():
            text = traced.text[leaf.start : leaf.end]
            own = isinstance(leaf.piece.node, nodes.Const | nodes.TemplateData)
            if own and said and leaf.start > min(said) and PROSE.search(TOKEN.sub("\n", text)):
                yield text, leaf.start
