"""Says of each piece of a template whether it prints sampled text, by what it printed in the samples."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from jinja2 import nodes

from trainplate.fixes.marking.sample import Sample
from trainplate.rendering.trace import Piece, Place, Tracer, Write


class Label(StrEnum):
    """What a piece prints."""

    SAMPLED = "sampled"
    """What the model writes, and nothing else."""
    SUPPLIED = "supplied"
    """What the prompt supplies: headers, and all that other roles say."""
    SHARED = "shared"
    """Sampled text in assistant turns, and the text of other roles elsewhere."""
    OTHERS = "others"
    """The text of other roles; it never printed in an assistant turn."""
    BLANK = "blank"
    """What may stand on either side: white space behind a turn, or what a turn holds in place of its prompt."""
    UNSEEN = "unseen"
    """Nothing, in all samples."""
    MIXED = "mixed"
    """Sampled and supplied text in assistant turns, by a rule that is yet to be found."""


ELSEWHERE, EITHER, BEHIND = "elsewhere", "either", "behind"
WHOLE = 1 << 60


@dataclass(frozen=True)
class Edge:
    """Where sampled text may begin in what a piece prints, from `low` to `high`; at `end` it ends, unless behind it.

    0 is the beginning of the piece, `WHOLE` its end.
    """

    low: int
    high: int
    end: int = WHOLE


Way = str | Edge
"""How a piece printed once: for another role, where it may stand on either side, behind a turn, or with an edge."""


@dataclass(slots=True)
class Reading:
    """In which ways one piece printed, each with the numbers of the samples that show it."""

    piece: Piece
    ways: dict[Way, set[int]] = field(default_factory=dict)

    def note(self, way: Way, sample: int) -> None:
        """Add that the piece printed in a way."""
        self.ways.setdefault(way, set()).add(sample)

    @property
    def edges(self) -> list[tuple[int, frozenset[int]]]:
        """The fewest places at which sampled text may begin in every turn, in order, with the samples of each."""
        found: list[tuple[int, frozenset[int]]] = []
        waiting = sorted((way for way in self.ways if isinstance(way, Edge)), key=lambda edge: edge.high)
        while waiting:
            reached = [edge for edge in waiting if edge.low <= waiting[0].high]
            # What prints on one side of the edge as a whole need not be cut.
            place = WHOLE if waiting[0].high == WHOLE else max(edge.low for edge in reached)
            found.append((place, frozenset().union(*(self.ways[edge] for edge in reached))))
            waiting = [edge for edge in waiting if edge not in reached]
        return found

    @property
    def ends(self) -> set[int]:
        """The places at which sampled text ends."""
        return {way.end for way in self.ways if isinstance(way, Edge)}

    @property
    def sections(self) -> tuple[tuple[int, Label], ...]:
        """The labels of what a constant prints, each with the offset where it ends; one for what no edge cuts."""
        value, label = constant(self.piece.node), self.label
        size = len(value or "")
        if value is None or label not in (Label.SAMPLED, Label.SHARED):
            return ((size, label),)
        start, end = self.edges[0][0], min(*self.ends, size)
        cuts = ((start, Label.SUPPLIED), (end, label), (size, Label.SUPPLIED))
        return tuple(cut for before, cut in zip((0, start, end), cuts, strict=True) if cut[0] > before)

    @property
    def label(self) -> Label:
        """The label of the whole piece; of a constant that is cut, always at one place, that of its sampled part."""
        edges, value = self.edges, constant(self.piece.node)
        if not edges:
            if EITHER in self.ways:
                return Label.BLANK
            if BEHIND in self.ways:
                return Label.BLANK if self.piece.parent is not None else Label.SUPPLIED
            return Label.OTHERS if ELSEWHERE in self.ways else Label.UNSEEN
        place, ends = edges[0][0], self.ends
        if len(edges) > 1 or len(ends) > 1 or (value is None and (place not in (0, WHOLE) or ends != {WHOLE})):
            return Label.MIXED
        if place == WHOLE:
            return Label.SUPPLIED
        return Label.SHARED if ELSEWHERE in self.ways else Label.SAMPLED


def constant(node: nodes.Node) -> str | None:
    """Return what a text or a string constant prints, or None for any other node."""
    if isinstance(node, nodes.TemplateData):
        return str(node.data)
    if isinstance(node, nodes.Const) and isinstance(node.value, str):
        return node.value
    return None


def read_pieces(tracer: Tracer, samples: Sequence[Sample]) -> dict[int, Reading]:
    """Read what every piece prints in the samples, by the number of the piece."""
    readings = {piece.number: Reading(piece) for piece in tracer.pieces}
    for number, sample in enumerate(samples):
        traced = tracer.render(sample.messages, sample.tools, **sample.options)
        edges = Edges(sample)
        for write in traced.writes:
            for part in with_operands(write):
                if part.end > part.start:
                    readings[part.piece.number].note(edges.way(part), number)
    return readings


def with_operands(write: Write) -> Iterator[Write]:
    """Yield a write and those of the operands of its expression, or of the value that it prints."""
    yield write
    for part in write.parts:
        if part.piece.parent == write.piece.number or part.piece.place is Place.ASSIGNMENT:
            yield from with_operands(part)


class Edges:
    """The turns of one sample, to be compared with what pieces wrote."""

    def __init__(self, sample: Sample) -> None:
        self.spans = sample.reaches
        self.begins = sample.begins
        self.seen = [start + len(sample.text[start:end].rstrip()) for start, end in sample.reaches]
        """Where the last visible character of each turn ends."""
        self.ends = [end for _, end in self.spans]

    def way(self, write: Write) -> Way:
        """Say how a piece printed in one write."""
        index, size = bisect_right(self.ends, write.start), write.end - write.start
        if index == len(self.spans):
            return outside(write)
        start, end = self.spans[index]
        begin, seen = min(self.begins[index], self.seen[index]), self.seen[index]
        if start >= write.end or (write.start >= seen and write.end > end):
            return outside(write)
        if write.start >= seen or (write.start >= start and write.end <= begin):
            return BEHIND if write.start >= seen > begin else EITHER
        low, high = (min(max(place - write.start, 0), size) for place in (start, begin))
        end = WHOLE if write.end <= end else end - write.start
        return Edge(WHOLE if low == size else low, WHOLE if high == size else high, end)


def outside(write: Write) -> Way:
    """Say how a piece printed that has no sampled text in it."""
    return Edge(WHOLE, WHOLE) if write.role == "assistant" else ELSEWHERE
