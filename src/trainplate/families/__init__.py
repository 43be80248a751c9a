"""What is known about families of chat templates, read from the facts in `chat_templates/`."""

from trainplate.families.catalogue import families, family_named
from trainplate.families.difference import Difference, OwnLine
from trainplate.families.drift import unexpected_deviations
from trainplate.families.facts import FactError, Family
from trainplate.families.identification import Match, Rung, identify, known_original
from trainplate.families.records import RecordedPatch, RecordMismatch, recorded

__all__ = [
    "Difference",
    "FactError",
    "Family",
    "Match",
    "OwnLine",
    "RecordMismatch",
    "RecordedPatch",
    "Rung",
    "families",
    "family_named",
    "identify",
    "known_original",
    "recorded",
    "unexpected_deviations",
]
