"""Recorded patches: the edits that turn a known original into its training template, kept without the original's text.

An edit says where it stands, what must stand there, as a hash, and what comes in its place: text of our own, and
ranges of the original where text of the publisher's moves to another place.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal

from trainplate.errors import TrainplateError
from trainplate.families.identification import Match
from trainplate.families.known_bytes import digest
from trainplate.families.location import PATCHES, chat_templates_folder
from trainplate.families.pieces import hashed, spelling
from trainplate.syntax import Edit, Kind, Segment, apply_edits, segments, with_newlines

PLACE_DIGITS = 10
Range = tuple[int, int]


class RecordMismatch(TrainplateError):
    """Raised where a recorded patch does not fit a text: it was recorded for another one, or was tampered with."""


@dataclass(frozen=True)
class RecordedEdit:
    """One replacement of `[start, end)`: `place` is the hash of the segments there."""

    start: int
    end: int
    place: str
    text: tuple[str | Range, ...] = ()
    """What comes in: our own text, and ranges of the original."""

    def on(self, source: str, fix: str, because: str) -> Edit:
        """Return the edit of a source; raises RecordMismatch where other segments stand there."""
        if place_hash(source, self.start, self.end) != self.place:
            raise RecordMismatch(f"the recorded edit of characters {self.start} to {self.end} was made on another text")
        new = "".join(part if isinstance(part, str) else source[part[0] : part[1]] for part in self.text)
        return Edit(self.start, self.end, new, fix, because)


@dataclass(frozen=True)
class RecordedPatch:
    """The reviewed patch of one known original, with all that was proven of it."""

    family: str
    revision: str
    sha256: str
    """Of the training template."""
    proof: Literal["structure", "suite"]
    """`structure` or `suite`, as the engine states it."""
    fixes: tuple[str, ...]
    because: str
    conversations: int
    """How many conversations were compared."""
    passed: tuple[str, ...]
    """The checks that were evaluated, all of them passed."""
    edits: tuple[RecordedEdit, ...] = field(repr=False)
    deviations: tuple[tuple[str, str], ...] = ()
    """Reason and conversation of each stated difference from the original's text."""
    tokens: Mapping[str, str] = field(default_factory=dict)
    """Special tokens that the new text spells out: with other tokens the record does not hold."""

    def edits_on(self, source: str) -> tuple[Edit, ...]:
        """Return the edits with the names of the fixes that found them; raises RecordMismatch."""
        fix = ", ".join(self.fixes)
        return tuple(edit.on(source, fix, self.because) for edit in self.edits)

    def apply(self, source: str) -> str:
        """Return the training template of an original; raises RecordMismatch where it comes out as another."""
        training = apply_edits(source, self.edits_on(source))
        if digest(training) != self.sha256:
            raise RecordMismatch(
                f"the recorded patch of {self.family} {self.revision} gives another template than the one reviewed"
            )
        return training

    def holds_for(self, special_tokens: Mapping[str, str]) -> bool:
        """Say whether a tokenizer has the tokens that the patch spells out."""
        return all(special_tokens.get(name) == token for name, token in self.tokens.items())


def recorded(match: Match) -> RecordedPatch | None:
    """Return the recorded patch of an original recognised by its bytes; None for a copy, or where none is kept."""
    if not match.is_known_original:
        return None
    return next((patch for patch in patches_of(match.family) if patch.revision == match.revision), None)


@cache
def patches_of(family: str, folder: Path | None = None) -> tuple[RecordedPatch, ...]:
    """Return the recorded patches of a family's revisions."""
    path = (folder or chat_templates_folder()) / f"{family}{PATCHES}"
    if not path.exists():
        return ()
    stored = tomllib.loads(path.read_text(encoding="utf-8"))
    return tuple(_patch(family, one) for one in stored["patch"])


def _patch(family: str, stored: Mapping[str, Any]) -> RecordedPatch:
    return RecordedPatch(
        family=family,
        revision=stored["revision"],
        sha256=stored["sha256"],
        proof=stored["proof"],
        fixes=tuple(stored["fixes"]),
        because=stored["because"],
        conversations=stored["conversations"],
        passed=tuple(stored["passed"]),
        edits=tuple(_edit(one) for one in stored.get("edit", ())),
        deviations=tuple((one["reason"], one["conversation"]) for one in stored.get("deviation", ())),
        tokens=stored.get("tokens", {}),
    )


def _edit(stored: Mapping[str, Any]) -> RecordedEdit:
    text = stored.get("text", [])
    parts = [text] if isinstance(text, str) else text
    new = tuple(part if isinstance(part, str) else (part[0], part[1]) for part in parts)
    return RecordedEdit(stored["start"], stored["end"], stored["place"], new)


def place_hash(source: str, start: int, end: int) -> str:
    """Return the hash of the segments that a range of a source touches, each in the one way in which it is written."""
    text = with_newlines(source)
    touched = (segment for segment in segments(text) if segment.start <= end and start <= segment.end)
    return hashed("\n".join(_normalised(text, segment) for segment in touched), PLACE_DIGITS)


def _normalised(source: str, segment: Segment) -> str:
    if segment.kind in (Kind.EXPRESSION, Kind.STATEMENT):
        return " ".join(spelling(word, source) for word in segment.tokens)
    return segment.printed if segment.kind is not Kind.COMMENT else source[segment.start : segment.end]
