"""Puts generation markers around what the model writes, straight into a template's source, as a person would."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from itertools import islice

from trainplate.fixes.marking.assignments import split_assignments
from trainplate.fixes.marking.cutting import capture_and_cut, cut_when_rendered
from trainplate.fixes.marking.draft import Draft, read
from trainplate.fixes.marking.hoisting import hoist_headers
from trainplate.fixes.marking.labels import WHOLE, Label, constant
from trainplate.fixes.marking.leads import split_leads
from trainplate.fixes.marking.occasions import split_occasions
from trainplate.fixes.marking.placement import place_markers
from trainplate.fixes.marking.prefills import is_mixed, split_prefills
from trainplate.fixes.marking.sample import Sample as Sample
from trainplate.fixes.marking.sample import Unmarkable as Unmarkable
from trainplate.fixes.marking.sharing import split_by_role
from trainplate.fixes.marking.splitting import split_outputs
from trainplate.fixes.marking.trial import NOTHING, fault_in
from trainplate.syntax import Edit, apply_edits, changed_characters


def mark_generation(
    source: str,
    samples: Sequence[Sample],
    *,
    special_tokens: Mapping[str, str],
    clock: datetime | None = None,
) -> str | Unmarkable:
    """Return the source with markers around the sampled text of every turn, or why that cannot be done readably.

    What is returned renders every sample as the source does.
    """

    return Marking(tuple(samples), special_tokens, clock).marked(source)


MARKER_WEIGHT = 250
"""A pair of markers counts as much as so many changed characters: fewer pairs read better."""


MOST_TRIALS, MOST_HOISTS = 6, 3
FEW = 0.07
"""The share of samples that many others overrule."""


@dataclass(frozen=True)
class Marking:
    """Everything that a source is measured by."""

    samples: tuple[Sample, ...]
    special_tokens: Mapping[str, str]
    clock: datetime | None
    shown: tuple[Sample, ...] = ()
    """The samples that together show all that the pieces do: enough to try a step by."""

    def marked(self, source: str) -> str | Unmarkable:
        """Return the source with markers, after the steps that its pieces call for."""
        draft = read(source, self.samples, self.special_tokens, self.clock)
        trying = replace(self, shown=telling(draft, self.samples))
        found = trying.finished(draft)
        if not isinstance(found, Unmarkable):
            return found
        both = trying.divided(draft)
        if not both and (outvoted := few_against_many(draft, len(self.samples))):
            kept = tuple(sample for number, sample in enumerate(self.samples) if number not in outvoted)
            return replace(self, samples=kept).marked(source)
        return min(both, key=partial(weight, source), default=found)

    def divided(self, draft: Draft) -> list[str]:
        """Return the draft with markers after outputs of which the prompt supplies a part are divided, in each way."""
        found = [] if ends_within(draft) else self.cut(draft)
        last = None if found else self.first_marked(draft, split_occasions(draft, self.samples))
        return found if last is None else [last]

    def cut(self, draft: Draft) -> list[str]:
        """Return the draft with markers after outputs are cut where sampled text begins in them, in each way."""
        marked = self.first_marked(draft, (split_assignments(draft), split_leads(draft)))
        if marked is not None:
            return [marked]
        cuts = (cut_when_rendered(draft, self.samples), capture_and_cut(draft, self.samples))
        ways = [*((cut,) for cut in cuts), split_prefills(draft, list(self.samples))]
        return [marked for way in ways if (marked := self.first_marked(draft, way)) is not None]

    def first_marked(self, draft: Draft, divisions: Iterable[list[Edit] | None]) -> str | None:
        """Return the draft with markers after the first division that serves."""
        for edits in islice(divisions, MOST_TRIALS):
            marked = self.finished(self.draft(apply_edits(draft.source, edits))) if edits else None
            if isinstance(marked, str):
                return marked
        return None

    def draft(self, source: str) -> Draft:
        """Measure a source that a step has changed."""
        return read(source, self.shown, self.special_tokens, self.clock)

    def finished(self, draft: Draft) -> str | Unmarkable:
        """Return a draft with markers, once every piece of it can be said to be sampled or supplied."""
        source, edits = draft.source, split_outputs(draft)
        if isinstance(edits, Unmarkable):
            return edits
        if edits:
            draft = self.draft(apply_edits(draft.source, edits))
        found = self.placed(draft)
        for _ in range(MOST_HOISTS):
            hoisted = hoist_headers(draft)
            if not hoisted:
                break
            draft = self.draft(apply_edits(draft.source, hoisted))
            found = lighter(source, found, self.placed(draft))
        return found

    def placed(self, draft: Draft) -> str | Unmarkable:
        """Return a draft with markers, each of whose tags prints only sampled or only supplied text."""
        fault = None
        for narrow in (False, True):
            sharing = split_by_role(draft, narrow=narrow)
            if isinstance(sharing, Unmarkable):
                return sharing
            edits = place_markers(draft, sharing, narrow=narrow)
            if isinstance(edits, Unmarkable):
                return edits
            marked = apply_edits(draft.source, [*sharing, *edits])
            fault = fault_in(marked, (*self.shown, *self.samples), self.special_tokens, self.clock)
            if fault != NOTHING:
                break
        return marked if fault is None else Unmarkable(fault)


def ends_within(draft: Draft) -> bool:
    """Say whether sampled text ends inside what an output prints that is no constant: no other cut serves there."""
    mixed = [draft.readings[piece.number] for piece in draft.printed.values() if is_mixed(draft, piece)]
    return any(reading.ends - {WHOLE} and constant(reading.piece.node) is None for reading in mixed)


def telling(draft: Draft, samples: Sequence[Sample]) -> tuple[Sample, ...]:
    """Return as few samples as show every way in which a piece prints."""
    needed: set[int] = set()
    for reading in draft.readings.values():
        for numbers in reading.ways.values():
            if not needed & numbers:
                needed.add(min(numbers))
    return tuple(samples[number] for number in sorted(needed))


def few_against_many(draft: Draft, samples: int) -> set[int]:
    """Return the samples that alone keep a piece from having a label: few, and at odds with many others.

    A conversation that begins with an answer, or an answer without a word, may say little about where a turn begins.
    """
    few: set[int] = set()
    for reading in draft.readings.values():
        if reading.label is Label.MIXED:
            sides = sorted((numbers for _, numbers in reading.edges), key=len)
            few |= set().union(*(side for side in sides[:-1] if len(side) <= samples * FEW))
    return few if len(few) <= samples * FEW else set()


def lighter(source: str, one: str | Unmarkable, other: str | Unmarkable) -> str | Unmarkable:
    """Return the one of two results that reads better."""
    if isinstance(one, Unmarkable) or isinstance(other, Unmarkable):
        return other if isinstance(one, Unmarkable) else one
    return min(one, other, key=partial(weight, source))


def weight(before: str, after: str) -> int:
    """Return how much there is to read in a change: its lines, and every pair of markers."""
    return changed_characters(before, after) + MARKER_WEIGHT * after.count("endgeneration")
