"""What a check says: a verdict, and a finding with its witness where a law is broken."""

from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """The answer of one check over all conversations; not evaluated is never reported as passed."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_EVALUATED = "not evaluated"


Labels = tuple[str, str]
"""What the two texts of a finding are, in a word each."""
AS_IT_GROWS: Labels = ("before", "after")
SAID: Labels = ("said", "printed")
EXPECTED: Labels = ("expected", "printed")
COMPARED: Labels = ("original", "training")


@dataclass(frozen=True)
class Finding:
    """One failure of a check, with the conversation that shows it and the two texts that should agree."""

    check: str
    message: str
    witness: str
    before: str = ""
    after: str = ""
    labels: Labels = AS_IT_GROWS
