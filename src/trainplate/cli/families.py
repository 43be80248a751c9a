"""`trainplate families`: what is known, and pairs of a user's own originals and training templates."""

import json
import re
from pathlib import Path
from typing import Annotated

import typer

from trainplate.cli.outcomes import exit_code, patched
from trainplate.cli.terminal import errors, output, tell, width_of
from trainplate.errors import LoadingError
from trainplate.families.catalogue import families as known_families
from trainplate.rendering.messages import plain_data
from trainplate.reports.family_table import family_table
from trainplate.template import Template
from trainplate.writing import write_text

SAVE = "Write each SOURCE's original and training template side by side into DIR."


def families(
    sources: Annotated[list[str] | None, typer.Argument(metavar="SOURCE", help="What --save writes.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="All facts as JSON, a list with one entry a family.")] = False,
    save: Annotated[Path | None, typer.Option("--save", metavar="DIR", help=SAVE)] = None,
) -> None:
    """List the known families, or keep pairs of templates of yours.

    With --save, NAME.jinja and NAME_training.jinja are written for each SOURCE, where `trainplate check` looks for
    pairs.
    """
    if save is not None:
        raise typer.Exit(max(saved(source, save) for source in wanted(sources)))
    if sources:
        raise LoadingError("sources are named, but not what to do\n    way out   add --save DIR")
    found = known_families()
    if as_json:
        tell(output(), json.dumps([plain_data(family) for family in found], ensure_ascii=False, indent=2))
    else:
        tell(output(), family_table(found, width_of(output())))


def wanted(sources: list[str] | None) -> list[str]:
    """Return the sources to save; raises LoadingError where none is named."""
    if not sources:
        raise LoadingError("--save needs a SOURCE\n    way out   name files, folders, trl:NAME or Hub ids")
    return sources


def saved(source: str, folder: Path) -> int:
    """Write the pair of each template of a source, and return the exit code."""
    outcomes = patched(source)
    for outcome in outcomes:
        if outcome.patch is not None:
            stem = stem_of(outcome.template, source)
            write_text(folder / f"{stem}.jinja", outcome.template.source, make_folder=True)
            write_text(folder / f"{stem}_training.jinja", outcome.patch.training_template)
            tell(errors(), f"{source}: written to {folder / stem}.jinja and {folder / stem}_training.jinja")
    return exit_code(outcomes)


def stem_of(template: Template, source: str) -> str:
    """Return a file name for a template: that of its source, and of its variant where it has one."""
    path = Path(source)
    named = path.parent if path.name in ("tokenizer_config.json", "chat_template.json", "chat_template.jinja") else path
    stem = named.resolve().name if path.exists() else source.removeprefix("trl:")
    stem = stem.removesuffix(".jinja").removesuffix(".j2")
    parts = [stem, *([template.variant] if template.variant else [])]
    return re.sub(r"[^\w.-]+", "-", "-".join(parts)).strip("-.") or "template"
