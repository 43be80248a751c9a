"""`trainplate explain`: what the checks demand, in their own words."""

import difflib
import textwrap
from typing import Annotated

import typer

from trainplate.checks import all_checks
from trainplate.cli.terminal import errors, output, tell, width_of


def explain(check: Annotated[str | None, typer.Argument(help="One check by name; all without.")] = None) -> None:
    """Say what a check demands, or list all checks."""
    known = all_checks()
    name = (check or "").replace("_", "-")
    if check is None:
        tell(output(), "\n".join(row(key, one.documentation) for key, one in sorted(known.items())))
    elif name in known:
        tell(output(), f"{name}\n\n{textwrap.dedent(known[name].documentation).strip()}")
    else:
        close = difflib.get_close_matches(name, known, 3) or sorted(known)
        tell(errors(), f"{check}: no such check\n    way out   one of: {', '.join(close)}")
        raise typer.Exit(2)


def row(name: str, documentation: str) -> str:
    """Return the name and the first line of what it demands, wrapped beside the name."""
    first = documentation.strip().splitlines()[0] if documentation.strip() else ""
    width = width_of(output())
    return textwrap.fill(first, width, initial_indent=name.ljust(24), subsequent_indent=" " * 24)
