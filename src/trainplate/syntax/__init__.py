"""Source text of chat templates: segments, tree, normal form, edits; nothing is ever lost."""

from trainplate.syntax.edits import Edit, apply_edits, edits_between
from trainplate.syntax.segments import Kind, Segment, Token, line_of, segments
from trainplate.syntax.tree import Extent, Tree, parse

__all__ = [
    "Edit",
    "Extent",
    "Kind",
    "Segment",
    "Token",
    "Tree",
    "apply_edits",
    "edits_between",
    "line_of",
    "parse",
    "segments",
]
