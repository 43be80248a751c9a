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
from trainplate.auditing.auditor import audit, audit_all
from trainplate.auditing.registry import AuditCheck, all_audit_checks

__all__ = [
    "Audit",
    "AuditCheck",
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
    "all_audit_checks",
    "audit",
    "audit_all",
]
