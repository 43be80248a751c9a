"""Makes chat templates trainable: patches any of them into a training template, with proof, or refuses and says why."""

from typing import TYPE_CHECKING, Any

from trainplate.errors import LoadingError, Refusal, SyntaxFault, TrainplateError
from trainplate.patching import Patch, patch

__version__ = "0.1.0"
__all__ = [
    "LoadingError",
    "Patch",
    "Refusal",
    "SyntaxFault",
    "TrainplateError",
    "assistant_masks",
    "audit",
    "normalise_messages",
    "patch",
    "prepare",
]

if TYPE_CHECKING:
    from trainplate.auditing.auditor import audit
    from trainplate.datasets import prepare
    from trainplate.masks import assistant_masks, normalise_messages

LATE = {
    "assistant_masks": "trainplate.masks",
    "audit": "trainplate.auditing.auditor",
    "normalise_messages": "trainplate.masks",
    "prepare": "trainplate.datasets",
}
"""Names whose modules need numpy or more, or are seldom needed, and are imported when they are first asked for."""


def __getattr__(name: str) -> Any:
    if name in LATE:
        from importlib import import_module

        return getattr(import_module(LATE[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
