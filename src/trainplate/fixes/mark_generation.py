"""Puts `{% generation %}` around what the model writes, straight into a template's source, as a careful person would."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from trainplate.fixes.marking.draft import Draft, read
from trainplate.fixes.marking.placement import place_markers
from trainplate.fixes.marking.sample import Sample as Sample
from trainplate.fixes.marking.sample import Unmarkable as Unmarkable
from trainplate.fixes.marking.sharing import split_by_role
from trainplate.fixes.marking.splitting import split_outputs
from trainplate.fixes.marking.trial import fault_in
from trainplate.syntax import apply_edits


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

    def drafted(text: str) -> Draft:
        return read(text, samples, special_tokens, clock)

    draft = drafted(source)
    edits = split_outputs(draft)
    if isinstance(edits, Unmarkable):
        return edits
    if edits:
        draft = drafted(apply_edits(source, edits))
    sharing = split_by_role(draft)
    if isinstance(sharing, Unmarkable):
        return sharing
    edits = place_markers(draft, sharing)
    if isinstance(edits, Unmarkable):
        return edits
    marked = apply_edits(draft.source, [*sharing, *edits])
    fault = fault_in(marked, samples, special_tokens, clock)
    return marked if fault is None else Unmarkable(fault)
