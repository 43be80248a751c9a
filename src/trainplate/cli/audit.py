"""`trainplate audit`: whether templates can be trained on, what is wrong with them, and what is trained."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from trainplate.auditing import Audit, Severity
from trainplate.cli.audit_jobs import audited
from trainplate.cli.audit_sources import expanded
from trainplate.cli.ignoring import ignored_checks, with_ignored
from trainplate.cli.terminal import errors, output, tell, width_of, wrapped
from trainplate.reports.audit_json import audit_json
from trainplate.reports.audit_page import audit_page
from trainplate.reports.audit_sarif import audit_sarif
from trainplate.reports.audit_table import table_text
from trainplate.reports.audit_text import audit_text
from trainplate.reports.collection import Collection
from trainplate.reports.visible_text import harmless
from trainplate.writing import write_text


class FailOn(StrEnum):
    """From which severity on findings make the exit code 1."""

    ERROR = "error"
    WARNING = "warning"
    NEVER = "never"


COUNTING = {
    FailOn.ERROR: (Severity.ERROR,),
    FailOn.WARNING: (Severity.ERROR, Severity.WARNING),
    FailOn.NEVER: (),
}


def audit(
    sources: Annotated[list[str], typer.Argument(metavar="SOURCE...", help="Files, folders, trl:NAME or Hub ids.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON in place of the report.")] = False,
    sarif: Annotated[Path | None, typer.Option(metavar="FILE", help="Write SARIF 2.1.0 for code hosts.")] = None,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write one page to browse.")] = None,
    fail_on: Annotated[FailOn, typer.Option(help="Exit 1 from this severity on.")] = FailOn.ERROR,
    ignore: Annotated[list[str] | None, typer.Option(metavar="CHECK=REASON", help="May be repeated.")] = None,
) -> None:
    """Say whether templates can be trained on, what is wrong with them, and what is trained.

    Several sources are audited side by side and told in a table; a folder that is no model stands for all templates
    below it. Checks may also be ignored in pyproject.toml, as [tool.trainplate] ignore = { CHECK = "REASON" }.
    """
    reasons = ignored_checks(ignore or (), Path())
    named = expanded(sources)
    with progress_bar(len(named)) as progress:
        found = audited(named, progress)
    found = replace(found, audits=tuple(with_ignored(one, reasons) for one in found.audits))
    for unread in found.unread:
        tell(errors(), wrapped(harmless(unread.message), width_of(errors())))
    show(found, as_json=as_json)
    for path, report in ((sarif, audit_sarif), (html, audit_page)):
        if path is not None:
            write_text(path, report(found))
            tell(errors(), f"written to {path}")
    raise typer.Exit(exit_code(found, fail_on))


def show(found: Collection, *, as_json: bool) -> None:
    """Print what was found: as JSON, as the report of one template, or as a table of several."""
    console = output()
    if as_json:
        tell(console, audit_json(found), end="")
    elif len(found.audits) == 1 and not found.unread:
        tell(console, audit_text(found.audits[0], width_of(console)))
    elif found.audits:
        tell(console, table_text(found, width_of(console)))


def exit_code(found: Collection, fail_on: FailOn) -> int:
    """Return 2 where something could not be read, 1 where a finding counts, else 0."""
    if found.unread:
        return 2
    return int(any(fails(one, fail_on) for one in found.audits))


def fails(audit: Audit, fail_on: FailOn) -> bool:
    """Say whether an audit has a problem that counts and is not ignored."""
    return any(audit.counted(severity) for severity in COUNTING[fail_on])


@contextmanager
def progress_bar(total: int) -> Iterator[Callable[[], None]]:
    """Provide what to call as each of several sources is done; a terminal shows a bar, which goes at the end."""
    console = errors()
    if total < 2 or not console.is_terminal:
        yield lambda: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("auditing"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("auditing", total=total)
        yield lambda: bar.advance(task)
