"""Cuts an output where its prompt ends when that depends on an option or on the text: at the length of the prefill.

{%- set answer = reasoning + '</think>' + content %}
{%- set prefill = '</think>' if not enable_thinking and answer.startswith('</think>') else '' %}
{{- header + prefill }}{% generation %}{{ answer[prefill | length:] }}{% endgeneration %}
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, takewhile

from trainplate.fixes.marking.blocks import Body, Item, all_bodies, extent_of
from trainplate.fixes.marking.draft import Draft
from trainplate.fixes.marking.labels import ELSEWHERE, Label, constant, with_operands
from trainplate.fixes.marking.layout import layout_at
from trainplate.fixes.marking.literals import cut_literal
from trainplate.fixes.marking.names import leaves_loop
from trainplate.fixes.marking.placement import Placing
from trainplate.fixes.marking.prefill_texts import Answer, Known, prefill_of
from trainplate.fixes.marking.prefills import is_mixed, operands_of
from trainplate.fixes.marking.sample import Sample
from trainplate.fixes.marking.splitting import Fragment, written
from trainplate.rendering.trace import Piece, Write
from trainplate.syntax import Edit, Kind

NAMES = (("answer", "answer_text", "sampled_answer"), ("prefill", "prefill_text", "supplied_prefill"))


@dataclass(frozen=True)
class Print:
    """One print of an output in an assistant turn: its operands' places, and where sampled text may begin."""

    sample: Sample
    writes: tuple[Write, ...]
    low: int
    high: int

    @property
    def first(self) -> tuple[int, int]:
        """The operand, and the offset in it, at which sampled text begins at the earliest."""
        for index, write in enumerate(self.writes):
            if write.end > self.low:
                return index, max(self.low - write.start, 0)
        return len(self.writes), 0

    def behind(self, place: tuple[int, int]) -> Answer:
        """Return what is printed from a place on."""
        index, offset = place
        start, end = self.writes[index].start + offset, self.writes[-1].end
        return Answer(self.sample, self.sample.text[start:end], max(self.low - start, 0), min(self.high, end) - start)


def cut_when_rendered(draft: Draft, samples: Sequence[Sample]) -> list[Edit] | None:
    """Return the edits that cut every output with several edges at its prefill; None where one cannot be cut."""
    edits = []
    for piece in draft.printed.values():
        if is_mixed(draft, piece):
            edit = cut_output(draft, samples, piece)
            if edit is None:
                return None
            edits.append(edit)
    return edits or None


def capture_and_cut(draft: Draft, samples: Sequence[Sample]) -> list[Edit] | None:
    """Return the edits that capture blocks with several edges and cut what they print; None where one cannot be."""
    placing = Placing(draft)
    edits: list[Edit] = []
    for body in all_bodies(draft.root):
        items = mixed_items(placing, body)
        if items and not any(edit.start <= items[0].start < edit.end for edit in edits):
            edit = captured(placing, samples, body, items)
            if edit is not None:
                edits.append(edit)
    mixed = [draft.segments[piece.segment].start for piece in draft.printed.values() if is_mixed(draft, piece)]
    covered = all(any(edit.start <= start < edit.end for edit in edits) for start in mixed)
    return edits if edits and covered else None


def mixed_items(placing: Placing, body: Body) -> tuple[Item, ...]:
    """Return the items of a body from the first to the last one that prints several edges."""
    places = [index for index, item in enumerate(body.items) if Label.MIXED in placing.labels(item)]
    return body.items[places[0] : places[-1] + 1] if places else ()


def captured(placing: Placing, samples: Sequence[Sample], body: Body, items: tuple[Item, ...]) -> Edit | None:
    """Return the edit that captures some items, if they begin where a header ends and may be caught."""
    draft = placing.draft
    before = [labels for item in body.items if item.end <= items[0].start and (labels := placing.labels(item))]
    found = frozenset().union(*(placing.labels(item) for item in items))
    if not before or before[-1] != {Label.SUPPLIED} or found - {Label.MIXED, Label.SAMPLED}:
        return None
    if leaves_loop(draft, items) or placing.names.lost(items, body.end, ()):
        return None
    answers = list(answers_of(draft, samples, items))
    prefill = prefill_of(draft, items[0].start, answers, Known(names(draft)[0])) if answers else None
    return None if prefill is None else Edit(items[0].start, items[-1].end, as_captured(draft, items, prefill))


def answers_of(draft: Draft, samples: Sequence[Sample], items: tuple[Item, ...]) -> Iterator[Answer]:
    """Yield what some items print in every assistant turn."""
    first, last = items[0].first, items[-1].last
    for sample in samples:
        writes = draft.tracer.render(sample.messages, sample.tools, **sample.options).writes
        for inside, group in groupby(writes, key=lambda write: first <= write.piece.segment <= last):
            run = list(group)
            start, end = run[0].start, run[-1].end
            index = bisect_right([end for _, end in sample.spans], start)
            if inside and end > start and index < len(sample.spans):
                low, high = sample.spans[index][0], sample.begins[index]
                yield Answer(sample, sample.text[start:end], max(low - start, 0), min(high, end) - start)


