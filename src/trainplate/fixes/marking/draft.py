"""A source on its way to markers, with all that was measured of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

from trainplate.fixes.marking.blocks import Body, items_of
from trainplate.fixes.marking.labels import Label, Reading, read_pieces
from trainplate.fixes.marking.sample import Sample
from trainplate.rendering.trace import Piece, Place, Tracer, trace
from trainplate.syntax import Kind, Segment


@dataclass(frozen=True, eq=False)
class Draft:
    """A source without markers that renders every sample as it should, and what each of its pieces prints."""

    source: str
    tracer: Tracer = field(repr=False)
    readings: Mapping[int, Reading] = field(repr=False)

    @property
    def special_tokens(self) -> Mapping[str, str]:
        """The special tokens that it is rendered with."""
        return self.tracer.template.special_tokens

    @property
    def segments(self) -> tuple[Segment, ...]:
        """The segments of the source."""
        return self.tracer.tree.segments

    @cached_property
    def printed(self) -> dict[int, Piece]:
        """By segment, the piece that it prints straight into the text."""
        pieces = self.tracer.pieces
        return {piece.segment: piece for piece in pieces if piece.parent is None and piece.place is Place.TEXT}

    @cached_property
    def text_cuts(self) -> dict[int, tuple[int, ...]]:
        """By segment, the positions in the source at which the edges of sampled text fall into a text."""
        cuts = {}
        for index, piece in self.printed.items():
            segment, sections = self.segments[index], self.readings[piece.number].sections
            if segment.kind is Kind.TEXT and len(sections) > 1:
                origin = printed_start(self.source, segment)
                cuts[index] = tuple(origin + end for end, _ in sections[:-1])
        return cuts

    @cached_property
    def root(self) -> Body:
        """The items of the source, texts divided where edges of sampled text fall into them."""
        return items_of(self.tracer.tree, self.text_cuts)

    def expression(self, index: int) -> str:
        """The expression of an output as it is written, or an empty text for any other segment."""
        segment = self.segments[index]
        if segment.kind is not Kind.EXPRESSION or not segment.tokens:
            return ""
        return self.source[segment.tokens[0].start : segment.tokens[-1].end]

    @cached_property
    def headers(self) -> frozenset[str]:
        """The expressions that print what the prompt supplies: an output that no sample shows is known by them."""
        supplied = (i for i, piece in self.printed.items() if self.readings[piece.number].label is Label.SUPPLIED)
        return frozenset(filter(None, map(self.expression, supplied)))

    def label_at(self, index: int, start: int) -> Label | None:
        """The label of what the item at `start` prints, the segment `index` or a part of it; None for a tag."""
        piece = self.printed.get(index)
        if piece is None:
            return None
        reading = self.readings[piece.number]
        if reading.label is Label.UNSEEN and self.expression(index) in self.headers:
            return Label.SUPPLIED
        if index not in self.text_cuts:
            return reading.label
        passed = sum(cut <= start for cut in self.text_cuts[index])
        return reading.sections[passed][1]


def printed_start(source: str, segment: Segment) -> int:
    """Return where in the source the printed part of a text begins."""
    text = source[segment.start : segment.end]
    leads = (0, 1, len(text) - len(text.lstrip()))
    size = len(segment.printed)
    return segment.start + next(
        lead for lead in leads if text[lead : lead + size] == segment.printed and not text[lead + size :].strip()
    )


def read(source: str, samples: Sequence[Sample], special_tokens: Mapping[str, str], clock: datetime | None) -> Draft:
    """Trace a source on all samples."""
    tracer = trace(source, special_tokens, clock)
    return Draft(source, tracer, read_pieces(tracer, samples))
