"""An audit for programs: JSON whose form `audit_schema.json`, beside this file, states."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from trainplate import __version__
from trainplate.auditing import Audit, Problem, Severity, ShownConversation
from trainplate.families.catalogue import family_named
from trainplate.families.identification import Match
from trainplate.patching.patch import Patch
from trainplate.reports.collection import Collection
from trainplate.reports.next_steps import next_steps

VERSION = 1
"""Of the form: raised where a program that reads it would have to change, not where something is added."""
SCHEMA = Path(__file__).with_name("audit_schema.json")


@cache
def audit_schema() -> dict[str, Any]:
    """Return the JSON Schema that every report in JSON obeys."""
    schema: dict[str, Any] = json.loads(SCHEMA.read_text(encoding="utf-8"))
    return schema


def audit_json(collection: Collection) -> str:
    """Return the report as JSON text in ASCII, so that no terminal, shell or encoding changes it."""
    return json.dumps(as_data(collection), indent=2) + "\n"


def as_data(collection: Collection) -> dict[str, Any]:
    """Return the report as plain data."""
    return {
        "schema_version": VERSION,
        "tool": {"name": "trainplate", "version": __version__},
        "summary": {
            "audits": len(collection.audits),
            "unread": len(collection.unread),
            **{f"{severity}s": collection.counted(severity) for severity in Severity},
            "ignored": sum(bool(problem.ignored) for audit in collection.audits for problem in audit.problems),
        },
        "audits": [audit_data(audit) for audit in collection.audits],
        "unread": [{"source": unread.source, "message": unread.message} for unread in collection.unread],
    }


def audit_data(audit: Audit) -> dict[str, Any]:
    """Return one audit as plain data."""
    template = audit.template
    return {
        "source": audit.source,
        "template": {"name": template.name, "variant": template.variant, "sha256": fingerprint(template.source)},
        "trainable": audit.trainable.value,
        "family": family_data(audit.family) if audit.family else None,
        "checks": [asdict(outcome) for outcome in audit.outcomes],
        "problems": [problem_data(problem) for problem in audit.problems],
        "supports": asdict(audit.supports),
        "facts": asdict(audit.facts),
        "assumed_tokens": dict(audit.assumed_tokens),
        "patch": patch_data(audit.patch) if audit.patch else None,
        "refusal": dict(refusal_items(audit)) or None,
        "conversations": [conversation_data(shown) for shown in audit.conversations],
        "next": [asdict(step) for step in next_steps(audit)],
        "seconds": dict(audit.seconds),
    }


def fingerprint(source: str) -> str:
    """Return the SHA-256 of a template's text in UTF-8; what cannot be written in it is taken as it is escaped."""
    return sha256(source.encode("utf-8", "backslashreplace")).hexdigest()


def family_data(match: Match) -> dict[str, Any]:
    """Return what a template was recognised as."""
    return {
        "family": match.family,
        "name": family_named(match.family).name,
        "revision": match.revision,
        "how": match.how.value,
        "also": list(match.also),
        "likeness": round(match.likeness, 4),
        "difference": asdict(match.difference),
    }


def problem_data(problem: Problem) -> dict[str, Any]:
    """Return one finding; what is not known of it is null."""
    data = asdict(problem)
    return data | {name: data[name] or None for name in ("conversation", "ignored")}


def patch_data(patch: Patch) -> dict[str, Any]:
    """Return the training template, with what leads to it."""
    return {
        "training_template": patch.training_template,
        "edits": len(patch.edits),
        "proof": patch.proof,
        "record": patch.record or None,
        "deviations": [asdict(deviation) for deviation in patch.deviations],
        "diff": patch.diff(),
    }


def refusal_items(audit: Audit) -> Iterator[tuple[str, str]]:
    """Yield what is known of why there is no training template; nothing where there is one."""
    if audit.refusal is not None:
        for name in ("check", "reason", "conversation", "before", "after"):
            yield name, getattr(audit.refusal, name)


def conversation_data(shown: ShownConversation) -> dict[str, Any]:
    """Return a conversation's parts with their tokens, or why the template declines it."""
    return {
        "name": shown.name,
        "declined": shown.declined or None,
        "parts": [asdict(part) for part in shown.parts],
    }
