"""From rendered conversations to tokens: which of them the model itself would have sampled."""

from trainplate.masks.batch import AssistantMasks, Counts
from trainplate.masks.live_conversations import assistant_masks
from trainplate.masks.normalisation import normalise_messages

__all__ = ["AssistantMasks", "Counts", "assistant_masks", "normalise_messages"]
