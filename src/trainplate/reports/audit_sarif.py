"""An audit for code hosts: SARIF 2.1.0, with places that lead into the repository."""

import json
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from trainplate import __version__
from trainplate.auditing import Audit, Problem
from trainplate.reports.check_documentation import documentation_of
from trainplate.reports.collection import Collection, Unread, title_of
from trainplate.reports.file_places import FilePlace, Region, file_place, repository_root
from trainplate.reports.visible_text import LEAD, excerpts, harmless

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
ROOT = "%SRCROOT%"
"""What code hosts call the root of the repository."""
WIDTH = LEAD + 100
"""Characters shown of two texts that part."""


def audit_sarif(collection: Collection, folder: Path | None = None) -> str:
    """Return one run with a result for each finding; addresses count from the root of the folder's repository."""
    root = repository_root(folder or Path())
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run(collection, root)]}, indent=2) + "\n"


def run(collection: Collection, root: Path) -> dict[str, Any]:
    """Return the run: what looked, for what, and what it found."""
    checks = sorted({problem.check for audit in collection.audits for problem in audit.problems})
    return {
        "tool": {
            "driver": {
                "name": "trainplate",
                "semanticVersion": __version__,
                "rules": [rule(check) for check in checks],
            }
        },
        "columnKind": "unicodeCodePoints",
        "invocations": [invocation(collection, root)],
        "results": list(results(collection.audits, checks, root)),
    }


def invocation(collection: Collection, root: Path) -> dict[str, Any]:
    """Return whether everything could be read, and what could not."""
    told = [notification(unread, root) for unread in collection.unread]
    return {"executionSuccessful": not told, "toolExecutionNotifications": told}


def notification(unread: Unread, root: Path) -> dict[str, Any]:
    """Return why a source could not be audited, and where its text stops being a template."""
    named = unread.message.startswith(unread.source)
    text = unread.message if named else f"{unread.source}: {unread.message}"
    told: dict[str, Any] = {"level": "error", "message": {"text": harmless(text)}}
    if unread.template is not None:
        told["locations"] = [{"physicalLocation": location(file_place(unread.template, unread.place, root))}]
    return told


def rule(check: str) -> dict[str, Any]:
    """Return a check as a rule, with what it demands."""
    documentation = documentation_of(check)
    first = documentation.partition("\n")[0] or check
    return {
        "id": check,
        "shortDescription": {"text": first},
        "fullDescription": {"text": documentation or check},
        "help": {"text": f"{documentation}\n\nRead more: trainplate explain {check}".strip()},
    }


def results(audits: Iterable[Audit], checks: list[str], root: Path) -> Iterator[dict[str, Any]]:
    """Yield a result for each finding, those that are ignored as suppressed ones."""
    for audit in audits:
        for problem in audit.problems:
            place = file_place(audit.template, problem.place, root)
            yield result(audit, problem, place) | {"ruleIndex": checks.index(problem.check)}


def result(audit: Audit, problem: Problem, place: FilePlace) -> dict[str, Any]:
    """Return one finding with its place, its texts and its cure."""
    found: dict[str, Any] = {
        "ruleId": problem.check,
        "level": problem.severity.value,
        "message": {"text": harmless(message(audit, problem))},
        "locations": [{"physicalLocation": location(place)}],
        "partialFingerprints": {"trainplate/v1": fingerprint(audit, problem)},
    }
    if problem.ignored:
        found["suppressions"] = [{"kind": "external", "justification": harmless(problem.ignored)}]
    return found


def message(audit: Audit, problem: Problem) -> str:
    """Return what is wrong, the conversation that shows it, both texts from where they part, and the cure."""
    lines = [problem.message]
    if audit.template.variant is not None:
        lines.append(f"Template: {title_of(audit)}")
    if problem.conversation:
        lines.append(f"Conversation: {problem.conversation}")
    if problem.before != problem.after:
        texts = excerpts(problem.before, problem.after, WIDTH)
        for label, text, excerpt in zip(problem.labels, (problem.before, problem.after), texts, strict=True):
            if text or label == problem.labels[1]:
                lines.append(f"{label.capitalize()}: {excerpt.same}{excerpt.own or '(nothing more)'}")
    return "\n".join([*lines, f"Cured by: {problem.cure}"])


def location(place: FilePlace) -> dict[str, Any]:
    """Return the file, and the region in it where that is known."""
    artifact = {"uri": place.uri} | ({"uriBaseId": ROOT} if place.in_repository else {})
    return {"artifactLocation": artifact} | ({"region": region(place.region)} if place.region else {})


def region(found: Region) -> dict[str, int]:
    """Return lines and columns, which count from 1; the end stands behind the last character."""
    return {
        "startLine": found.line,
        "startColumn": found.column,
        "endLine": found.end_line,
        "endColumn": found.end_column,
    }


def fingerprint(audit: Audit, problem: Problem) -> str:
    """Return what stays the same while lines move: the check, the variant, the expression and the conversation."""
    expression = problem.place.expression if problem.place else ""
    parts = (problem.check, audit.template.variant or "", expression, problem.conversation, problem.message)
    return sha256("\0".join(parts).encode("utf-8", "backslashreplace")).hexdigest()
