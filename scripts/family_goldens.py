"""What each training template makes of some conversations, as texts that a person can read: trained text in ⟦brackets⟧.

A publisher's prose is not copied: a line of supplied text with no word of the conversation in it, unless it is a
header, is told by its length and a hash, and so is what stands between two such lines.
"""

from collections.abc import Callable, Iterator, Sequence

from turn_facts import CONTROL_TOKEN

from trainplate.conversations import Conversation, Support, applicable, option_sets, with_options, words
from trainplate.errors import Declined
from trainplate.families.pieces import hashed
from trainplate.rendering import CompiledTemplate, Marked

TOLD = (
    "two-turns",
    "system-five-turns",
    "reasoning-two-turns",
    "inline-reasoning-two-turns",
    "tool-cycle-then-user",
    "reasoned-tool-cycles",
    "image-two-turns",
)
"""A conversation of each kind."""
SWITCHED = "reasoning-two-turns"
"""What is told under each option too."""
LONGEST_HEADER = 40
OPENS, CLOSES = "⟦", "⟧"


def golden(template: CompiledTemplate, support: Support, as_told: Callable[[Conversation], Conversation]) -> str:
    """Return everything that a training template says to the conversations of its kind, each under its name.

    `as_told` puts a conversation into the form that training templates take.
    """
    told = ((one.label, said(template, one)) for one in map(as_told, conversations(support)))
    return "\n".join(f"=== {label}\n{text}" for label, text in told if text)


def conversations(support: Support) -> Iterator[Conversation]:
    """Yield the conversations that a template can be told whole, one of each kind, and one under each option."""
    known = {one.name: one for one in applicable(support).conversations if support.prints(*one.needs - {"tools"})}
    yield from (known[name] for name in TOLD if name in known)
    if SWITCHED in known:
        yield from (with_options(known[SWITCHED], **options) for options in option_sets(support) if options)


def said(template: CompiledTemplate, told: Conversation) -> str | None:
    """Render a conversation with its trained text marked and the publisher's prose left out; None where declined."""
    try:
        return without_prose(template.render_marked(told.messages, told.tools, **told.options), told)
    except Declined:
        return None


def without_prose(marked: Marked, told: Conversation) -> str:
    """Write the trained text in brackets, and of the rest what is a header or was said in the conversation."""
    spoken = words(list(told.messages))
    pieces: list[str] = []
    position = 0
    for start, end in marked.spans:
        pieces += [*shortened(marked.text[position:start], spoken), OPENS, marked.text[start:end], CLOSES]
        position = end
    return "".join([*pieces, *shortened(marked.text[position:], spoken)]).rstrip("\n") + "\n"


def shortened(supplied: str, spoken: Sequence[str]) -> Iterator[str]:
    """Yield supplied text line by line, each run of prose as its length and hash."""
    lines = supplied.splitlines(keepends=True)
    at = 0
    while at < len(lines):
        if not is_prose(lines[at], spoken):
            yield lines[at]
            at += 1
            continue
        end = next((i for i in range(at, len(lines)) if is_spoken(lines[i], spoken)), len(lines))
        last = max(i for i in range(at, end) if is_prose(lines[i], spoken))
        prose = "".join(lines[at : last + 1])
        yield f"⋯ {len(prose)} characters, {hashed(prose)} ⋯" + ("\n" if prose.endswith("\n") else "")
        at = last + 1


def is_prose(line: str, spoken: Sequence[str]) -> bool:
    """Say whether a line is too long for a header, and nobody in the conversation said it."""
    return len(CONTROL_TOKEN.sub("", line.strip())) > LONGEST_HEADER and not is_spoken(line, spoken)


def is_spoken(line: str, spoken: Sequence[str]) -> bool:
    """Say whether a word of the conversation is in a line."""
    return any(word in line for word in spoken)
