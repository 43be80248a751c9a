"""Says of each piece of a template whether it prints sampled text, by what it printed in the samples."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
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
    """White space behind a turn, which may be trained or not."""
    UNSEEN = "unseen"
    """Nothing, in all samples."""
    MIXED = "mixed"
    """Sampled and supplied text in assistant turns, by a rule that is yet to be found."""


SAMPLED, SUPPLIED, BLANK, ELSEWHERE = "sampled", "supplied", "blank", "elsewhere"
Way = str | tuple[int, ...]
"""How a piece printed once: one of the words above, or the offsets at which edges of sampled text cut through it."""


@dataclass(slots=True)
class Reading:
    """In which ways one piece printed, each with the numbers of the samples that show it."""

    piece: Piece
    ways: dict[Way, set[int]] = field(default_factory=dict)

    def note(self, way: Way, sample: int) -> None:
        """Add that the piece printed in a way."""
        self.ways.setdefault(way, set()).add(sample)

    @property
    def turn_ways(self) -> list[Way]:
        """The ways in which it printed in assistant turns, white space behind them aside: the later the edge, the later."""
        return sorted((way for way in self.ways if way not in (ELSEWHERE, BLANK)), key=edge_of)

    @property
    def sections(self) -> tuple[tuple[int, Label], ...]:
        """The labels of what a constant prints, each with the offset where it ends; one for what no edge cuts."""
        size, ways = len(constant(self.piece.node) or ""), self.turn_ways
        if self.label is Label.MIXED or not ways or isinstance(ways[0], str):
            return ((size, self.label),)
        ends = ways[0]
        labels = [Label.SUPPLIED, self.label, Label.SUPPLIED] if ends[0] >= 0 else [self.label, Label.SUPPLIED]
        return tuple(zip((*(abs(end) for end in ends), size), labels, strict=False))

    @property
    def label(self) -> Label:
        """The label of the whole piece; of a constant that an edge always cuts at one place, that of its sampled part."""
        ways = self.turn_ways
        if len(ways) > 1 or (ways and ways[0] not in (SAMPLED, SUPPLIED) and constant(self.piece.node) is None):
            return Label.MIXED
        if ways == [SUPPLIED]:
            return Label.SUPPLIED
        if ways:
            return Label.SHARED if ELSEWHERE in self.ways else Label.SAMPLED
        if BLANK in self.ways:
            return Label.BLANK
        return Label.OTHERS if ELSEWHERE in self.ways else Label.UNSEEN


def edge_of(way: Way) -> float:
    """Return at which offset sampled text begins in what a piece prints."""
    if isinstance(way, tuple):
        return way[0]
    return 0 if way == SAMPLED else float("inf")


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
        edges = Edges(traced.text, sample.spans)
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
    """The spans of one sample: of each, where it starts, where its last visible character ends, and where it ends."""

    def __init__(self, text: str, spans: Sequence[tuple[int, int]]) -> None:
        self.spans = [(start, start + len(text[start:end].rstrip()), end) for start, end in spans]
        self.ends = [end for _, end in spans]

    def way(self, write: Write) -> Way:
        """Say how a piece printed in one write."""
        index = bisect_right(self.ends, write.start)
        start, seen, end = self.spans[index] if index < len(self.spans) else (write.end, write.end, write.end)
        if start >= write.end or (write.start >= seen and write.end > end):
            return SUPPLIED if write.role == "assistant" else ELSEWHERE
        if write.start >= seen:
            return BLANK
        if write.start >= start and write.end <= end:
            return SAMPLED
        ends = (end - write.start,) if write.end > end else ()
        return (start - write.start, *ends) if write.start < start else (-ends[0],)


def seen_labels(readings: Mapping[int, Reading]) -> set[Label]:
    """Return every label that occurs."""
    return {reading.label for reading in readings.values()}
