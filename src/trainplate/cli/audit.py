"""`trainplate audit`: whether templates can be trained on, what is wrong with them, and what is trained."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class FailOn(StrEnum):
    """From which severity on findings make the exit code 1."""

    ERROR = "error"
    WARNING = "warning"
    NEVER = "never"


def audit(
    sources: Annotated[list[str], typer.Argument(metavar="SOURCE", help="Files, folders, trl:NAME or Hub ids.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON in place of the report.")] = False,
    sarif: Annotated[Path | None, typer.Option(metavar="FILE", help="Write SARIF 2.1.0 for code hosts.")] = None,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write one page to browse.")] = None,
    fail_on: Annotated[FailOn, typer.Option(help="Exit 1 from this severity on.")] = FailOn.ERROR,
    ignore: Annotated[
        list[str] | None, typer.Option(metavar="CHECK=REASON", help="Do not mind this check; may be repeated.")
    ] = None,
) -> None:
    """Say whether templates can be trained on, and what is wrong.

    Several sources are audited side by side and told in a table; a folder that is no model stands for all templates
    below it. Checks may also be ignored in pyproject.toml, as [tool.trainplate] ignore = { CHECK = "REASON" }.
    """
    from trainplate.cli.auditing import audit_sources, exit_code, show, write  # other commands start sooner without

    found = audit_sources(sources, ignore or ())
    show(found, as_json=as_json)
    write(found, sarif=sarif, html=html)
    raise typer.Exit(exit_code(found, fail_on.value))
