"""Tells apart the occasions on which an output is sampled and those on which it is supplied, by a condition.

Gemma 4 prints the results of tools from within the message that calls them. What ends the call begins the first of its
results, and stands in front of every other one, where the model has no part in it. It is printed by itself:

{%- if loop.first -%}
    {{- '<|tool_response>' -}}
{%- else -%}
    {{- '<|tool_response>' -}}
{%- endif -%}
{{- tool_response(message)[16:] -}}
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from jinja2 import nodes

from trainplate.fixes.marking.draft import Draft
from trainplate.fixes.marking.flags import Told, asked_in, telling_tests
from trainplate.fixes.marking.fronts import Front, edits_for
from trainplate.fixes.marking.labels import BEHIND, EITHER, WHOLE, Edge, Edges, Label, Way, constant, with_operands
from trainplate.fixes.marking.literals import write_literal
from trainplate.fixes.marking.prefills import is_mixed, operands_of
from trainplate.fixes.marking.roles import loops_around
from trainplate.fixes.marking.sample import Sample
from trainplate.fixes.marking.splitting import balanced
from trainplate.rendering.trace import Piece, operands
from trainplate.syntax import Edit, Kind

POSTFIXED = (nodes.Name, nodes.Call, nodes.Getattr, nodes.Getitem)
"""Expressions that can be sliced without brackets around them."""
MOST_WAYS = 3


@dataclass(frozen=True, eq=False)
class Divided:
    """An output as two expressions, of which the first is sampled on some occasions and supplied on others."""

    piece: Piece
    front: str
    rest: str
    """What is printed behind it, always on one side; empty where that is nothing."""
    size: int
    """How many characters the first prints, where one expression prints more; else `WHOLE`."""
    samples: tuple[Sample, ...]
    sampled: Told
    """For each sample, and each print of the output in it, whether the first is sampled, if it prints anything."""

    @property
    def always(self) -> bool:
        """Whether it is sampled in every print."""
        return all(each is not False for prints in self.sampled for each in prints)


def split_occasions(draft: Draft, samples: Sequence[Sample]) -> Iterator[list[Edit]]:
    """Yield ways to divide every output that is mixed, each by other conditions."""
    found = [division_of(draft, samples, piece) for piece in draft.printed.values() if is_mixed(draft, piece)]
    divisions = [division for division in found if division is not None]
    if not divisions or len(divisions) < len(found):
        return
    asked, told = asked_in(draft), dict[Divided, list[str]]()
    for one in divisions:
        told[one] = telling_tests(asked, start_of(draft, one.piece), one.samples, one.sampled)
        if not told[one] and not one.always:
            return
    known: list[list[Edit]] = []
    for number in range(MOST_WAYS):
        chosen = [tests[min(number, len(tests) - 1)] for division, tests in told.items() if not division.always]
        fronts = []
        for one, tests in told.items():
            test = next((test for test in chosen if test in tests), None)
            fronts.append(Front(one.piece, one.front, one.rest, test))
            fronts += (Front(piece, one.front, rest, test, seen=False) for piece, rest in unseen_like(draft, one))
        edits = edits_for(draft, fronts)
        if edits not in known:
            known.append(edits)
            yield edits


def division_of(draft: Draft, samples: Sequence[Sample], piece: Piece) -> Divided | None:
    """Find how an output can be divided; None where sampled text begins within it, or ends in several places."""
    if draft.segments[piece.segment].kind is not Kind.EXPRESSION:
        return None
    parts = operands_of(draft, piece)
    front = list(takewhile(lambda part: is_mixed(draft, part), parts)) or parts[:1]
    readings = [draft.readings[part.number] for part in front]
    ways = [way for reading in readings for way in reading.ways if isinstance(way, Edge) and way.low < WHOLE]
    ends, behind = {way.end for way in ways}, parts[len(front) :]
    if len(ends) != 1 or any(way.low for way in ways) or any(is_mixed(draft, other) for other in behind):
        return None
    shown = [samples[number] for number in sorted(set().union(*readings[0].ways.values()))]
    prints = [list(prints_of(draft, sample, piece, front[0])) for sample in shown]
    texts = in_two(draft, front, behind, {text[: min(ends)] for printed in prints for text, _ in printed})
    if texts is None:
        return None
    sampled = (tuple(is_sampled(text, way) for text, way in printed) for printed in prints)
    return Divided(piece, *texts, min(ends), tuple(shown), tuple(sampled))


def prints_of(draft: Draft, sample: Sample, piece: Piece, first: Piece) -> Iterator[tuple[str, Way]]:
    """Yield what the first operand of an output prints each time that it is reached, and in which way."""
    edges = Edges(sample)
    for write in draft.tracer.render(sample.messages, sample.tools, **sample.options).writes:
        if write.piece is piece:
            part = next((part for part in with_operands(write) if part.piece is first), write)
            yield sample.text[part.start : part.end], edges.way(part)


def is_sampled(text: str, way: Way) -> bool | None:
    """Say whether a text is sampled that was printed in a way; None where there is no text, or it may be either."""
    if not text or way in (EITHER, BEHIND):
        return None
    return isinstance(way, Edge) and way.low == 0


def in_two(draft: Draft, front: Sequence[Piece], behind: Sequence[Piece], starts: set[str]) -> tuple[str, str] | None:
    """Write the first operands by themselves, or the text that one begins with where a turn ends; then the rest."""
    source = draft.source
    if all(draft.readings[part.number].ends == {WHOLE} for part in front):
        texts = [source[those[0].extent.outer_start : those[-1].extent.outer_end] for those in (front, behind) if those]
        return (texts[0], texts[1] if behind else "") if all(map(balanced, texts)) else None
    if behind or len(starts) != 1 or not may_open(draft, front[0], text := min(starts)):
        return None
    quote = '"' if source.count('"') > source.count("'") else "'"
    return write_literal(text, quote), sliced(draft, front[0], len(text))


def sliced(draft: Draft, piece: Piece, size: int) -> str:
    """Write what an output prints behind so many characters."""
    text = draft.source[piece.extent.start : piece.extent.end]
    return f"{text if isinstance(piece.node, POSTFIXED) else f'({text})'}[{size}:]"


def unseen_like(draft: Draft, division: Divided) -> Iterator[tuple[Piece, str]]:
    """Yield the outputs that no sample shows but that call the same macro, in loops that are nested alike."""
    called, loops = called_by(division.piece), loops_around(draft, start_of(draft, division.piece))
    for piece in draft.printed.values() if called and division.size < WHOLE else ():
        if called_by(piece) == called and draft.readings[piece.number].label is Label.UNSEEN:
            around = loops_around(draft, start_of(draft, piece))
            if len(around) == len(loops) and around[-1:] == loops[-1:]:
                yield piece, sliced(draft, piece, division.size)


def called_by(piece: Piece) -> str | None:
    """Return the name of what an output calls, or None for any other output."""
    node = piece.node
    return node.node.name if isinstance(node, nodes.Call) and isinstance(node.node, nodes.Name) else None


def start_of(draft: Draft, piece: Piece) -> int:
    """Return where the tag of an output begins."""
    return draft.segments[piece.segment].start


def may_open(draft: Draft, piece: Piece, text: str) -> bool:
    """Say whether an output may always begin with a text: where it calls a macro, that is what this prints first."""
    macros = draft.tracer.tree.root.find_all(nodes.Macro)
    called = [macro for macro in macros if macro.name == called_by(piece)]
    return all((constant(first_printed(macro)) or "").startswith(text) for macro in called)


def first_printed(macro: nodes.Macro) -> nodes.Node:
    """Return the first that a macro prints: a constant, or else what hides it."""
    first: nodes.Node = next((node for node in macro.body if not isinstance(node, nodes.Assign)), macro)
    first = first.nodes[0] if isinstance(first, nodes.Output) else first
    return next(iter(operands(first)), first)
