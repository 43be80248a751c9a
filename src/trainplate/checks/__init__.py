"""The contract: what a training template must be, one property a file."""

from trainplate.checks.contract import Heard, Report, hear, heard_already, judge, report_on, try_on
from trainplate.checks.registry import Check, Example, all_checks, check
from trainplate.checks.trial import Pair, Trial

__all__ = [
    "Check",
    "Example",
    "Heard",
    "Pair",
    "Report",
    "Trial",
    "all_checks",
    "check",
    "hear",
    "heard_already",
    "judge",
    "report_on",
    "try_on",
]
