"""An original on the bench: compiled, with what it supports and everything it says."""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache
from typing import Any

from jinja2 import nodes

from trainplate.checks import Heard, Trial, hear, heard_already, try_on
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
from trainplate.rendering import CompiledTemplate, Handling, compile_template

CLOCK = datetime(2024, 7, 26, 12, 0)
"""Templates may print the date; what is compared must not change at midnight."""
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
GLANCED = {"two-turns", "user-twice", "reasoning-two-turns", "tool-cycle-then-user", "reasoned-tool-cycles"}
"""What is told under any other option."""
UNMOVED = GLANCED | {"one-turn", "reasoning", "inline-reasoning", "inline-reasoning-tool-cycle"}
"""What is told under a switch that changes nothing."""
MISSING = "missing-content"
NONE_TEST = re.compile(r"\bnone\b", re.IGNORECASE)
SWITCH = re.compile("think|reason")
SWITCHES = ("enable_thinking", "thinking")
"""Options that say whether to reason; those that say what becomes of reasoning are known by their names alone."""
DRAWN = 8
"""How many random conversations a proof adds to the named ones."""


@dataclass(frozen=True)
class Bench:
    """An original, ready to be compared with candidates."""

    source: str
    special_tokens: Mapping[str, str]
    support: Support
    heard: tuple[Heard, ...]
    glanced: tuple[Heard, ...]
    """Told under options that have nothing to do with reasoning: what fails there is stated, not refused."""
    drawn: tuple[Heard, ...]
    """Random conversations, which no fix has seen."""
    left_out: tuple[tuple[str, str], ...]
    declined: str
    """What the template says to a plain conversation, where it speaks none."""
    known: dict[str, CompiledTemplate] = field(default_factory=dict, repr=False)
    """The candidates that were compiled, by their sources."""

    @property
    def taken(self) -> tuple[Heard, ...]:
        """The conversations that the original takes itself, if perhaps with arguments in another form."""
        return tuple(one for one in self.heard if not is_favour(one))

    def without_favours(self, trials: Iterable[Trial] = ()) -> "Bench":
        """Return the bench without the conversations that the original was told in another form, but for those given.

        Such a conversation is a favour: a training template that takes it is better, one that does not is right too.
        """
        kept = {trial.conversation.label for trial in trials if trial.training is not None}
        dropped = {one.conversation.label for one in self.heard if is_favour(one)} - kept
        if not dropped:
            return self
        heard = tuple(one for one in self.heard if one.conversation.label not in dropped)
        return replace(self, heard=heard, left_out=(*self.left_out, *((name, MISSING) for name in sorted(dropped))))

    @property
    def eos(self) -> str:
        """The tokenizer's EOS, or an empty text."""
        return self.special_tokens.get("eos_token", "")

    @property
    def studied(self) -> list[Conversation]:
        """The conversations that fixes look at to find their edits."""
        return [one.conversation for one in self.heard if one.conversation.name in SWITCHED | VARIED]

    def compiled(self, source: str) -> CompiledTemplate:
        """Compile a candidate as the original was, once however often it is tried.

        One that equals the original is the original, unless that was told null where a candidate is told nothing.
        """
        if source == self.source and self.heard and self.support.form.silence == "empty":
            return self.heard[0].original
        if source not in self.known:
            self.known[source] = compile_template(source, special_tokens=self.special_tokens, clock=CLOCK)
        return self.known[source]

    def heard_from(self, source: str, trials: Iterable[Trial]) -> tuple[Heard, ...]:
        """Return what an edited original said when it was tried, as if it were the original."""
        told = [(trial.conversation, trial.training) for trial in trials]
        return heard_already(self.compiled(source), [(one, said) for one, said in told if said is not None])

    def trials(self, source: str, heard: Sequence[Heard]) -> Iterator[Trial]:
        """Tell a candidate conversations that the original was told."""
        return try_on(heard, self.compiled(source), eos=self.eos, marked="endgeneration" in source)


def lay(source: str, special_tokens: Mapping[str, str], *, null: bool = True) -> Bench:
    """Compile an original and hear what it says to every conversation it can be told.

    `null` is whether one that drops calls beside empty contents may be told calls with null, as older releases do.
    """
    knobs: dict[str, tuple[Any, ...]] = {}
    read: set[str] = set()

    def look(tree: nodes.Template) -> None:
        knobs.update(read_knobs(source, tree))
        read.update(names_read(tree))

    template = compile_template(source, special_tokens=special_tokens, clock=CLOCK, look=look)
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
    return Bench(
        source=source,
        special_tokens=special_tokens,
        support=support,
        heard=hear(template, [*share.pairs(under_switches), *share.pairs(favours)]),
        glanced=hear(template, [*share.pairs(pair for options in others for pair in under(told, options, GLANCED))]),
        drawn=hear(template, [*share.pairs(under(drawn, {}, set()))]),
        left_out=tuple(pair for pair in chosen.left_out if pair[0] not in {told.name for told, _ in favours}),
        declined=last_words,
    )


def modest(bench: Bench) -> Bench:
    """Return a bench on which nothing is told that the original does not take, the same one if that holds of it."""
    if bench.support.form.silence == "null":
        return lay(bench.source, bench.special_tokens, null=False).without_favours()
    return bench.without_favours()


def favours_for(support: Support) -> tuple[tuple[Conversation, Conversation], ...]:
    """Return calls without content, and the same with empty ones, for an original that takes those alone."""
    if support.answers.get(MISSING) is not Answer.DECLINED or not support.prints("calls"):
        return ()
    wanted = [one for one in suite() if MISSING in one.needs]
    told = [one for one in wanted if not any(support.refuses(need) for need in one.needs - {MISSING})]
    return tuple((as_objects(support.form.of(one)), support.form.of(silence_as_empty(one))) for one in told)


def is_favour(heard: Heard) -> bool:
    """Say whether the original was told contents that a training template is not."""
    pairs = zip(heard.conversation.messages, heard.heard.messages, strict=True)
    return any("content" in theirs and "content" not in ours for ours, theirs in pairs)


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
