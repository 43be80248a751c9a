"""The way in: a response template learnt from what a chat template prints, proven by reading it back."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from trainplate.errors import LimitExceeded, Refusal
from trainplate.patching.patch import as_template, patch
from trainplate.responses.calls import readings
from trainplate.responses.delimiters import Delimiters
from trainplate.responses.lessons import Lesson, Silent, learn
from trainplate.responses.patterns import endings, first_token, soft
from trainplate.responses.proof import CHECK, NoParser, failures
from trainplate.responses.samples import Reading
from trainplate.template import Template
from trainplate.verdict import Finding


@dataclass(frozen=True)
class ResponseTemplate:
    """What was derived: a response template of transformers, or None with findings that say why."""

    template: dict[str, Any] | None
    findings: tuple[Finding, ...] = ()
    """Why there is none; or, beside a proven one, which odd messages do not come back from what is printed."""
    proven_by: int = 0
    """How many messages were rendered and read back."""


def response_template(template: Any, special_tokens: Mapping[str, str] | None = None) -> dict[str, Any] | None:
    """Return a `response_template` of transformers that reads a model's answers back into messages, or None.

    It is proven: each kind of message was rendered and read back. `derive_response_template` says why there is none.
    Takes what `patch` takes.
    """
    return derive_response_template(template, special_tokens).template


def derive_response_template(template: Any, special_tokens: Mapping[str, str] | None = None) -> ResponseTemplate:
    """Derive a response template and say what was found; takes what `patch` takes.

    Raises SyntaxFault where the text is no template, LoadingError where a tokenizer has none, or several under names.
    Where a template drops the reasoning that its own prompts ask for, its training template is asked in its place.
    """
    return with_known_tokens(derived(original := as_template(template, special_tokens)), original)


def with_known_tokens(found: ResponseTemplate, original: Template) -> ResponseTemplate:
    """Return what was found, unless it tells where answers end by a token that the source does not tell."""
    for name in sorted(original.stand_ins):
        if name in str(found.template):  # as its stand-in has it, however a pattern escapes that
            return unproven(f"answers end with {name}, which the source does not tell: pass special_tokens", "one-turn")
    return found


def derived(original: Template) -> ResponseTemplate:
    """Learn from a template how it prints answers, and find what reads them back."""
    try:
        lesson = learn(original)
        if lesson.dropped:
            trained = training_template_of(original)
            lesson = lesson if trained is None else learn(trained, original.source)
        if lesson.dropped:
            return unproven(f"prompts open {lesson.dropped}, and what the model writes into it is dropped", "reasoning")
        return proven(lesson)
    except (Silent, NoParser, LimitExceeded) as reason:
        return unproven(str(reason), "one-turn")


def training_template_of(original: Template) -> Template | None:
    """Return the training template; None where there is none to be proven."""
    try:
        return replace(original, source=patch(original).training_template)
    except Refusal:
        return None


def proven(lesson: Lesson) -> ResponseTemplate:
    """Return what gives every usual message back, and most odd ones; where nothing does, what the best gets wrong."""
    usual = [saying for saying in lesson.told if saying.is_usual]
    odd = [saying for saying in lesson.told if not saying.is_usual]
    refuted: list[tuple[Finding, ...]] = []
    found: list[ResponseTemplate] = []
    for template in candidates(lesson):
        if wrong := tuple(failures(template, usual, lesson.delimiters)):
            refuted.append(wrong)
            continue
        findings = tuple(first_of_each(failures(template, odd, lesson.delimiters)))
        found.append(ResponseTemplate(template, findings, len(lesson.told)))
        if not findings:
            break
    if found:
        return min(found, key=lambda one: len(one.findings))
    if not refuted:
        return unproven("no way was found to read the tool calls that the template prints", "call")
    fewest = min(refuted, key=len)
    return ResponseTemplate(None, tuple(first_of_each(fewest)))


def candidates(lesson: Lesson) -> Iterator[dict[str, Any]]:
    """Yield the response templates to try: one for each reading of calls, or one without calls."""
    printed = lesson.support.prints("calls")
    for calls in readings(lesson.first, lesson.delimiters) if printed else (None,):
        yield template_of(lesson, calls)


def template_of(lesson: Lesson, calls: Reading | None) -> dict[str, Any]:
    """Write a response template in transformers' form, with reasoning under the name that the template reads."""
    delimiters = lesson.delimiters
    fields: dict[str, Any] = {}
    if delimiters.announces_itself:
        # The parser has no field for what is to be passed over: a constant role is what an opener says.
        fields["role"] = {"open": delimiters.opener, "close_pattern": "", "transform": "assistant"}
    if delimiters.reasoning is not None:
        fields[lesson.support.form.reasoning_key] = reasoning_field(delimiters)
    if calls is not None:
        fields["tool_calls"] = calls.field
    tails = [*delimiters.tails, *([calls.leftover] if calls is not None and calls.leftover else [])]
    fields["content"] = {
        **({"open": delimiters.content} if delimiters.content else {}),
        **({"close_pattern": endings(tails)} if tails else {}),
        "content": "text",
    }
    anchor = delimiters.anchors[0] if len(delimiters.anchors) == 1 else list(delimiters.anchors)
    return {"defaults": {"role": "assistant"}, "start_anchor": anchor, "fields": fields}


def reasoning_field(delimiters: Delimiters) -> dict[str, Any]:
    """Return the field of reasoning; what follows its closing token is passed over where content is announced."""
    assert delimiters.reasoning is not None
    opened, closed = delimiters.reasoning
    closing = first_token(closed) if delimiters.content else closed
    return {"open": opened, "close_pattern": rf"{soft(closing)}\s*", "content": "text"}


def first_of_each(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield one finding for each kind of message: the others say the same behind other questions."""
    seen: set[str] = set()
    for finding in findings:
        kind = finding.witness.partition(" behind ")[0]
        if kind not in seen:
            seen.add(kind)
            yield finding


def unproven(message: str, witness: str) -> ResponseTemplate:
    """Return that there is none, and why."""
    return ResponseTemplate(None, (Finding(CHECK, message, witness),))
