"""Words that nobody said, in the middle of a conversation, are trained or answered as if somebody had."""

import re
from collections.abc import Iterator

from trainplate.auditing.audit import Severity
from trainplate.auditing.examples import MARKED
from trainplate.auditing.facts import TOKEN
from trainplate.auditing.registry import Example, Seen, audit_check
from trainplate.auditing.subject import Subject
from trainplate.conversations import Conversation, text_of

FAILS = MARKED.replace(
    "{{ m.content }}", "{{ m.content }}{{ [' Visit', 'our', 'shop.'] | join(' ') if m.role == 'user' }}"
)
ASKED = ("two-turns", "system", "five-turns")
SENTENCE = re.compile(r"(?:[^\W\d_]{2,}[ ,;'-]+){2,}[^\W\d_]{2,}")
"""Three words of two letters in a row: more than the head of a turn says."""
LINE = re.compile(r"[^\n]+")


@audit_check(
    severity=Severity.WARNING,
    cure="read these words, and take them out if the model is not to learn them",
    passes=Example(MARKED),
    fails=Example(FAILS),
)
def text_from_nowhere(subject: Subject) -> Iterator[Seen]:
    """Behind the first question, a plain conversation is printed with no sentence but those in its messages.

    A label in front of a turn (`GPT4 Correct User:`) is none. What stands in front of the first question is an implicit
    system prompt, which has a check of its own.
    """
    seen = set()
    for conversation in map(subject.in_form, ASKED):
        for words, position in unasked(subject, conversation):
            if words not in seen:
                seen.add(words)
                place = subject.writers.place(conversation, position)
                yield Seen(f"the template says unasked: {words!r}", place, conversation.name, after=words)


def unasked(subject: Subject, conversation: Conversation) -> Iterator[tuple[str, int]]:
    """Yield each line of three words and more that no message says, with its position in the text."""
    text = subject.tell(conversation) or ""
    said = [text_of(message["content"]).strip() for message in conversation.messages]
    first = next(
        content for message, content in zip(conversation.messages, said, strict=True) if message["role"] == "user"
    )
    start = text.find(first)
    left = text if start >= 0 else ""
    for content in said:
        left = left.replace(content, "\n" * len(content))  # positions stay
    left = TOKEN.sub(lambda token: "\n" * len(token.group()), left)
    for line in LINE.finditer(left, max(start, 0)):
        words = line.group().strip()
        if SENTENCE.search(words) and not words.endswith(":") and words not in subject.facts.turn_opener:
            yield words, line.start() + line.group().find(words)
