"""Whether a training template is proven for the very options that a trainer renders with."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from trainplate.checks import report_on
from trainplate.conversations import read_knobs
from trainplate.integrations.listening import listen
from trainplate.patching.choosing import SWITCHED, VARIED
from trainplate.patching.patch import Patch
from trainplate.patching.search import refusal_of


def options_read(patch: Patch, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of the options that the original reads; a rendering is the same whatever the others say."""
    return {name: value for name, value in options.items() if name in names_read(patch.original.source)}


@lru_cache(maxsize=64)
def names_read(source: str) -> frozenset[str]:
    """Return the options that a template reads; this is asked at every rendering."""
    return frozenset(read_knobs(source))


def prove(patch: Patch, options: Mapping[str, Any]) -> None:
    """Hold a training template to the contract under these options together; raises Refusal where it breaks it."""
    if not (read := options_read(patch, options)):
        return
    listening = listen(patch.original)
    report = report_on(listening.trials(patch.training_template, listening.heard(SWITCHED | VARIED, read)))
    if not report.proven:
        raise refusal_of(report)
