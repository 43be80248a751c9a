"""Fixes are found by being there: a file with `CURES` and a function named like the file."""

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from trainplate.fixes.candidate import Candidate


@dataclass(frozen=True)
class Fix:
    """One kind of edit: its name, the checks it cures, and the function that proposes edited sources."""

    name: str
    cures: frozenset[str]
    documentation: str
    propose: Callable[..., Iterator[Candidate]]


@cache
def all_fixes() -> dict[str, Fix]:
    """Return every fix that proposes edited sources, by name."""
    import trainplate.fixes as folder

    found = {}
    for entry in pkgutil.iter_modules(folder.__path__):
        module = importlib.import_module(f"{folder.__name__}.{entry.name}")
        cures = getattr(module, "CURES", None)
        if cures:
            name = entry.name.replace("_", "-")
            found[name] = Fix(name, frozenset(cures), (module.__doc__ or "").strip(), getattr(module, entry.name))
    return dict(sorted(found.items()))
