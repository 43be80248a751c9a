"""Source text of chat templates: segments, tree, normal form, edits; nothing is ever lost."""

from trainplate.syntax.diff import changed_characters, unified_diff
from trainplate.syntax.edits import Edit, apply_edits, edits_between
from trainplate.syntax.grammar import grammar
from trainplate.syntax.line_ends import with_line_ends_of, with_newlines
from trainplate.syntax.normal_form import normal_form
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
    "changed_characters",
    "edits_between",
    "grammar",
    "line_of",
    "normal_form",
    "parse",
    "segments",
    "unified_diff",
    "with_line_ends_of",
    "with_newlines",
]
