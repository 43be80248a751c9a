"""`trainplate diff`: what the training template changes."""

import typer

from trainplate.cli.arguments import Source
from trainplate.cli.outcomes import exit_code, patched
from trainplate.cli.terminal import errors, output, tell, width_of
from trainplate.reports.difference import difference_text
from trainplate.reports.patch_summary import summary_text


def diff(source: Source) -> None:
    """Show what the training template changes, as a unified diff."""
    outcomes = patched(source)
    for outcome in outcomes:
        if outcome.patch is not None:
            tell(errors(), summary_text(outcome.template.name, outcome.patch, width_of(errors())))
            tell(output(), difference_text(outcome.patch.diff()), end="")
    raise typer.Exit(exit_code(outcomes))
