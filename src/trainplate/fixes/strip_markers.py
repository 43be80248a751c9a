"""Markers that are there already may stand in the wrong places; without them, new ones can be set."""

from collections.abc import Iterator

from trainplate.fixes.candidate import Candidate
from trainplate.fixes.conditions.settlement import Revision
from trainplate.syntax import Edit, apply_edits, parse

FIX = "strip-markers"
KEYWORDS = {"generation": "if true", "endgeneration": "endif"}
"""The tags of a generation block, each with the one that keeps its place where white space does not let it go."""


def strip_markers(source: str) -> Iterator[Candidate]:
    """Yield the source without generation markers, if it has any; it prints what it printed before."""
    tree = parse(source)
    markers = {index for index, piece in enumerate(tree.segments) if piece.keyword in KEYWORDS}
    if not markers:
        return
    revision = Revision(tree, gone=set(markers))
    stripped = revision.written()
    if stripped is None:
        words = (tree.segments[index].tokens[0] for index in markers)
        stripped = apply_edits(source, [Edit(word.start, word.end, KEYWORDS[word.text]) for word in words])
    yield Candidate(stripped, FIX, "the markers that are there do not stand around what the model samples")
