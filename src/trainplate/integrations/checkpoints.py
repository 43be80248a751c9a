"""What a checkpoint saved in training carries: the original, and the training template beside it."""

import copy
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trainplate.integrations.template_places import Place, holders, put, text_at
from trainplate.writing import write_text

FILE = "chat_template_training"
"""Transformers reads `chat_template.jinja` and the folder `additional_chat_templates`, and leaves this file alone."""


@dataclass(frozen=True)
class Replacement:
    """A training template that stands where an original was."""

    place: Place
    training: str

    def stands_on(self, holder: Any) -> bool:
        """Whether an object, be it a copy of the one that was given, carries the training template now."""
        return type(holder) is type(self.place.holder) and text_at(holder, self.place.name) == self.training


def as_original(tokenizer: Any, replacements: Iterable[Replacement], attributes: Iterable[tuple[str, Any]]) -> Any:
    """Return a copy that carries the originals, to be saved in the tokenizer's stead while others render with it.

    `attributes` are those of the text tokenizer that were set beside the template, each with its value before.
    """
    replacements, attributes = tuple(replacements), tuple(attributes)
    stand_in = copy.copy(tokenizer)
    for replaced in replacements:
        if replaced.stands_on(stand_in):
            put(stand_in, replaced.place.name, replaced.place.template.source)
    if len(holders(stand_in)) > 1:
        stand_in.tokenizer = as_original(stand_in.tokenizer, replacements, attributes)
        return stand_in
    for name, before in attributes:
        setattr(stand_in, name, before)
    return stand_in


def write_beside(folder: str | Path, replacements: Iterable[Replacement]) -> None:
    """Write each training template into the folder of a checkpoint, under a name of its own."""
    for replaced in replacements:
        name = replaced.place.name
        file = f"{FILE}.jinja" if name in (None, "default") else f"{FILE}_{name}.jinja"
        write_text(Path(folder) / file, replaced.training)
