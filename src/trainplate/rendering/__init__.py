"""Jinja as transformers runs it: text, and which of it stands in generation blocks."""

from trainplate.rendering.environment import compile_tree, environment
from trainplate.rendering.limits import DEFAULT_LIMITS, Budget, Limits, budget
from trainplate.rendering.messages import as_transformers_does
from trainplate.rendering.render import CompiledTemplate, Marked, compile_template

__all__ = [
    "DEFAULT_LIMITS",
    "Budget",
    "CompiledTemplate",
    "Limits",
    "Marked",
    "as_transformers_does",
    "budget",
    "compile_template",
    "compile_tree",
    "environment",
]
