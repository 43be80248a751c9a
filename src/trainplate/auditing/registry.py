"""Checks beyond the contract are found by being there: a file in `checks`, with a function named like the check."""

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from trainplate.auditing.audit import Outcome, Place, Problem, Severity
from trainplate.auditing.subject import Subject
from trainplate.verdict import SAID, Labels, Verdict


@dataclass(frozen=True)
class Seen:
    """What a check saw; the rest of a problem is known from the check."""

    message: str
    place: Place | None = None
    conversation: str = ""
    before: str = ""
    after: str = ""
    labels: Labels = SAID
    cure: str = ""
    """Where it is not the check's own."""
    severity: Severity | None = None
    """Where it is not the check's own."""
    conversations: int = 1


@dataclass(frozen=True)
class Example:
    """A template, with what belongs to it: a check's own first tests."""

    source: str
    special_tokens: dict[str, str] = field(default_factory=dict)
    tokenizer: Callable[[], Any] | None = None
    """Makes a tokenizer of the library `tokenizers`, for checks that look at tokens."""


Look = Callable[[Subject], Iterator[Seen]]
Missing = Callable[[Subject], str]


@dataclass(frozen=True)
class AuditCheck:
    """One thing worth knowing of a template: its name, its documentation, and the function that looks for it."""

    name: str
    documentation: str
    look: Look
    severity: Severity
    cure: str
    passes: Example
    fails: Example
    missing: Missing
    """Says what is not there that the check needs, where it cannot be evaluated."""


def nothing(subject: Subject) -> str:
    """Need nothing but a template."""
    return ""


def speech(subject: Subject) -> str:
    """Need a template that prints a plain conversation."""
    return "" if subject.support.speaks else "the template prints no plain conversation"


def audit_check(
    *, severity: Severity, cure: str, passes: Example, fails: Example, missing: Missing = speech
) -> Callable[[Look], Look]:
    """Make a function a check; its name, with dashes, is the check's and its docstring the documentation."""

    def register(look: Look) -> Look:
        name = look.__name__.replace("_", "-")
        documentation = inspect.cleandoc(look.__doc__ or "")
        look.check = AuditCheck(name, documentation, look, severity, cure, passes, fails, missing)  # type: ignore[attr-defined]
        return look

    return register


@cache
def all_audit_checks() -> dict[str, AuditCheck]:
    """Return every check beyond the contract by name."""
    import trainplate.auditing.checks as folder

    found = {}
    for module in pkgutil.iter_modules(folder.__path__):
        members = vars(importlib.import_module(f"{folder.__name__}.{module.name}")).values()
        checks = (getattr(one, "check", None) for one in members)
        found.update({one.name: one for one in checks if isinstance(one, AuditCheck)})
    return dict(sorted(found.items()))


def evaluate(check: AuditCheck, subject: Subject) -> tuple[Outcome, tuple[Problem, ...]]:
    """Return what a check says of a template, with a problem for each thing that it saw."""
    if reason := check.missing(subject):
        return Outcome(check.name, Verdict.NOT_EVALUATED, reason), ()
    problems = tuple(problem_of(check, seen) for seen in check.look(subject))
    return Outcome(check.name, Verdict.FAILED if problems else Verdict.PASSED), problems


def problem_of(check: AuditCheck, seen: Seen) -> Problem:
    """Make a problem of what a check saw."""
    return Problem(
        check=check.name,
        severity=seen.severity or check.severity,
        message=seen.message,
        cure=seen.cure or check.cure,
        place=seen.place,
        conversation=seen.conversation,
        before=seen.before,
        after=seen.after,
        labels=seen.labels,
        conversations=seen.conversations,
    )
