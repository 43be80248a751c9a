"""Measures what is stated about families: all that can be read off an original and its training template."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from originals_at_hand import at_hand
from turn_facts import CONTROL_TOKEN, TurnFacts, measure

from trainplate.conversations import read_knobs
from trainplate.families.facts import ExpectedDeviation, Family, Prefill, Turn
from trainplate.families.fingerprint import fingerprint_of
from trainplate.families.records import RecordedPatch
from trainplate.families.references import Reference
from trainplate.patching.deviations import ARGUMENTS, CONTENT, DECLINED, HISTORY, REASONING, SHED, STOP
from trainplate.syntax import with_newlines

BECAUSE = {
    REASONING: "What is not rendered cannot be trained, and the original drops reasoning.",
    HISTORY: "The original tells a turn otherwise once something follows, so text would move as messages are appended.",
    STOP: "No token of its own ends a turn: the model stops on the marker of the next role, never printed twice.",
    SHED: "The original ends the text with a token that moves when a message is appended.",
    ARGUMENTS: "The original adds arguments to a text, which fails for dicts: they are printed as JSON.",
    CONTENT: "The original asks whether the content is null, and transformers leaves a content of null out.",
    DECLINED: "The original moves earlier text in such a conversation, and cannot be kept from it.",
}
"""Why a deviation is needed, as long as a family's file does not say it better."""

Records = Mapping[str, RecordedPatch]
"""The recorded patches of one family, by revision."""


def measured(family: Family, records: Records) -> Family:
    """Return a family's facts with all that can be measured as it is now; what is not at hand stays as stated."""
    known = dict(at_hand(family))
    if not known:
        return family
    turns = {
        original.revision: measure(
            template.source, training(records, original.revision, template.source), template.special_tokens
        )
        for original, template in known.items()
    }
    whole = len(known) == len(family.originals)
    return replace(
        family,
        options=options_of(template.source for template in known.values()) if whole else family.options,
        turn=merged(turns) if whole or family.turn is None else family.turn,
        fixes=fixes_of(records),
        deviations=deviations_of(family, records),
    )


def training(records: Records, revision: str, source: str) -> str | None:
    """Return a training template as it is recorded; None where it is not."""
    return records[revision].apply(source) if revision in records else None


def options_of(sources: Iterable[str]) -> dict[str, tuple[Any, ...]]:
    """Return the options that any of the templates reads, with all their values."""
    found: dict[str, tuple[Any, ...]] = {}
    for source in sources:
        for name, values in read_knobs(with_newlines(source)).items():
            found[name] = tuple(dict.fromkeys((*found.get(name, ()), *values)))
    return found


def merged(turns: Mapping[str, TurnFacts]) -> Turn:
    """Return one statement for all revisions: what only some of them say names them."""
    openers = {turn.opens for turn in turns.values()}
    if len(openers) > 1:
        raise ValueError(f"revisions of one family open turns in several ways: {sorted(openers)}")
    said: dict[tuple[str, tuple[tuple[str, Any], ...]], list[str]] = {}
    for revision, turn in turns.items():
        for text, when in turn.prefills:
            said.setdefault((text, tuple(when.items())), []).append(revision)
    stops = tuple(dict.fromkeys(stop for turn in turns.values() for stop in turn.stops))
    prefills = tuple(
        Prefill(text, dict(when), () if len(revisions) == len(turns) else tuple(revisions))
        for (text, when), revisions in said.items()
    )
    return Turn(openers.pop(), stops, prefills)


def fixes_of(records: Records) -> tuple[str, ...]:
    """Return the names of all fixes that the engine needed."""
    return tuple(sorted({fix for patch in records.values() for fix in patch.fixes}))


def deviations_of(family: Family, records: Records) -> tuple[ExpectedDeviation, ...]:
    """Return every recorded deviation, with the reason why that the family's file gives."""
    stated = {deviation.reason: deviation.because for deviation in family.deviations}
    shown: dict[str, set[str]] = {}
    for patch in records.values():
        for reason, conversation in patch.deviations:
            shown.setdefault(reason, set()).add(conversation)
    return tuple(
        ExpectedDeviation(reason, stated.get(reason) or BECAUSE.get(reason, reason), tuple(sorted(conversations)))
        for reason, conversations in sorted(shown.items())
    )


def reference(family: Family, revision: str, source: str) -> Reference:
    """Take the fingerprint of an original; the tokens by which its turns are told are those that it spells out."""
    turn = family.turn
    spoken = (turn.opens, *turn.stops) if turn else ()
    tokens = dict.fromkeys(token for text in spoken for token in CONTROL_TOKEN.findall(text) if token in source)
    return Reference(family.family, revision, fingerprint_of(source), tuple(tokens))


def with_alike(family: Family, references: Iterable[Reference]) -> Family:
    """State in each original its normal form, and which others behave alike."""
    by_label = {reference.label: reference for reference in references}
    originals = []
    for original in family.originals:
        mine = by_label.get(f"{family.family} {original.revision}")
        if mine:
            behaviour = mine.fingerprint.behaviour
            alike = (other.label for other in by_label.values() if other.fingerprint.behaviour == behaviour)
            others = tuple(sorted(label for label in alike if label != mine.label))
            original = replace(original, normal_form=mine.fingerprint.normal_form, alike=others)
        originals.append(original)
    return replace(family, originals=tuple(originals))
