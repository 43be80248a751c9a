"""What a person asks of a template before a training run: can it be trained on, what is wrong, what is trained."""

from trainplate.auditing.audit import (
    Audit,
    Facts,
    Knob,
    Outcome,
    Part,
    Place,
    Problem,
    Severity,
    ShownConversation,
    Supports,
    Trainable,
)

__all__ = [
    "Audit",
    "Facts",
    "Knob",
    "Outcome",
    "Part",
    "Place",
    "Problem",
    "Severity",
    "ShownConversation",
    "Supports",
    "Trainable",
]
