"""Says of each piece of a template whether it prints sampled text, by what it printed in the samples."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from jinja2 import nodes

from trainplate.fixes.marking.sample import Sample
from trainplate.rendering.trace import Piece, Tracer, Write


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


@dataclass(slots=True)
class Reading:
    """What one piece printed in all samples: how often sampled and supplied text, and where edges cut through it."""

    piece: Piece
    sampled: int = 0
    supplied: int = 0
    blank: int = 0
    elsewhere: int = 0
    cuts: set[tuple[int, ...]] = field(default_factory=set)
    """Where edges of sampled text fell into what it printed, for each way in which they did."""

    @property
    def sections(self) -> tuple[tuple[int, Label], ...]:
        """The labels of what a constant prints, each with the offset where it ends; one for what no edge cuts."""
        size = len(constant(self.piece.node) or "")
        if not self.cuts:
            return ((size, self.label),)
        if self.label is Label.MIXED:
            return ((size, Label.MIXED),)
        inside = Label.SHARED if self.elsewhere else Label.SAMPLED
        ends = next(iter(self.cuts))
        start_cut = ends[0] >= 0
        labels = [Label.SUPPLIED if start_cut else inside, inside if start_cut else Label.SUPPLIED, Label.SUPPLIED]
        return tuple(zip((*(abs(end) for end in ends), size), labels, strict=False))

    @property
    def label(self) -> Label:
        """The label of the whole piece; that of a constant that has sections says whether it can be cut."""
        if self.cuts:
            one_way = len(self.cuts) == 1 and not self.sampled and not self.supplied
            shared = Label.SHARED if self.elsewhere else Label.SAMPLED
            return shared if one_way and constant(self.piece.node) is not None else Label.MIXED
        if self.sampled:
            if self.supplied:
                return Label.MIXED
            return Label.SHARED if self.elsewhere else Label.SAMPLED
        if self.supplied:
            return Label.SUPPLIED
        if self.blank:
            return Label.BLANK
        return Label.OTHERS if self.elsewhere else Label.UNSEEN


def constant(node: nodes.Node) -> str | None:
    """Return what a text or a string constant prints, or None for any other node."""
    if isinstance(node, nodes.TemplateData):
        return str(node.data)
    if isinstance(node, nodes.Const) and isinstance(node.value, str):
        return node.value
    return None


def read_pieces(tracer: Tracer, samples: Iterable[Sample]) -> dict[int, Reading]:
    """Read what every piece prints in the samples, by the number of the piece."""
    readings = {piece.number: Reading(piece) for piece in tracer.pieces}
    for sample in samples:
        traced = tracer.render(sample.messages, sample.tools, **sample.options)
        edges = Edges(traced.text, sample.spans)
        for write in traced.writes:
            for part in with_operands(write):
                if part.end > part.start:
                    edges.read(part, readings[part.piece.number])
    return readings


def with_operands(write: Write) -> Iterator[Write]:
    """Yield a write and those of the operands of its expression."""
    yield write
    for part in write.parts:
        if part.piece.parent == write.piece.number:
            yield from with_operands(part)


class Edges:
    """The spans of one sample: of each, where it starts, where its last visible character ends, and where it ends."""

    def __init__(self, text: str, spans: Sequence[tuple[int, int]]) -> None:
        self.spans = [(start, start + len(text[start:end].rstrip()), end) for start, end in spans]
        self.ends = [end for _, end in spans]

    def read(self, write: Write, reading: Reading) -> None:
        """Add to a reading what one write printed."""
        index = bisect_right(self.ends, write.start)
        start, seen, end = self.spans[index] if index < len(self.spans) else (write.end, write.end, write.end)
        if start >= write.end or (write.start >= seen and write.end > end):
            reading.elsewhere += write.role != "assistant"
            reading.supplied += write.role == "assistant"
        elif write.start >= seen:
            reading.blank += 1
        elif write.start >= start and write.end <= end:
            reading.sampled += 1
        else:
            offsets = (start - write.start,) if write.start < start else ()
            ends = (end - write.start,) if write.end > end else ()
            reading.cuts.add(offsets + ends if offsets else tuple(-offset for offset in ends))


def seen_labels(readings: Mapping[int, Reading]) -> set[Label]:
    """Return every label that occurs."""
    return {reading.label for reading in readings.values()}
