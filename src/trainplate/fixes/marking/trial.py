"""Renders a marked source as the samples were rendered, and says what is wrong with it."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from trainplate.errors import TrainplateError
from trainplate.fixes.marking.sample import Sample
from trainplate.rendering import CompiledTemplate, compile_template
from trainplate.rendering.marks import PAIRS, Sentinels

Span = tuple[int, int]
NOTHING = "markers enclose nothing in some turn"


def fault_in(
    source: str, samples: Sequence[Sample], special_tokens: Mapping[str, str], clock: datetime | None
) -> str | None:
    """Return what is wrong with the markers of a source, or None if they are right in every sample."""
    try:
        template = compile_template(source, special_tokens=special_tokens, clock=clock)
    except TrainplateError as error:
        return f"the marked template is none: {error}"
    return next(filter(None, (fault_of(template, sample) for sample in samples)), None)


def fault_of(template: CompiledTemplate, sample: Sample) -> str | None:
    """Return what is wrong in one sample."""
    context = template.context(sample.messages, sample.tools, False, sample.options)
    context.marks = sentinels = Sentinels(*PAIRS[-1])
    try:
        printed = template.run(context)
    except TrainplateError as error:
        return f"a marked conversation is declined: {error}"
    if sentinels.caught:
        return "markers stand where a macro or capture collects them"
    text, spans = unmarked(printed, *PAIRS[-1])
    if text != sample.text:
        return f"the text changes near {text[difference(text, sample.text) :][:40]!r}"
    return fault_of_spans(text, spans, sample)


def unmarked(printed: str, opening: str, closing: str) -> tuple[str, list[Span]]:
    """Take the marks out of a text; empty spans are kept."""
    parts: list[str] = []
    spans: list[Span] = []
    position = 0
    for index, piece in enumerate(printed.split(opening)):
        inside, mark, behind = piece.partition(closing)
        if index and mark:
            spans.append((position, position + len(inside)))
        parts += inside, behind
        position += len(inside) + len(behind)
    return "".join(parts), spans


def fault_of_spans(text: str, spans: Sequence[Span], sample: Sample) -> str | None:
    """Return how spans differ from those wanted, apart from what may be trained or not."""
    trained, required, free = bytearray(len(text)), bytearray(len(text)), bytearray(len(text))
    for start, end in spans:
        trained[start:end] = b"\1" * (end - start)
    for (start, end), begin in zip(sample.reaches, sample.begins, strict=True):
        seen = start + len(text[start:end].rstrip())
        required[begin:seen] = b"\1" * max(seen - begin, 0)
        free[start:begin] = b"\1" * (begin - start)
        free[seen:end] = b"\1" * (end - seen)
    for place, (is_trained, is_required, is_free) in enumerate(zip(trained, required, free, strict=True)):
        if is_trained != is_required and not is_free:
            return f"{text[place : place + 40]!r} is {'not ' if is_required else ''}trained"
    for start, end in spans:
        if start == end and not any(trained[max(start - 1, 0) : start + 1]):
            return NOTHING
    return None


def difference(one: str, other: str) -> int:
    """Return where two texts part."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))
