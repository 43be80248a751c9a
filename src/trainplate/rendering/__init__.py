"""Jinja as transformers runs it: text, and which of it stands in generation blocks."""

from trainplate.rendering.compiler import compile_tree
from trainplate.rendering.environment import environment
from trainplate.rendering.limits import DEFAULT_LIMITS, Budget, Limits, budget
from trainplate.rendering.marks import Marked, TornMarkers
from trainplate.rendering.messages import Handling, as_transformers_does
from trainplate.rendering.render import CompiledTemplate, code_for, compile_template

__all__ = [
    "DEFAULT_LIMITS",
    "Budget",
    "CompiledTemplate",
    "Handling",
    "Limits",
    "Marked",
    "TornMarkers",
    "as_transformers_does",
    "budget",
    "code_for",
    "compile_template",
    "compile_tree",
    "environment",
]
