"""Records a template as a known original: its facts, its fingerprint and its patch, in a new family or a known one.

    python scripts/add_reference.py SOURCE --family NAME [--revision V] [--name TEXT] [--models ID ...]

SOURCE is what `trainplate patch` takes: a Hub id, a folder, a file or `trl:NAME`. What was recorded before stays as it
is. The difference that git shows afterwards is what has to be reviewed.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import family_files
from originals_at_hand import put_at_hand

from trainplate.errors import TrainplateError
from trainplate.families.facts import FactError, Family, Original, Turn
from trainplate.families.identification import identify
from trainplate.families.known_bytes import digest
from trainplate.families.schema import read_family
from trainplate.families.toml import family_text
from trainplate.loading.source import load
from trainplate.syntax import normal_form
from trainplate.template import Template
from trainplate.writing import write_text

NOT_MEASURED = Turn(opens="?", stops=("?",))
"""Stands in a new family's file until the turns are measured, a moment later."""


def add(template: Template, family: str, revision: str, source: str, name: str, models: Sequence[str]) -> list[Path]:
    """Record a template and return the files that were written; raises FactError where it is known already."""
    match = identify(template)
    if match and match.is_known_original:
        raise FactError(f"{source}: this template is known already, as {match.family} {match.revision}")
    path = family_files.FOLDER / f"{family}.toml"
    facts = with_original(stated(path, family, name, models), revision, template, source)
    put_at_hand(template.source)
    write_text(path, family_text(facts))
    return family_files.write(family_files.generated(family_files.known()))


def stated(path: Path, family: str, name: str, models: Sequence[str]) -> Family:
    """Return what is stated of a family, or the beginning of a new one."""
    if not path.exists():
        return Family(family, name or family, tuple(models), turn=NOT_MEASURED)
    known = read_family(path)
    return replace(known, name=name or known.name, models=tuple(dict.fromkeys((*known.models, *models))))


def with_original(family: Family, revision: str, template: Template, source: str) -> Family:
    """Return a family with one revision more; raises FactError where there is one of that name."""
    if any(one.revision == revision for one in family.originals):
        raise FactError(f"{family.family}: there is a revision {revision} already; name another with --revision")
    original = Original(revision, digest(template.source), digest(normal_form(template.source)), source)
    named = {token: text for token, text in template.special_tokens.items() if text}
    return replace(
        family,
        originals=(*family.originals, original),
        tokens={**named, **family.tokens},
        turn=family.turn or NOT_MEASURED,
        note=family.note if family.originals else "",
    )


def main() -> int:
    """Add what the command line names; exit 1 where it cannot be recorded."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", metavar="SOURCE")
    parser.add_argument("--family", required=True, help="the name of its file in chat_templates/")
    parser.add_argument("--revision", default="v1")
    parser.add_argument("--name", default="", help="what people call the family")
    parser.add_argument("--models", nargs="*", default=[], metavar="ID")
    asked = parser.parse_args()
    try:
        template = load(asked.source)[0]
        files = add(template, asked.family, asked.revision, asked.source, asked.name, asked.models)
    except TrainplateError as error:
        print(error, file=sys.stderr)
        return 1
    for path in files:
        print(f"{path.name}: written")
    return 0


if __name__ == "__main__":
    sys.exit(main())
