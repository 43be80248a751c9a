"""Checks are found by being there: one file in this folder, one function in it, named like the check."""

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from trainplate.checks.trial import Trial
from trainplate.verdict import Finding

Law = Callable[[Trial], Iterator[Finding]]


@dataclass(frozen=True, eq=False)
class Example:
    """An original and a training template for it; a check's own first tests."""

    original: str
    training: str


@dataclass(frozen=True, eq=False)
class Check:
    """One property of a training template: its name, its documentation, and the function that looks for failures."""

    name: str
    documentation: str
    find: Law
    passes: Example
    fails: Example
    concerns: Callable[[Trial], bool]
    """Whether a trial can show anything about this check; where none does, it is not evaluated."""


def always(trial: Trial) -> bool:
    """Concern every conversation in which the original says where a turn begins and ends, and keeps text in place."""
    return any(turn.told for turn in trial.original.turns) and not trial.irregular


def everything(trial: Trial) -> bool:
    """Concern every conversation, those included whose later messages are printed in front of earlier turns."""
    return True


def check(*, passes: Example, fails: Example, concerns: Callable[[Trial], bool] = always) -> Callable[[Law], Law]:
    """Make a function a check; its name, with dashes, is the check's and its docstring the documentation."""

    def register(law: Law) -> Law:
        name = law.__name__.replace("_", "-")
        law.check = Check(name, inspect.cleandoc(law.__doc__ or ""), law, passes, fails, concerns)  # type: ignore[attr-defined]
        return law

    return register


@cache
def all_checks() -> dict[str, Check]:
    """Return every check by name, in the order in which people read them: the contract's own."""
    import trainplate.checks as folder

    found = {}
    for module in pkgutil.iter_modules(folder.__path__):
        members = vars(importlib.import_module(f"{folder.__name__}.{module.name}")).values()
        found.update({one.check.name: one.check for one in members if isinstance(getattr(one, "check", None), Check)})
    return dict(sorted(found.items()))
