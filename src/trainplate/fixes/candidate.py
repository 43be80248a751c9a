"""What a fix proposes: an edited source, and why."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Candidate:
    """A template's source after a fix."""

    source: str
    fix: str
    because: str