def as_captured(draft: Draft, items: tuple[Item, ...], prefill: str) -> str:
    """Write items within a capture, and what they print behind it."""
    start, end = extent_of(items)
    layout, (answer, supplied) = layout_at(draft.source, start, end), names(draft)
    return layout.lines(
        [
            (0, layout.block(f"set {answer}")),
            (0, draft.source[start:end]),
            (0, layout.block("endset")),
            (0, layout.block(f"set {supplied} = {prefill}")),
            (0, layout.output(supplied)),
            (0, layout.output(f"{answer}[{supplied} | length:]")),
        ]
    )


def names(draft: Draft) -> tuple[str, str]:
    """Return names for the answer and for what the prompt supplies of it that the template does not use."""
    taken = set(re.findall(r"\w+", draft.source))
    answer, supplied = (next(name for name in choice if name not in taken) for choice in NAMES)
    return answer, supplied


def cut_output(draft: Draft, samples: Sequence[Sample], piece: Piece) -> Edit | None:
    """Return the edit that cuts one output, or None."""
    segment = draft.segments[piece.segment]
    operands = operands_of(draft, piece)
    if segment.kind is not Kind.EXPRESSION or ELSEWHERE in draft.readings[piece.number].ways:
        return None
    prints = list(prints_of(draft, samples, piece, operands))
    place = min((one.first for one in prints), default=(len(operands), 0))
    if place[0] == len(operands):
        return None
    if constant(operands[place[0]].node) is None:
        place = place[0], 0
    if all(constant(operand.node) is not None for operand in operands[place[0] :]):
        return None
    parts = halves(draft, operands, place)
    known = Known(names(draft)[0], certain_start(operands, place))
    prefill = prefill_of(draft, segment.start, [one.behind(place) for one in prints], known)
    if parts is None or prefill is None:
        return None
    return Edit(segment.start, segment.end, as_cut(draft, piece, *parts, prefill))


def prints_of(draft: Draft, samples: Sequence[Sample], piece: Piece, operands: Sequence[Piece]) -> Iterator[Print]:
    """Yield every print of an output in which sampled text begins, or that comes before it."""
    numbers = {operand.number for operand in operands}
    for sample in samples:
        ends = [end for _, end in sample.spans]
        for write in draft.tracer.render(sample.messages, sample.tools, **sample.options).writes:
            if write.piece is not piece or write.role != "assistant":
                continue
            inner = tuple(part for part in with_operands(write) if part.piece.number in numbers)
            index = bisect_right(ends, write.start)
            if len(inner) == len(operands) and index < len(ends):
                yield Print(sample, inner, sample.spans[index][0], sample.begins[index])


def halves(
    draft: Draft, operands: Sequence[Piece], place: tuple[int, int]
) -> tuple[list[Fragment], list[Fragment]] | None:
    """Divide operands at a place; a constant may be cut there, another operand not."""
    texts = [
        Fragment(
            draft.source[one.extent.outer_start : one.extent.outer_end],
            None,
            one.extent.outer_start,
            one.extent.outer_end,
        )
        for one in operands
    ]
    index, offset = place
    if offset == 0:
        return texts[:index], texts[index:]
    cut = cut_literal(texts[index].text, offset) if constant(operands[index].node) is not None else None
    if cut is None:
        return None
    left, right = (Fragment(text, None, texts[index].start, texts[index].end, False) for text in cut)
    return [*texts[:index], left], [right, *texts[index + 1 :]]


def certain_start(operands: Sequence[Piece], place: tuple[int, int]) -> str:
    """Return what the text from a place on always begins with."""
    values = [constant(operand.node) for operand in operands[place[0] :]]
    known = [value for value in takewhile(lambda value: value is not None, values) if value is not None]
    return "".join(known)[place[1] :]


def as_cut(draft: Draft, piece: Piece, supplied: list[Fragment], sampled: list[Fragment], prefill: str) -> str:
    """Write an output as the two parts of which the second is sampled."""
    segment, source = draft.segments[piece.segment], draft.source
    layout, (answer, name) = layout_at(source, segment.start, segment.end), names(draft)
    header = f"{written(source, supplied, ' + ')} + {name}" if supplied else name
    return layout.lines(
        [
            (0, layout.block(f"set {answer} = {written(source, sampled, ' + ')}")),
            (0, layout.block(f"set {name} = {prefill}")),
            (0, layout.output(header)),
            (0, layout.output(f"{answer}[{name} | length:]")),
        ]
    )
