"""`trainplate patch`: the training template itself."""

from pathlib import Path
from typing import Annotated

import typer

from trainplate.cli.arguments import Source
from trainplate.cli.outcomes import Outcome, exit_code, patched, summary
from trainplate.cli.terminal import errors, output, tell
from trainplate.reports.difference import difference_text
from trainplate.writing import WritingError, write_text

ADDITIONAL = "additional_chat_templates"
"""Where transformers keeps the named templates beside `chat_template.jinja`."""


def patch(
    source: Source,
    out: Annotated[Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write it here.")] = None,
    diff: Annotated[bool, typer.Option("--diff", help="Print what changed in place of the template.")] = False,
) -> None:
    """Turn a chat template into a proven training template.

    A source may hold several named templates. Each is patched; with -o, those that are not the default go into the
    folder additional_chat_templates beside FILE, where transformers looks for them.
    """
    outcomes = patched(source)
    for outcome in outcomes:
        if outcome.patch is None:
            continue
        written = None if out is None else path_of(outcome, out)
        if written is not None:
            write_text(written, outcome.patch.training_template, make_folder=written != out)
        tell(errors(), summary(outcome) + (f"\n    written to  {written}" if written else ""))
        if diff:
            tell(output(), difference_text(outcome.patch.diff()), end="")
        elif out is None:
            tell(output(), outcome.patch.training_template, end="")
    raise typer.Exit(exit_code(outcomes))


def path_of(outcome: Outcome, out: Path) -> Path:
    """Return the file for one template: the default goes where it was asked for, a named one beside it."""
    variant = outcome.template.variant
    if variant in (None, "default"):
        return out
    if Path(variant).name != variant:
        raise WritingError(f"{outcome.template.name}: its name cannot be a file's\n    way out   use --diff")
    return out.parent / ADDITIONAL / f"{variant}.jinja"
