"""`trainplate patch`: the training template itself."""

from pathlib import Path
from typing import Annotated

import typer

from trainplate.cli.arguments import Source
from trainplate.cli.outcomes import exit_code, patched
from trainplate.cli.terminal import errors, output, tell, width_of
from trainplate.patching import Patch
from trainplate.reports.difference import difference_text
from trainplate.reports.patch_summary import summary_text
from trainplate.template import Template
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
        if outcome.patch is not None:
            written = None if out is None else write(outcome.template, outcome.patch, out)
            tell(errors(), summary_text(outcome.template.name, outcome.patch, width_of(errors()), written))
            if diff:
                tell(output(), difference_text(outcome.patch.diff()), end="")
            elif out is None:
                tell(output(), outcome.patch.training_template, end="")
    raise typer.Exit(exit_code(outcomes))


def write(template: Template, patch: Patch, out: Path) -> str:
    """Write one training template, and return where: the default goes to `out`, a named one beside it."""
    if template.variant in (None, "default"):
        write_text(out, patch.training_template)
        return str(out)
    if Path(template.variant).name != template.variant:
        raise WritingError(f"{template.name}: its name cannot be a file's\n    way out   use --diff")
    path = out.parent / ADDITIONAL / f"{template.variant}.jinja"
    write_text(path, patch.training_template, make_folder=True)
    return str(path)
