"""Every known original's fingerprint, read from `chat_templates/fingerprints.json` when it is first asked for."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from trainplate.errors import LoadingError
from trainplate.families.fingerprint import Fingerprint, fingerprint_from
from trainplate.families.known_bytes import fingerprints
from trainplate.families.location import FINGERPRINTS
from trainplate.families.recognition import recognition


@dataclass(frozen=True)
class Reference:
    """What is recorded about one known original: whose it is, how it is recognised, and by what its turns are told."""

    family: str
    revision: str
    fingerprint: Fingerprint = field(repr=False)
    tokens: tuple[str, ...] = ()
    """The control tokens that open and stop its turns, as far as they stand in its source."""

    @property
    def label(self) -> str:
        """Name it in a message."""
        return f"{self.family} {self.revision}"


@cache
def references() -> tuple[Reference, ...]:
    """Return all references, sorted by family and revision; raises LoadingError where the fingerprints are of another
    version of the recognition set."""
    stored = json.loads(fingerprints())
    if stored["recognition"] != recognition().version:
        raise LoadingError(
            f"{FINGERPRINTS} was made with version {stored['recognition']} of the recognition set, "
            f"but version {recognition().version} is here\n    way out   run scripts/regenerate.py"
        )
    return tuple(reference_from(one) for one in stored["originals"])


@cache
def by_bytes() -> Mapping[str, Reference]:
    """Return the references by the SHA-256 of their bytes."""
    return {reference.fingerprint.sha256: reference for reference in references()}


def reference_from(stored: Mapping[str, Any]) -> Reference:
    """Return the reference that `as_dict` made the values from."""
    return Reference(stored["family"], stored["revision"], fingerprint_from(stored), tuple(stored["tokens"]))


def as_dict(reference: Reference) -> dict[str, Any]:
    """Return a reference as plain values, ready for JSON."""
    named = {"family": reference.family, "revision": reference.revision, "tokens": list(reference.tokens)}
    return named | reference.fingerprint.as_dict()


def file_text(known: tuple[Reference, ...]) -> str:
    """Return the text of the file that holds these references, one field a line, so that a review shows what moved."""
    ordered = sorted(known, key=lambda reference: (reference.family, reference.revision))
    stored = {"recognition": recognition().version, "originals": [as_dict(reference) for reference in ordered]}
    return json.dumps(stored, ensure_ascii=False, indent=1) + "\n"
