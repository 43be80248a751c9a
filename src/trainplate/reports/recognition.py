"""Which known original a template is, and what sets it apart, as people read it."""

from collections.abc import Iterator

from rich.text import Text

from trainplate.families.catalogue import family_named
from trainplate.families.identification import Match
from trainplate.reports.messages import Row, block, wrapped_row
from trainplate.reports.visible_text import cut, in_one_line

SHOWN_LINES = 12
"""As many of a user's own lines are shown; the others are counted."""
UNKNOWN = "resembles no known original"
NEXT_UNKNOWN = "`trainplate patch` takes it all the same"


def match_text(place: str, match: Match | None, width: int) -> Text:
    """Say which known original a template is, which rung decided, and what sets it apart."""
    if match is None:
        return block((place, UNKNOWN), [wrapped_row("next", NEXT_UNKNOWN, width)], width)
    family = family_named(match.family)
    return block((place, f"{family.name} ({match.family} {match.revision}), {match.how}"), rows(match, width), width)


def rows(match: Match, width: int) -> Iterator[Row]:
    """Yield a row for each thing to be known of a match."""
    apart = match.difference
    if not match.is_known_original:
        yield "likeness", Text(f"{match.likeness:.0%} of the pieces that both have together")
    if match.also:
        yield wrapped_row("alike", ", ".join(match.also), width)
    if apart.manners:
        yield wrapped_row("written with", "other " + ", ".join(apart.manners), width)
    for line in apart.lines[:SHOWN_LINES]:
        yield f"own line {line.number}", Text(cut(in_one_line(line.text), width - 19))
    if len(apart.lines) > SHOWN_LINES:
        yield "", Text(f"and {len(apart.lines) - SHOWN_LINES} more")
    if apart.missing:
        yield "left out", Text(f"{apart.missing} pieces of the original")
    if apart.conversation:
        yield wrapped_row("conversation", f"{apart.conversation} is told in other words", width)
    recorded = "applies its recorded patch" if match.is_known_original else "searches for one, as this is a copy"
    yield "next", Text(f"`trainplate patch` {recorded}")
