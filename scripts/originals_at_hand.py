"""The texts of known originals, found by their SHA-256 where they are at hand: in trl, or in a corpus beside us."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from trainplate.errors import LoadingError
from trainplate.families.facts import Family, Original
from trainplate.families.known_bytes import digest
from trainplate.loading.trl_package import stored_in_trl
from trainplate.template import Template

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT.parent / "shared" / "corpus" / "templates"
TRL_VERSION = "1.16"
SENTINELS = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>", "unk_token": "<unk>"}
"""Stand for the special tokens that the facts do not name."""


@cache
def texts_by_digest() -> dict[str, str]:
    """Return every text at hand by its SHA-256."""
    return {digest(text): text for text in (*texts_in_trl().values(), *texts_in_corpus().values())}


def put_at_hand(source: str) -> None:
    """Let a text that was read elsewhere be at hand until the process ends."""
    texts_by_digest()[digest(source)] = source


@cache
def texts_in_trl() -> dict[str, str]:
    """Return the templates that the installed trl stores, by name; none where it is not installed."""
    try:
        return {name: path.read_text(encoding="utf-8") for name, path in sorted(stored_in_trl().items())}
    except LoadingError:
        return {}


@cache
def texts_in_corpus() -> dict[str, str]:
    """Return the templates of the corpus by id; none where it is not here."""
    return {
        path.stem: json.loads(path.read_text(encoding="utf-8"))["template"] for path in sorted(CORPUS.glob("*.json"))
    }


def template_of(family: Family, original: Original) -> Template | None:
    """Return a known original as a template with its family's special tokens; None where its text is not at hand."""
    source = texts_by_digest().get(original.sha256)
    if source is None:
        return None
    return Template(source, {**SENTINELS, **family.tokens}, f"{family.family} {original.revision}")


def at_hand(family: Family) -> Iterator[tuple[Original, Template]]:
    """Yield the originals of a family whose text is at hand."""
    for original in family.originals:
        if template := template_of(family, original):
            yield original, template
