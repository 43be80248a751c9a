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
    "audit",
    "clone_chat_template",
    "get_training_chat_template",
    "has_generation_markers",
    "identify",
    "is_chat_template_prefix_preserving",
    "is_chat_template_stop_token_trained",
    "load_format",
    "normalise_messages",
    "patch",
    "prepare",
    "response_template",
    "split_reasoning",
    "supports_tool_calling",
    "training",
]

if TYPE_CHECKING:
    from trainplate.auditing.auditor import audit
    from trainplate.datasets import prepare
    from trainplate.families.identification import identify
    from trainplate.formats import load_format
    from trainplate.integrations.training import training
    from trainplate.integrations.trl_names import (
        clone_chat_template,
        get_training_chat_template,
        has_generation_markers,
        is_chat_template_prefix_preserving,
        is_chat_template_stop_token_trained,
        supports_tool_calling,
    )
    from trainplate.masks import assistant_masks, normalise_messages
    from trainplate.patching.patch import Patch, patch
    from trainplate.responses import response_template, split_reasoning

LATE = {
    "Patch": "trainplate.patching.patch",
    "assistant_masks": "trainplate.masks",
    "audit": "trainplate.auditing.auditor",
    "clone_chat_template": "trainplate.integrations.trl_names",
    "get_training_chat_template": "trainplate.integrations.trl_names",
    "has_generation_markers": "trainplate.integrations.trl_names",
    "identify": "trainplate.families.identification",
    "is_chat_template_prefix_preserving": "trainplate.integrations.trl_names",
    "is_chat_template_stop_token_trained": "trainplate.integrations.trl_names",
    "load_format": "trainplate.formats",
    "normalise_messages": "trainplate.masks",
    "patch": "trainplate.patching.patch",
    "prepare": "trainplate.datasets",
    "response_template": "trainplate.responses",
    "split_reasoning": "trainplate.responses",
    "supports_tool_calling": "trainplate.integrations.trl_names",
    "training": "trainplate.integrations.training",
}
"""Names whose modules need time, numpy or more, and are imported when they are first asked for."""


def __getattr__(name: str) -> Any:
    if name in LATE:
        from importlib import import_module

        return getattr(import_module(LATE[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
