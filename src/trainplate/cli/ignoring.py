"""Checks that a user does not mind, each with a reason: from the command line and from pyproject.toml."""

import difflib
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from trainplate.auditing import Audit
from trainplate.errors import LoadingError
from trainplate.loading.text_file import failure, read_text
from trainplate.reports.check_documentation import check_names

FILE = "pyproject.toml"
SETTINGS = ("ignore",)
TABLE = "[tool.trainplate] ignore"


def ignored_checks(options: Iterable[str], folder: Path) -> dict[str, str]:
    """Return the reason for each check that is not minded; what the command line says goes before the file.

    The file is that of the folder, or else of the nearest one above that has it. Raises LoadingError where a reason is
    missing or a check is not known.
    """
    here = folder.resolve()
    nearest = next((path for above in (here, *here.parents) if (path := above / FILE).is_file()), here / FILE)
    return {**dict(from_file(nearest)), **dict(map(from_option, options))}


def from_option(option: str) -> tuple[str, str]:
    """Return the check and the reason of `CHECK=reason`."""
    name, _, reason = option.partition("=")
    return checked(f"--ignore {option}", name, reason, "--ignore {name}='REASON'")


def from_file(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the checks and reasons of a project's file; none where there is no such file or no such table."""
    if not path.is_file():
        return
    table = table_in(path)
    for key in sorted(table.keys() - set(SETTINGS)):
        raise failure(f"{FILE}: [tool.trainplate]", f"no setting is called {key!r}", f"one of: {', '.join(SETTINGS)}")
    entry = table.get("ignore", {})
    if not isinstance(entry, Mapping):
        raise failure(f"{FILE}: {TABLE}", "no table of checks and reasons", 'ignore = { CHECK = "REASON" }')
    for name, reason in entry.items():
        yield checked(f"{FILE}: {TABLE}: {name}", name, reason, 'ignore = {{ {name} = "REASON" }}')


def table_in(path: Path) -> Mapping[str, Any]:
    """Return the table of this project in a file of TOML."""
    try:
        table = tomllib.loads(read_text(path, FILE)).get("tool", {}).get("trainplate", {})
    except tomllib.TOMLDecodeError as error:
        raise failure(FILE, f"not TOML: {error}", "mend the file there") from None
    except AttributeError:
        table = None
    if not isinstance(table, Mapping):
        raise failure(f"{FILE}: [tool.trainplate]", "no table", "write it as a table of TOML")
    return table


def checked(where: str, name: str, reason: Any, form: str) -> tuple[str, str]:
    """Return a check and its reason once both are what they must be."""
    name = name.strip().replace("_", "-")
    if name not in check_names():
        raise unknown(where, name)
    if not isinstance(reason, str) or not reason.strip():
        raise failure(where, "a reason is required", form.format(name=name))
    return name, reason.strip()


def unknown(where: str, name: str) -> LoadingError:
    """Return the error for a name that no check has."""
    close = difflib.get_close_matches(name, check_names(), 3)
    way_out = f"one of: {', '.join(close)}" if close else "`trainplate explain` lists them"
    return failure(where, f"no check is called {name!r}", way_out)


def with_ignored(audit: Audit, reasons: Mapping[str, str]) -> Audit:
    """Return the audit with the problems that are not minded marked by their reasons."""
    problems = (replace(problem, ignored=reasons.get(problem.check, problem.ignored)) for problem in audit.problems)
    return replace(audit, problems=tuple(problems))
