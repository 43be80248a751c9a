"""Gives a turn that ends with nothing of its own a stop token, in place.

Plain-text formats get the tokenizer's EOS. Where the next role's marker tells that a turn is over (GLM), the turn
prints it, and the next message does not print it again.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from trainplate.conversations import Conversation
from trainplate.fixes.candidate import Candidate
from trainplate.fixes.marking.draft import read
from trainplate.fixes.stops.closings import closing
from trainplate.fixes.stops.endings import Ending, endings_of
from trainplate.fixes.stops.guards import guard
from trainplate.fixes.stops.openings import (
    Opening,
    Stops,
    Taken,
    Unknown,
    all_end,
    announces_answers,
    openings_of,
    unseen,
)
from trainplate.fixes.stops.probing import Probing
from trainplate.fixes.stops.silences import filters, silences_of
from trainplate.syntax import Edit, apply_edits

FIX = "own-stop-token"
EOS = "a turn ends with nothing of its own: EOS is added"
MARKER = "a turn ends with nothing of its own: it takes the role marker that the next message begins with"
Openings = Mapping[Opening, Taken]


def own_stop_token(
    source: str,
    growths: Sequence[Conversation],
    *,
    special_tokens: Mapping[str, str],
    clock: datetime | None,
    stop: str,
    stop_after_calls: str = "",
) -> Iterator[Candidate]:
    """Yield sources in which every turn ends within its markers with a stop token, best first; none where all do.

    `source` has markers around all that is sampled. The stop tokens are what the original prints behind a turn once
    something follows, or EOS where that is nothing; an empty one is not missing, and after calls is the same.
    """
    if not stop:
        return
    probing = Probing(read(source, (), special_tokens, clock), growths, dict(special_tokens), clock)
    stops, eos = {False: stop, True: stop_after_calls or stop}, special_tokens.get("eos_token", "")
    try:
        found = openings_of(probing.draft, growths, stops)
    except Unknown:
        return
    if all_end(probing.draft, growths, stops) or (not found and stop != eos):
        return
    if found and eos and announces_answers(probing.draft, growths, stop):
        # What announces answers too (`<|im_start|>`) does not tell a model that its own is over.
        stops, found = {False: eos, True: eos}, {}
    for edited in dict.fromkeys(apply_edits(source, edits) for edits in ways(probing, stops, found)):
        yield Candidate(edited, FIX, MARKER if found else EOS)


def ways(probing: Probing, stops: Stops, found: Openings) -> Iterator[list[Edit]]:
    """Yield the edits of each way to print the stop tokens, the best first."""
    ends = endings_of(probing)
    for close in (False,) if found else (True, False):
        closings = [edit for ending in ends if (edit := closing(probing, ending, stops, close=close)) is not None]
        if not ends or len(closings) < len(ends):
            continue
        for guards in guards_of(probing, stops, found, ends) if found else [[]]:
            yield [*guards, *closings]


def guards_of(probing: Probing, stops: Stops, found: Openings, ends: Sequence[Ending]) -> Iterator[list[Edit]]:
    """Yield the edits by which messages do not print again what a turn has taken."""
    draft, openings = probing.draft, [*found.items(), *unseen(probing.draft, found)]
    places = [draft.segments[opening.pieces[0].segment].start for opening, _ in openings]
    for silences in silences_of(draft, probing.growths, ends):
        guards = [guard(draft, opening, taken, stops, silences) for opening, taken in openings]
        if None not in guards:
            yield [edit for edits in guards for edit in edits or ()] + list(filters(draft, places, silences.roles))
