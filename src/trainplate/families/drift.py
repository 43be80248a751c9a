"""Whether what the engine finds in a copy is what is known of its family."""

from collections.abc import Iterable

from trainplate.families.catalogue import family_named
from trainplate.families.identification import Match


def unexpected_deviations(match: Match, reasons: Iterable[str]) -> tuple[str, ...]:
    """Return the reasons for deviations that the facts about a family do not expect; a copy may well need fewer."""
    expected = {deviation.reason for deviation in family_named(match.family).deviations}
    return tuple(dict.fromkeys(reason for reason in reasons if reason not in expected))
