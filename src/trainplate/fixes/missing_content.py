"""A message that calls tools may have no content at all: it is printed as if its content were empty."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from trainplate.conversations import Conversation, Message, arguments_as_json_text, given_arguments, words
from trainplate.fixes.calls.content import (
    Readings,
    calls_in_silence,
    keeping_null,
    readings,
    with_empty_content,
    with_null,
    without_content,
)
from trainplate.fixes.candidate import Candidate

FIX = "missing-content"
CURES = {"renders"}
BECAUSE = "a message that calls tools may lack `content`: where it is empty, it is often left out"
NOWHERE: frozenset[int] = frozenset()
MOST_READINGS = 12
"""Readings that may have to be mended for one conversation."""

Told = tuple[Conversation, Conversation]
"""A conversation with calls whose content is empty or null, and the same without the key."""


def missing_content(
    source: str,
    growths: Sequence[Conversation],
    *,
    special_tokens: Mapping[str, str] | None = None,
    clock: datetime | None = None,
) -> Iterator[Candidate]:
    """Yield the source that takes a message without content wherever it takes one with an empty content.

    Where the template drops the calls beside an empty content, it is null that is taken, as it asks for that.
    """
    as_objects = [one for one in growths if any(map(calls_in_silence, one.messages))]
    if not as_objects:
        return
    silent = [*as_objects, *map(arguments_as_json_text, as_objects)]
    read = readings(source, special_tokens, clock)
    told = [pair for one in silent if prints_calls(read, pair := in_both_forms(one, with_empty_content))]
    if not told:
        read = replace(keeping_null(read), instead=None)
        told = [pair for one in silent if prints_calls(read, pair := in_both_forms(one, with_null))]
    places = NOWHERE
    for pair in told:
        places = needed(read, pair, places)
    if places and read.instead is not None:
        # Where null is kept, a branch of its own would print the call, which no other conversation ever enters.
        places |= read.asked_for_null
    if places and all(read.render(one, NOWHERE)[0] in (None, read.render(one, places)[0]) for one in growths):
        yield Candidate(read.mended(places), FIX, BECAUSE)


def prints_calls(read: Readings, pair: Told) -> bool:
    """Say whether the template prints the calls of a conversation: if not, its silence is nothing to be kept."""
    text, _ = read.render(pair[0], NOWHERE)
    given = [word for arguments in given_arguments(pair[0].messages) for word in words(arguments)]
    return text is not None and any(word in text for word in given)


def in_both_forms(conversation: Conversation, silence: Callable[[Message], Message]) -> Told:
    """Return a conversation with its silence said in a form, and without contents."""

    def each(form: Callable[[Message], Message]) -> Conversation:
        return replace(conversation, messages=tuple(map(form, conversation.messages)))

    return each(silence), each(without_content)


def needed(read: Readings, pair: Told, places: frozenset[int]) -> frozenset[int]:
    """Add the readings that must find something else for both forms to print the same; none where that is in vain."""
    full, bare = pair
    wanted, _ = read.render(full, NOWHERE)
    found = places
    for _ in range(MOST_READINGS):
        text, found_nothing = read.render(bare, found)
        if wanted is None or text == wanted:
            return fewest(read, bare, places, found)
        if not found_nothing:
            break
        # What raises comes last. Where nothing raises, a test went another way, before all that followed from it.
        found |= {found_nothing[-1] if text is None else found_nothing[0]}
    return places


def fewest(read: Readings, bare: Conversation, before: frozenset[int], found: frozenset[int]) -> frozenset[int]:
    """Leave out of the added readings those that matter no longer, now that others are mended.

    They may still matter where null is kept, as older releases of transformers do.
    """
    null = replace(bare, messages=tuple(map(with_null, bare.messages)))
    tellers = ((read, bare), (keeping_null(read), null))
    wanted = [teller.render(told, found)[0] for teller, told in tellers]
    for place in sorted(found - before):
        if [teller.render(told, found - {place})[0] for teller, told in tellers] == wanted:
            found -= {place}
    return found
