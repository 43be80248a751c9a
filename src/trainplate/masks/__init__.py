"""From rendered conversations to tokens: which of them the model itself would have sampled."""

from trainplate.masks.assistant_masks import assistant_masks
from trainplate.masks.batch import AssistantMasks, Counts

__all__ = ["AssistantMasks", "Counts", "assistant_masks"]
