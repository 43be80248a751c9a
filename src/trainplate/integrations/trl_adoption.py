"""TRL asks for a training template once a trainer has put a template of its own on the tokenizer.

`chat_template_path` does that: the template from the file takes the place of the training template. While a swap
stands, TRL's question is answered by the swap, which patches what is there now.
"""

import sys
from collections.abc import Callable
from functools import wraps
from threading import RLock
from typing import Any

QUESTION = "get_training_chat_template"
Adopt = Callable[[Any], bool]
"""Patches the template that a tokenizer carries now, and says whether the tokenizer is one's own."""

_adopters: list[Adopt] = []
_replaced: list[tuple[Any, Callable[..., Any]]] = []
_lock = RLock()


def offer(adopt: Adopt) -> None:
    """Let TRL, where it is loaded, ask here first."""
    with _lock:
        _adopters.append(adopt)
        if _replaced:
            return
        modules = [module for name, module in list(sys.modules.items()) if name.partition(".")[0] == "trl"]
        for module in modules:
            if callable(own := vars(module).get(QUESTION)):
                _replaced.append((module, own))
                setattr(module, QUESTION, asking_first(own))


def withdraw(adopt: Adopt) -> None:
    """Take an offer back; without any, TRL gets its own function again."""
    with _lock:
        if adopt in _adopters:
            _adopters.remove(adopt)
        if not _adopters:
            while _replaced:
                module, own = _replaced.pop()
                setattr(module, QUESTION, own)


def asking_first(own: Callable[..., Any]) -> Callable[..., Any]:
    """Return TRL's function, but for tokenizers that a swap stands on: they carry their training template then."""

    @wraps(own)
    def get_training_chat_template(processing_class: Any = None, *args: Any, **kwargs: Any) -> Any:
        if any(adopt(processing_class) for adopt in list(_adopters)):
            return None
        return own(processing_class, *args, **kwargs)

    return get_training_chat_template
