"""What stands in the data is not what is trained, where a template changes it on the way."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from trainplate.auditing.audit import Place, Severity
from trainplate.auditing.examples import MARKED
from trainplate.auditing.registry import Example, Seen, audit_check
from trainplate.auditing.subject import Subject
from trainplate.conversations import Conversation, Message, text_of, words

PROBES = (
    "edges-white-space-user", "edges-white-space-system", "edges-white-space-assistant", "edges-lines",
    "edges-non-ascii", "inline-reasoning",
)  # fmt: skip


@audit_check(
    severity=Severity.WARNING,
    cure="know that this is what the model learns; a patch keeps what the original prints, but for reasoning",
    passes=Example(MARKED),
    fails=Example(MARKED.replace("m.content", "m.content | trim")),
)
def content_rewritten(subject: Subject) -> Iterator[Seen]:
    """The content of a message is printed letter for letter: nothing is trimmed, cut, or written in another case."""
    found: dict[tuple[str, Place | None], tuple[list[str], Seen]] = {}
    for conversation in map(subject.in_form, PROBES):
        text = subject.tell(conversation)
        for message in conversation.messages if text is not None else ():
            for change in changes(message, text or ""):
                seen = seen_in(subject, conversation, message, text or "", change)
                roles, _ = found.setdefault((change, seen.place), ([], seen))
                roles.append(message["role"])
    for (change, _), (roles, seen) in found.items():
        yield replace(seen, message=f"the content of {listed(roles)} messages is {change}")


def listed(roles: Iterable[str]) -> str:
    """Return each role once, as a sentence lists them."""
    *first, last = dict.fromkeys(roles)
    return f"{', '.join(first)} and {last}" if first else last


def changes(message: Message, text: str) -> Iterator[str]:
    """Yield how a content is changed on its way into a text; what is not printed at all is another matter."""
    content = text_of(message["content"])
    said = words(content)
    if content in text or not said:
        return
    if content.strip() in text:
        yield "trimmed"
    elif all(word in text for word in said):
        yield "printed with other white space" if spaced(content) in spaced(text) else "rewritten"
    elif any(word in text for word in said):
        yield "cut: a think block in it is left out"
    elif content.strip().casefold() in text.casefold():
        yield "printed in another case"


def spaced(text: str) -> str:
    """Return a text without white space."""
    return "".join(text.split())


def seen_in(subject: Subject, conversation: Conversation, message: Message, text: str, what: str) -> Seen:
    """Say what was seen, with the content and what became of it."""
    content = text_of(message["content"])
    printed = [word for word in words(content) if word in text]
    place = subject.writer_of(conversation, printed[-1]) if printed else None
    start = text.find(printed[0]) if printed else 0
    severity = Severity.NOTE if what.endswith(("trimmed", "white space")) else Severity.WARNING
    stops = [at for stop in subject.facts.stop_tokens if (at := text.find(stop, start)) >= 0]
    end = min([start + len(content), *stops])
    return Seen(what, place, conversation.name, content, text[start:end], severity=severity)
