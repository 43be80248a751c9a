"""What `trainplate audit` does: audits sources, tells what it found, writes reports, and says whether it counts."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

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

COUNTING = {"error": (Severity.ERROR,), "warning": (Severity.ERROR, Severity.WARNING), "never": ()}
"""By what `--fail-on` says: the severities that make the exit code 1."""


def audit_sources(sources: Iterable[str], ignore: Iterable[str]) -> Collection:
    """Audit what the sources stand for, and say at once what cannot be; problems of ignored checks are marked."""
    reasons = ignored_checks(ignore, Path())
    named = expanded(sources)
    with progress_bar(len(named)) as progress:
        found = audited(named, progress)
    for unread in found.unread:
        tell(errors(), wrapped(harmless(unread.message), width_of(errors())))
    return replace(found, audits=tuple(with_ignored(one, reasons) for one in found.audits))


def show(found: Collection, *, as_json: bool) -> None:
    """Print what was found: as JSON, as the report of each template of one source, or as a table of several sources."""
    console = output()
    if as_json:
        tell(console, audit_json(found), end="")
    elif len({audit.source for audit in found.audits} | {unread.source for unread in found.unread}) == 1:
        for audit in found.audits:
            tell(console, audit_text(audit, width_of(console)), end="\n" if audit is found.audits[-1] else "\n\n\n")
    elif found.audits:
        tell(console, table_text(found, width_of(console)))


def write(found: Collection, *, sarif: Path | None, html: Path | None) -> None:
    """Write the reports that are asked for into files."""
    for path, report in ((sarif, audit_sarif), (html, audit_page)):
        if path is not None:
            write_text(path, report(found))
            tell(errors(), f"written to {path}")


def exit_code(found: Collection, fail_on: str) -> int:
    """Return 2 where something could not be read, 1 where a finding counts, else 0."""
    if found.unread:
        return 2
    return int(any(fails(one, fail_on) for one in found.audits))


def fails(audit: Audit, fail_on: str) -> bool:
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
