"""Characters that nobody sees can carry words to a model, or make a template read otherwise than it looks."""

import unicodedata
from collections.abc import Iterator

from trainplate.auditing.audit import Severity
from trainplate.auditing.examples import MARKED
from trainplate.auditing.places import place_at
from trainplate.auditing.registry import Example, Seen, audit_check, nothing
from trainplate.auditing.subject import Subject

UNSEEN = frozenset({"Cf", "Co", "Cn", "Cc"})
KNOWN = frozenset("\n\t\r\ufeff")


@audit_check(
    severity=Severity.WARNING,
    cure="take them out, if they are not meant",
    passes=Example(MARKED),
    fails=Example(MARKED.replace("</s>", "</s>\u200b")),
    missing=nothing,
)
def hidden_characters(subject: Subject) -> Iterator[Seen]:
    """Everything in a template can be seen: no control, format or private characters but line ends and tabs."""
    source = subject.source
    found = [at for at, character in enumerate(source) if is_hidden(character)]
    if found:
        kinds = dict.fromkeys(f"U+{ord(source[at]):04X}" for at in found)
        message = f"{len(found)} characters cannot be seen: {', '.join(list(kinds)[:6])}"
        yield Seen(message, place_at(subject.tree, found[0], found[0] + 1))


def is_hidden(character: str) -> bool:
    """Say whether a character cannot be seen, and is no ordinary white space."""
    if " " <= character <= "~" or character in KNOWN:
        return False
    return unicodedata.category(character) in UNSEEN
