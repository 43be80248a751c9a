"""What `assistant_masks` returns: arrays that can be read by name as well as by key."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Values = NDArray[Any] | list[NDArray[Any]]
"""One array for one conversation, a list of arrays for several, one array of two dimensions where they are padded."""


@dataclass(frozen=True)
class Counts:
    """What happened to the conversations of a call, counted."""

    conversations: int = 0
    tokens: int = 0
    trained: int = 0
    merged_with_prompt: int = 0
    """Tokens that hold the end of a prompt as well as the start of what is sampled; they are trained."""
    torn_at_end: int = 0
    """Tokens that hold the end of what is sampled as well as what follows; they are trained."""
    cut: int = 0
    """Conversations of which `max_length` cut off tokens that were to be trained."""
    untrained: int = 0
    """Conversations without a trained token."""
    by_offsets: int = 0
    """Conversations whose tokens could not be placed by their lengths, so that the tokenizer's offsets were used."""
    normalised: Mapping[str, int] = field(default_factory=dict)
    """Changes made to messages so that the template can take them, by kind."""


@dataclass(frozen=True)
class AssistantMasks(Mapping[str, Any]):
    """Token ids with a mask that is 1 on each token that the model itself would have sampled.

    It is a mapping as well, so that `batch["input_ids"]` and `{**batch}` work; counts are an attribute alone.
    """

    input_ids: Values
    assistant_masks: Values
    loss_weights: Values | None = None
    attention_mask: NDArray[np.uint8] | None = None
    counts: Counts = field(default_factory=Counts)
    media: Mapping[int, Mapping[str, Any]] | None = None
    """What a processor returned beside the ids, for each conversation with pictures, sounds or films."""

    def __getitem__(self, key: str) -> Any:
        value = getattr(self, key, None) if key in KEYS else None
        if value is None:
            raise KeyError(key)
        return value

    def __iter__(self) -> Iterator[str]:
        return (key for key in KEYS if getattr(self, key) is not None)

    def __len__(self) -> int:
        return sum(1 for _ in self)


KEYS = ("input_ids", "assistant_masks", "loss_weights", "attention_mask")
