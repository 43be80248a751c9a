"""`trainplate diff`: what the training template changes."""

import typer

from trainplate.cli.arguments import Source
from trainplate.cli.outcomes import exit_code, patched, summary
from trainplate.cli.terminal import errors, output, tell
from trainplate.reports.difference import difference_text


def diff(source: Source) -> None:
    """Show what the training template changes, as a unified diff."""
    outcomes = patched(source)
    for outcome in outcomes:
        if outcome.patch is not None:
            tell(errors(), summary(outcome))
            tell(output(), difference_text(outcome.patch.diff()), end="")
    raise typer.Exit(exit_code(outcomes))
