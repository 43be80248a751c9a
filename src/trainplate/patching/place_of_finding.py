"""Where in a training template a finding stands: the piece of source that wrote the text in question."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from jinja2 import nodes

from trainplate.checks.contract import Heard
from trainplate.conversations import Conversation
from trainplate.errors import Declined, TrainplateError
from trainplate.patching.bench import Bench
from trainplate.patching.script import CLOCK
from trainplate.rendering.common_start import common_start
from trainplate.rendering.trace import Traced, Tracer, Write, trace
from trainplate.syntax import line_of
from trainplate.verdict import Finding

CUT = re.compile(r"\[:(\d+)\]$")
Place = tuple[int, int]
"""Line and column, both from 1."""


def places_of(findings: Sequence[Finding], bench: Bench, source: str) -> Iterator[Place | None]:
    """Yield the place of each finding on a template, None where nothing tells it."""
    try:
        tracer = trace(source, bench.special_tokens, CLOCK)
    except TrainplateError:
        yield from (None for _ in findings)
        return
    for finding in findings:
        try:
            yield place_of(finding, bench, tracer)
        except TrainplateError:
            yield None


def place_of(finding: Finding, bench: Bench, tracer: Tracer) -> Place | None:
    """Return the line and column of what wrote the text where the finding's two texts part."""
    conversation = witness(finding.witness, (*bench.heard, *bench.drawn, *bench.glanced))
    if conversation is None:
        return None
    for prompt in (False, True):
        try:
            traced = rendered(tracer, conversation, prompt)
        except Declined as declined:
            if declined.line is not None:
                return declined.line, 1
            continue
        offset = offset_in(traced.text, finding)
        if offset is not None:
            return written_at(traced, offset, tracer)
    return None


def witness(label: str, told: Sequence[Heard]) -> Conversation | None:
    """Return the conversation that a finding names, cut where it says so."""
    cut = CUT.search(label)
    name = label[: cut.start()] if cut else label
    found = next((one.conversation for one in told if one.conversation.label == name), None)
    if found is None or cut is None:
        return found
    return replace(found, messages=found.messages[: int(cut[1])])


def rendered(tracer: Tracer, conversation: Conversation, prompt: bool) -> Traced:
    """Render a witness, and say who wrote what."""
    tools = list(conversation.tools) if conversation.tools else None
    return tracer.render(conversation.messages, tools, add_generation_prompt=prompt, **conversation.options)


def offset_in(text: str, finding: Finding) -> int | None:
    """Return where in a rendered text the two texts of a finding part; the end of it where one of them is empty."""
    for shown in (finding.after, finding.before):
        at = text.find(shown) if shown else -1
        if at >= 0:
            parted = common_start(finding.before, finding.after) if finding.after else len(shown)
            return min(at + parted, len(text) - 1)
    return None


def written_at(traced: Traced, offset: int, tracer: Tracer) -> Place | None:
    """Return the place of the smallest piece that wrote a character."""
    leaves = (leaf for write in traced.writes for leaf in write.leaves())
    found = next((leaf for leaf in leaves if leaf.start <= offset < leaf.end), None)
    return None if found is None else line_of(tracer.tree.source, start_of(found, offset, tracer))


def start_of(write: Write, offset: int, tracer: Tracer) -> int:
    """Return where a piece stands in the source; of a text the very character, as far as it is printed as written."""
    start = write.piece.extent.start
    if isinstance(write.piece.node, nodes.TemplateData):
        printed = write.piece.node.data
        inside = tracer.tree.source.find(printed, start, write.piece.extent.end)
        return max(inside, start) + (offset - write.start if inside >= 0 else 0)
    return start
