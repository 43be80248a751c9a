"""`trainplate explain`: what the checks look for, in their own words."""

import difflib
import textwrap
from collections.abc import Iterator
from typing import Annotated

import typer

from trainplate.auditing.registry import all_audit_checks
from trainplate.checks import all_checks
from trainplate.cli.terminal import errors, output, tell, width_of

CONTRACT = "What a training template must be:"
BEYOND = "What else an audit looks for:"
NAME = 30


def explain(check: Annotated[str | None, typer.Argument(help="One check by name; all without.")] = None) -> None:
    """Say what a check demands, or list all checks."""
    demands = {name: one.documentation for name, one in all_checks().items()}
    looked_for = {name: one.documentation for name, one in all_audit_checks().items()}
    known = demands | looked_for
    name = (check or "").replace("_", "-")
    if check is None:
        tell(output(), "\n".join([*section(CONTRACT, demands), "", *section(BEYOND, looked_for)]))
    elif name in looked_for:
        one = all_audit_checks()[name]
        tell(output(), in_paragraphs(f"{name} ({one.severity})", one.documentation, f"What to do: {one.cure}."))
    elif name in known:
        tell(output(), in_paragraphs(name, known[name]))
    else:
        close = difflib.get_close_matches(name, known, 3) or sorted(known)
        tell(errors(), f"{check}: no such check\n    way out   one of: {', '.join(close)}")
        raise typer.Exit(2)


def in_paragraphs(*texts: str) -> str:
    """Return texts with their paragraphs wrapped and an empty line between any two."""
    paragraphs = (paragraph for text in texts for paragraph in text.split("\n\n"))
    return "\n\n".join(textwrap.fill(" ".join(one.split()), width_of(output())) for one in paragraphs)


def section(heading: str, checks: dict[str, str]) -> Iterator[str]:
    """Yield a heading and a row for each check."""
    yield from (heading, "")
    yield from (row(name, documentation) for name, documentation in sorted(checks.items()))


def row(name: str, documentation: str) -> str:
    """Return the name and the first line of what it demands, wrapped beside the name."""
    first = documentation.strip().splitlines()[0] if documentation.strip() else ""
    width = width_of(output())
    return textwrap.fill(first, width, initial_indent=name.ljust(NAME), subsequent_indent=" " * NAME)
