"""The way in: a response template learnt from what a chat template prints, proven by reading it back."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from trainplate.conversations import Conversation, Message, Say, Support, learn_support, option_sets
from trainplate.errors import Declined, LimitExceeded, Refusal
from trainplate.patching import patch
from trainplate.patching.bench import CLOCK
from trainplate.patching.patch import as_template
from trainplate.rendering import compile_template
from trainplate.responses.calls import readings
from trainplate.responses.delimiters import Delimiters, learn_delimiters, opened_block
from trainplate.responses.patterns import ending, leading_token
from trainplate.responses.probes import CONTENT, CONTEXTS, FIRST, REASONING, RESULT, USER_TURN, inline_probes
from trainplate.responses.proof import CHECK, NoParser, failures
from trainplate.responses.sayings import Saying, sayings
from trainplate.template import Template
from trainplate.verdict import Finding

HIDDEN = "reasoning-kept"


@dataclass(frozen=True)
class ResponseTemplate:
    """What was derived: a response template of transformers, or None with findings that say why."""

    template: dict[str, Any] | None
    findings: tuple[Finding, ...] = ()
    """Why there is none; or, beside a proven one, what its template prints in a way that cannot be told apart."""
    proven_by: int = 0
    """How many renderings were parsed back."""


def response_template(template: Any, special_tokens: Mapping[str, str] | None = None) -> dict[str, Any] | None:
    """Return a `response_template` of transformers that reads a model's answers back into messages, or None.

    It is proven: every kind of message was rendered and parsed back. `derive_response_template` says why there is none.
    """
    return derive_response_template(template, special_tokens).template


def derive_response_template(template: Any, special_tokens: Mapping[str, str] | None = None) -> ResponseTemplate:
    """Derive a response template and say what was found; takes what `patch` takes, and raises what it raises.

    Where the template itself does not print what it asks the model for, its training template is asked.
    """
    original = as_template(template, special_tokens)
    found = derived(original)
    if found.template is not None or found.findings[0].check != HIDDEN:
        return found
    trained = training_template_of(original)
    return found if trained is None else derived(trained, original.source)


def training_template_of(original: Template) -> Template | None:
    """Return the training template; None where there is none to be proven."""
    try:
        return replace(original, source=patch(original).training_template)
    except (Refusal, LimitExceeded):
        return None


def derived(template: Template, tags: str = "") -> ResponseTemplate:
    """Derive a response template from what one template prints, and prove it.

    `tags` is the source in which the tags of reasoning stand: a training template no longer cuts at them.
    """
    say = voice_of(template)
    support = learn_support(say, template.source)
    if not support.speaks:
        return unproven("the template prints no plain conversation of a question and an answer", "one-turn")
    said = {context: tuple(sayings(say, support, {}, context)) for context in CONTEXTS}
    if not any(one.probe.name == "content" for one in said[FIRST]):
        return unproven("the template declines to ask for an answer to a question", "one-turn")
    told = [one for context in CONTEXTS for one in said[context]]
    for options in option_sets(support)[1:]:
        told += sayings(say, support, options, FIRST)
    behind = [one for context in CONTEXTS for one in said[context][:1]]
    delimiters = learn_delimiters(said[FIRST], behind, followings(say, support, said[FIRST]))
    if not delimiters.anchors:
        return unproven("no token announces a turn", "one-turn")
    if delimiters.reasoning is None and (block := opened_block(told, delimiters, tags or template.source)):
        inline = list(sayings(say, support, {}, FIRST, inline_probes(*block)))
        if not all(REASONING in one.turn for one in inline[:1]):
            message = f"prompts open a block with {block[0]}, but the template drops what the model writes into it"
            return ResponseTemplate(None, (Finding(HIDDEN, message, "inline-reasoning"),))
        told += inline
        delimiters = replace(delimiters, reasoning=block)
    try:
        return proven(candidates(said[FIRST], delimiters, support), told, delimiters)
    except NoParser as missing:
        return unproven(str(missing), "none was parsed")


def voice_of(original: Template) -> Say:
    """Return the function that renders a template, None where it declines."""
    compiled = compile_template(original.source, special_tokens=original.special_tokens, clock=CLOCK)

    def say(messages: Sequence[Message], tools: Any, add_generation_prompt: bool, **options: Any) -> str | None:
        try:
            return compiled.render(messages, tools, add_generation_prompt=add_generation_prompt, **options)
        except Declined:
            return None

    return say


def followings(say: Say, support: Support, said: Sequence[Saying]) -> dict[str, str]:
    """Return what is printed right behind an answer and behind a call, where the turn itself ends with no token."""
    found: dict[str, str] = {}
    for name, follower in (("content", USER_TURN), ("call", RESULT)):
        saying = next((one for one in said if one.probe.name == name), None)
        if saying is None or (name == "content" and saying.turn.rpartition(CONTENT)[2].strip()):
            continue
        longer = Conversation(name, (USER_TURN, saying.probe.message, follower), saying.tools)
        text = say(support.form.of(longer).messages, saying.tools, False)
        bare = saying.text.rstrip()
        if text is not None and text.startswith(bare):
            found[name] = leading_token(text[len(bare) :])
    return found


def candidates(said: Sequence[Saying], delimiters: Delimiters, support: Support) -> Iterator[dict[str, Any]]:
    """Yield the response templates to try: one for each reading of calls, or one without calls."""
    calls = list(readings(said, delimiters)) if support.prints("calls") else [None]
    for field in calls:
        yield template_of(delimiters, support.form.reasoning_key, field)


def template_of(delimiters: Delimiters, reasoning_key: str, calls: dict[str, Any] | None) -> dict[str, Any]:
    """Write a response template in transformers' form."""
    fields: dict[str, Any] = {}
    if delimiters.announces_itself:
        # The parser has no field for what is to be passed over: a constant role is what an opener says.
        fields["role"] = {"open": delimiters.opener, "close_pattern": "", "transform": "assistant"}
    if delimiters.reasoning is not None:
        opened, closed = delimiters.reasoning
        fields[reasoning_key] = {"open": opened, "close_pattern": ending(closed), "content": "text"}
    if calls is not None:
        fields["tool_calls"] = calls
    content: dict[str, Any] = {"content": "text"}
    if delimiters.content:
        content["open"] = delimiters.content
    if delimiters.tails:
        content["close_pattern"] = "|".join(map(ending, delimiters.tails))
    anchor = delimiters.anchors[0] if len(delimiters.anchors) == 1 else list(delimiters.anchors)
    return {"defaults": {"role": "assistant"}, "start_anchor": anchor, "fields": {**fields, "content": content}}


def proven(tried: Iterator[dict[str, Any]], told: Sequence[Saying], delimiters: Delimiters) -> ResponseTemplate:
    """Return the first that gives every usual message back; where none does, what the best of them gets wrong."""
    best: list[Finding] | None = None
    for template in tried:
        usual = list(failures(template, [one for one in told if one.probe.usual], delimiters))
        if not usual:
            odd = failures(template, [one for one in told if not one.probe.usual], delimiters)
            return ResponseTemplate(template, tuple(first_of_each(odd)), len(told))
        if best is None or len(usual) < len(best):
            best = usual
    if best is None:
        return unproven("no way was found to read the tool calls that the template prints", "call")
    return ResponseTemplate(None, tuple(first_of_each(best)))


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
