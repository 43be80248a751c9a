"""Chooses what an original is told: what it takes, under the options that it reads."""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from jinja2 import nodes

from trainplate.checks.telling import voice
from trainplate.conversations import (
    Answer,
    Conversation,
    Message,
    Sharing,
    Support,
    applicable,
    learn_support,
    names_read,
    option_sets,
    random_conversations,
    read_knobs,
    silence_as_empty,
    suite,
    with_options,
)
from trainplate.errors import Declined
from trainplate.patching.script import CLOCK, GLANCED, Script
from trainplate.rendering import CompiledTemplate, Handling, compile_template

SWITCHED = {
    "call", "call-with-reasoning-and-content", "inline-reasoning", "inline-reasoning-tool-cycle",
    "inline-reasoning-two-turns", "one-turn", "reasoned-tool-cycles", "reasoning", "reasoning-lines",
    "reasoning-two-turns", "system", "then-user", "tool-cycle-then-user", "two-tool-cycles", "two-turns",
}  # fmt: skip
"""What is told under a switch of reasoning: every kind of turn, without the variations of content."""
VARIED = {
    "answers-in-a-row", "arguments-rich", "assistant-first", "call-missing-content", "call-with-content",
    "developer", "edges-empty-answer", "edges-lines", "edges-white-space-assistant", "five-turns",
    "inline-reasoning-first-turn-only", "reasoning-empty", "reasoning-some-turns", "system-five-turns",
    "three-calls-three-results", "tool-cycle-without-answer", "tools-system-no-call", "two-tool-questions",
    "user-twice",
}  # fmt: skip
"""What fixes look at beside the switched: enough to find an edit by; the whole suite then proves it."""
UNMOVED = GLANCED | {"one-turn", "reasoning", "inline-reasoning", "inline-reasoning-tool-cycle"}
"""What is told under a switch that changes nothing."""
MISSING = "missing-content"
NONE_TEST = re.compile(r"\bnone\b", re.IGNORECASE)
SWITCH = re.compile("think|reason")
SWITCHES = ("enable_thinking", "thinking")
"""Options that say whether to reason; those that say what becomes of reasoning are known by their names alone."""
DRAWN = 8
"""How many random conversations a proof adds to the named ones."""


def script_for(source: str, special_tokens: Mapping[str, str], *, null: bool = True) -> Script:
    """Compile an original, and choose what to tell it.

    `null` is whether one that drops calls beside empty contents may be told calls with null, as older releases do.
    """
    knobs: dict[str, tuple[Any, ...]] = {}
    read: set[str] = set()

    def look(tree: nodes.Template) -> None:
        knobs.update(read_knobs(source, tree))
        read.update(names_read(tree))

    template = compile_template(source, special_tokens=special_tokens, clock=CLOCK, look=look, repeats=True)
    last_words = ""

    def say(messages: Sequence[Message], tools: Any, add_generation_prompt: bool, **options: Any) -> str | None:
        nonlocal last_words
        try:
            return template.render(messages, tools, add_generation_prompt=add_generation_prompt, **options)
        except Declined as declined:
            last_words = str(declined)
            return None

    support = learn_support(say, source, knobs)
    if null and support.speaks and not support.prints("calls") and NONE_TEST.search(source):
        dropping, template = template, replace(template, handling=Handling(none_dropped=False))
        told_null = learn_support(say, source, knobs, silence="null")
        support, template = (told_null, template) if told_null.prints("calls") else (support, dropping)
    chosen = applicable(support)
    favours = favours_for(support) if null else ()
    share = Sharing()
    told = [share.of(one) for one in chosen.conversations if support.prints(*one.needs & {"parts", "images"})]

    @cache
    def usual_texts() -> list[str | None]:
        return glimpse(template, told, {})

    def names_for(options: Mapping[str, Any]) -> Collection[str]:
        # A candidate may read an option that leaves the original as it is, so a few are told even then.
        return SWITCHED if options and glimpse(template, told, options) != usual_texts() else UNMOVED

    drawn = random_conversations(support, 0, DRAWN) if support.speaks else ()
    switches, others = options_of(support, read)
    under_switches = (pair for options in switches for pair in under(told, options, names_for(options)))
    return Script(
        source=source,
        special_tokens=special_tokens,
        template=template,
        support=support,
        heard=(*share.pairs(under_switches), *share.pairs(favours)),
        glanced=tuple(share.pairs(pair for options in others for pair in under(told, options, GLANCED))),
        drawn=tuple(share.pairs(under(drawn, {}, set()))),
        left_out=tuple(pair for pair in chosen.left_out if pair[0] not in {told.name for told, _ in favours}),
        read=frozenset(read),
        declined=last_words,
    )


def favours_for(support: Support) -> tuple[tuple[Conversation, Conversation], ...]:
    """Return calls without content, and the same with empty ones, for an original that takes those alone."""
    if support.answers.get(MISSING) is not Answer.DECLINED or not support.prints("calls"):
        return ()
    wanted = [one for one in suite() if MISSING in one.needs]
    told = [one for one in wanted if not any(support.refuses(need) for need in one.needs - {MISSING})]
    return tuple((as_objects(support.form.of(one)), support.form.of(silence_as_empty(one))) for one in told)


def options_of(support: Support, read: Collection[str]) -> tuple[list[Mapping[str, Any]], list[Mapping[str, Any]]]:
    """Return the options to tell conversations under: those that switch reasoning, and all others.

    A switch that is read counts though it changed nothing at first; no option is the first of them.
    """
    sets = [dict(options) for options in option_sets(support)]
    for name in (name for name in SWITCHES if name in read):
        sets += [option for value in (True, False) if (option := {name: value}) not in sets]
    switches = [options for options in sets if all(map(SWITCH.search, options))]
    return list(switches), [options for options in sets if options not in switches]


def glimpse(template: CompiledTemplate, told: Sequence[Conversation], options: Mapping[str, Any]) -> list[str | None]:
    """Return texts and prompts of a few conversations; options that change none of them need not be told more."""
    probes = [with_options(one, **options) for one in told if one.name in GLANCED]
    asked = [(voice(template, one), one.messages) for one in probes]
    return [say(part) for say, all_of in asked for part in (all_of, all_of[:-1])] + [
        say(all_of[:-1], prompt=True) for say, all_of in asked
    ]


def under(
    told: Sequence[Conversation], options: Mapping[str, Any], names: Collection[str]
) -> Iterator[tuple[Conversation, Conversation]]:
    """Yield each conversation as a training template is told it and as the original is, under some options."""
    for conversation in told:
        if not options:
            yield as_objects(conversation), conversation
        elif conversation.name in names:
            heard = with_options(conversation, **options)
            yield as_objects(heard), heard


def as_objects(conversation: Conversation) -> Conversation:
    """Return the conversation with the arguments of its calls as dicts."""
    return replace(conversation, messages=tuple(map(_with_dicts, conversation.messages)))


def _with_dicts(message: Message) -> Message:
    if not message.get("tool_calls"):
        return message
    functions = [dict(call["function"]) for call in message["tool_calls"]]
    for function in functions:
        if isinstance(function["arguments"], str):
            function["arguments"] = json.loads(function["arguments"])
    calls = [{**call, "function": function} for call, function in zip(message["tool_calls"], functions, strict=True)]
    return {**message, "tool_calls": calls}
