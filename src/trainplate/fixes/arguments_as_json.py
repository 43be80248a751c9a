"""Arguments of tool calls come as dicts or as JSON text: both are printed as JSON, once."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from trainplate.conversations import Conversation, arguments_as_json_text, given_arguments
from trainplate.errors import SyntaxFault
from trainplate.fixes.calls.arguments import Use, guarded, named_once, uses
from trainplate.fixes.candidate import Candidate
from trainplate.fixes.history.stages import Growth, Known, Teller, growths_of
from trainplate.rendering.decisions import watch
from trainplate.syntax import Tree, changed_characters

FIX = "arguments-as-json"
CURES = {"arguments", "renders"}
BECAUSE = "arguments of tool calls are dicts in training, and JSON text in some data sets"

Told = tuple[Growth, Growth]
"""A conversation with its arguments as dicts, and the same with them as JSON text."""


def arguments_as_json(
    source: str,
    growths: Sequence[Conversation],
    *,
    special_tokens: Mapping[str, str] | None = None,
    clock: datetime | None = None,
) -> Iterator[Candidate]:
    """Yield sources that print dicts and JSON text alike where the template prints arguments, small edits first."""
    with_calls = [one for one in growths if any(True for _ in given_arguments(one.messages))]
    told = in_both_forms(with_calls)
    watched = watch(source, special_tokens, clock)
    original = Teller(watched)
    faults = sum(is_faulty(original, original, pair) for pair in told)
    if not faults:
        return
    incomplete: list[tuple[int, Candidate]] = []
    for edited in wordings(watched.tree, list(uses(watched.tree))):
        candidate = teller(edited, special_tokens, clock)
        left = len(told) if candidate is None else sum(is_faulty(original, candidate, pair) for pair in told)
        if left == 0:
            yield Candidate(edited, FIX, BECAUSE)
        elif left < faults:
            incomplete.append((left, Candidate(edited, FIX, BECAUSE)))
    yield from (candidate for _, candidate in sorted(incomplete, key=lambda pair: pair[0]))


def in_both_forms(conversations: Sequence[Conversation]) -> tuple[Told, ...]:
    """Prepare conversations with their arguments as dicts and as JSON text."""
    known: Known = {}
    as_dicts = [arguments_as_dicts(one) for one in conversations]
    as_text = [arguments_as_json_text(one) for one in conversations]
    return tuple(zip(growths_of(as_dicts, known), growths_of(as_text, known), strict=True))


def arguments_as_dicts(conversation: Conversation) -> Conversation:
    """Return a conversation in which the arguments of every tool call are dicts."""
    messages = json.loads(json.dumps(conversation.messages))
    for message in messages:
        for call in message.get("tool_calls") or ():
            given = call["function"]["arguments"]
            call["function"]["arguments"] = json.loads(given) if isinstance(given, str) else given
    return replace(conversation, messages=tuple(messages))


def teller(source: str, special_tokens: Mapping[str, str] | None, clock: datetime | None) -> Teller | None:
    """Compile a source; None where it is no template."""
    try:
        return Teller(watch(source, special_tokens, clock))
    except SyntaxFault:
        return None


def wordings(tree: Tree, found: Sequence[Use]) -> list[str]:
    """Return edited sources for plain uses, for encoded ones, and for all, small edits first."""
    plain, encoded = [use for use in found if not use.encoded], [use for use in found if use.encoded]
    groups = [group for group in (plain, encoded, list(found)) if group]
    edited = [text for group in groups for text in (guarded(tree, group), named_once(tree, group)) if text is not None]
    return sorted(dict.fromkeys(edited), key=lambda text: changed_characters(tree.source, text))


def is_faulty(original: Teller, candidate: Teller, pair: Told) -> bool:
    """Say whether a candidate tells a conversation otherwise than it should."""
    return next(faults_of(original, candidate, pair), None) is not None


def faults_of(original: Teller, candidate: Teller, pair: Told) -> Iterator[str]:
    """Yield what is wrong: dicts that are declined, JSON text that is declined or encoded, or another text."""
    as_dicts, as_text = pair
    for stage in (stage for both in as_dicts.stages for stage in both):
        theirs, theirs_of_text = original.say(as_dicts, stage), original.say(as_text, stage)
        ours, ours_of_text = candidate.say(as_dicts, stage), candidate.say(as_text, stage)
        wanted = theirs or theirs_of_text
        if wanted is not None and (ours is None or ours.text != wanted.text):
            yield f"dicts at {stage}"
        if theirs_of_text is None:
            continue
        if ours_of_text is None:
            yield f"JSON text is declined at {stage}"
        elif encodes(ours_of_text.text, as_text) or ours_of_text.text not in (
            theirs_of_text.text,
            wanted and wanted.text,
        ):
            yield f"JSON text at {stage}"


def encodes(text: str, growth: Growth) -> bool:
    """Say whether JSON text stands in a text as a JSON string."""
    given = [arguments for arguments in given_arguments(growth.conversation.messages) if isinstance(arguments, str)]
    spellings = {json.dumps(arguments, ensure_ascii=ascii) for arguments in given for ascii in (True, False)}
    return any(spelling in text for spelling in spellings)
