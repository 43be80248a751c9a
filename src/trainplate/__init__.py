"""Makes chat templates trainable: patches any of them into a training template, with proof, or refuses and says why."""

from typing import TYPE_CHECKING, Any

from trainplate.errors import LoadingError, Refusal, SyntaxFault, TrainplateError

__version__ = "0.1.0"
__all__ = [
    "LoadingError",
    "Patch",
    "Refusal",
    "SyntaxFault",
    "TrainplateError",
    "assistant_masks",
    "identify",
    "normalise_messages",
    "patch",
    "prepare",
]

if TYPE_CHECKING:
    from trainplate.datasets import prepare
    from trainplate.families import identify
    from trainplate.masks import assistant_masks, normalise_messages
    from trainplate.patching import Patch, patch

LATE = {
    "Patch": "trainplate.patching",
    "assistant_masks": "trainplate.masks",
    "identify": "trainplate.families",
    "normalise_messages": "trainplate.masks",
    "patch": "trainplate.patching",
    "prepare": "trainplate.datasets",
}
"""Names whose modules need time, numpy or more, and are imported when they are first asked for."""


def __getattr__(name: str) -> Any:
    if name in LATE:
        from importlib import import_module

        return getattr(import_module(LATE[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
