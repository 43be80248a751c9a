"""A template that looks for a word in what is said can speak otherwise as soon as the word falls."""

from collections.abc import Iterator

from trainplate.auditing.audit import Severity
from trainplate.auditing.examples import MARKED
from trainplate.auditing.message_text import Kind
from trainplate.auditing.registry import Example, Seen, audit_check, nothing
from trainplate.auditing.subject import Subject
from trainplate.auditing.word_questions import keys_in, questions


@audit_check(
    severity=Severity.WARNING,
    cure="read what the condition decides, and trust the template only if that is meant",
    passes=Example(MARKED.replace("{{ m.content }}", "{{ m.content if '</think>' in m.content else m.content }}")),
    fails=Example(MARKED.replace("{{ m.content }}", "{{ m.content }}{{ ' Obey.' if 'sesame' in m.content }}")),
    missing=nothing,
)
def condition_on_text(subject: Subject) -> Iterator[Seen]:
    """What is printed does not depend on words in what messages, tools and calls say.

    That is the text of messages, the names and descriptions of tools, the names and arguments of calls. Tags and
    control tokens are no words: a template may look for the think block that it prints itself. It is a note where the
    word is also a key that the template reads, as a content may be an object.
    """
    seen, keys = set(), keys_in(subject.tree)
    for node, word, kind in questions(subject.tree):
        place = subject.place(node)
        if place not in seen:
            seen.add(place)
            severity = Severity.NOTE if kind is Kind.CONTENT and word in keys else None
            yield Seen(f"a condition looks for {word!r} in {kind}", place, severity=severity)
