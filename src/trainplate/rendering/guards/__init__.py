"""Operators, methods and filters that make much of little, each measured before it runs.

A guard estimates the size of a result from the arguments. Where it cannot, since an argument is of a wrong type, the
operation runs and raises its own error.
"""

from trainplate.rendering.guards.filters import measured_filters
from trainplate.rendering.guards.guard import run_guard
from trainplate.rendering.guards.methods import METHODS
from trainplate.rendering.guards.operators import check_format, check_operator

__all__ = ["METHODS", "check_format", "check_operator", "measured_filters", "run_guard"]
