"""What a template prints around turns, measured by telling it short conversations."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from jinja2 import nodes

from trainplate.auditing.audit import Facts
from trainplate.checks.stop_trained import plain_end
from trainplate.conversations import Support, given_arguments, named, spoken, text_of, words
from trainplate.errors import Declined
from trainplate.patching.bench import Bench
from trainplate.rendering import CompiledTemplate
from trainplate.rendering.common_start import common_start
from trainplate.syntax import Tree

TOKEN_BEGUN = re.compile(r"<[^<>\s]*$")
TOKEN = re.compile(r"<[^<>\s]+>|\[/?[A-Za-z_]+\]")
LAST_TOKEN = re.compile(r"(<[^<>\s]+>|\[/?[A-Z_]+\])$")
OPEN_TAG = re.compile(r"<([a-zA-Z_]+)>\s*$")
ROLE = re.compile(r"[^\W\d_]+(?=<[^<>\s]+>|\n)")
"""A word in a line of its own, or with a token behind it."""
PROSE = re.compile(r"[^\W\d_]{2,}[^\n]*[^\S\n][^\W\d_]{2,}")
"""Two words of two letters in a line: what is said, rather than a role or a token."""
CLOCKS = frozenset({"strftime_now"})
SEPARATE = "<bos of the tokenizer>"


def facts_of(bench: Bench, tree: Tree, original: CompiledTemplate, training: CompiledTemplate | None = None) -> Facts:
    """Measure what a template prints around turns; what cannot be measured stays empty."""
    if not bench.support.speaks:
        return Facts(clock=reads_clock(tree))
    voice = Voice(original, bench.support)
    opener, prefill = opener_and_prefill(voice)
    return Facts(
        stop_tokens=tuple(dict.fromkeys(stops(Voice(training or original, bench.support), training is not None))),
        turn_opener=opener,
        prefill=prefill,
        bos=bos(voice, bench),
        clock=reads_clock(tree),
        default_system_prompt=implicit_system_prompt(voice, bench.special_tokens),
    )


@dataclass(frozen=True)
class Voice:
    """A template that is told named conversations in its own form."""

    template: CompiledTemplate
    support: Support

    def say(self, name: str, end: int | None = None, *, prompt: bool = False, **options: Any) -> str:
        """Return what the first messages of a conversation are printed as; nothing where it is declined."""
        conversation = self.support.form.of(named(name))
        try:
            return self.template.render(
                conversation.messages[:end], conversation.tools, add_generation_prompt=prompt, **options
            )
        except Declined:
            return ""


def reads_clock(tree: Tree) -> bool:
    """Say whether the template asks what time it is."""
    return any(True for _ in clock_calls(tree))


def clock_calls(tree: Tree) -> Iterator[nodes.Call]:
    """Yield each call that asks what time it is."""
    for node in tree.walk():
        if isinstance(node, nodes.Call) and isinstance(node.node, nodes.Name) and node.node.name in CLOCKS:
            yield node


def opener_and_prefill(voice: Voice) -> tuple[str, str]:
    """Part the generation prompt into what opens every turn, and what goes beyond by default."""
    asked, prompt = voice.say("one-turn", 1), voice.say("one-turn", 1, prompt=True)
    kept = asked if prompt.startswith(asked) else TOKEN_BEGUN.sub("", prompt[: common_start(asked, prompt)])
    added = prompt[len(kept) :]
    if not added:
        return opener_without_prompt(voice, asked), ""
    shared = len(added)
    for other in (*prompts_under_options(voice, asked), *turns_in_history(voice)):
        shared = min(shared, common_start(added, other))
    opener = without_open_tag(TOKEN_BEGUN.sub("", added[:shared]) if shared < len(added) else added, voice)
    return opener, added[len(opener) :]


def opener_without_prompt(voice: Voice, asked: str) -> str:
    """Return what announces an answer where there is no generation prompt.

    That is what a turn itself prints in front of its words; where it prints nothing, what the question ends with.
    """
    said = [text_of(message["content"]) for message in named("one-turn").messages]
    text = voice.say("one-turn")
    own = text[len(asked) : text.find(said[1])] if text.startswith(asked) and said[1] in text else ""
    return own.rstrip(" ") or asked.rpartition(said[0])[2]


def without_open_tag(opener: str, voice: Voice) -> str:
    """Take a tag off the end that turns close: a think block that every prompt opens is no part of the header."""
    found = OPEN_TAG.search(opener)
    if found and any(f"</{found.group(1)}>" in turn for turn in turns_in_history(voice)):
        return opener[: found.start()]
    return opener


def prompts_under_options(voice: Voice, asked: str) -> Iterator[str]:
    """Yield what the generation prompt adds under each option that changes it."""
    for name, values in voice.support.knobs.items():
        for value in values:
            before = voice.say("one-turn", 1, **{name: value})
            prompt = voice.say("one-turn", 1, prompt=True, **{name: value})
            if before == asked and prompt.startswith(asked) and prompt != asked:
                yield prompt[len(asked) :]


def turns_in_history(voice: Voice) -> Iterator[str]:
    """Yield finished turns from the end of the question on: as the last, and with a question behind."""
    asked = voice.say("one-turn", 1)
    for name in ("one-turn", "then-user", "reasoning-two-turns"):
        text = voice.say(name)
        if text.startswith(asked) and text != asked:
            yield text[len(asked) :]


def stops(voice: Voice, proven: bool) -> Iterator[str]:
    """Yield what ends a plain turn, then what ends a turn of tool calls, the latter only if that is proven."""
    if stop := plain_stop(voice):
        yield stop
    text = voice.say("call").rstrip()
    called = [w for arguments in given_arguments(named("call").messages) for w in words(arguments)]
    found = LAST_TOKEN.search(text)
    if proven and found and all(word in text for word in called):
        yield found.group()


def plain_stop(voice: Voice) -> str:
    """Return the token behind a plain answer that stays when a question follows, else all that stands behind it."""
    answer = voice.support.form.of(named("then-user")).messages[1]
    alone, whole = voice.say("then-user", 2), voice.say("then-user")
    last = plain_end(answer, alone) or ""
    start = len(alone) - len(last)
    kept = TOKEN_BEGUN.sub("", last[: max(0, common_start(alone, whole) - start)]).strip()
    for behind in (kept, last.strip()):
        if found := LAST_TOKEN.search(behind):
            return found.group()
    return kept or last.strip()


def bos(voice: Voice, bench: Bench) -> str:
    """Return the BOS with which every text begins; its name, where the tokenizer's own is not known."""
    token, text = bench.special_tokens.get("bos_token", ""), voice.say("one-turn")
    if token:
        return token if text.startswith(token) else ""
    told = {**bench.special_tokens, "bos_token": SEPARATE}
    separate = Voice(
        CompiledTemplate(voice.template.compiled, told, voice.template.limits, voice.template.name), voice.support
    )
    return "bos_token" if separate.say("one-turn").startswith(SEPARATE) else ""


def implicit_system_prompt(voice: Voice, special_tokens: Mapping[str, str]) -> str:
    """Return the words that stand in front of the first question though nobody said them."""
    lead = leading_text(voice)
    return bare(lead, special_tokens.values()) if PROSE.search(TOKEN.sub("\n", lead)) else ""


def leading_text(voice: Voice) -> str:
    """Return what stands in front of the first question and its header."""
    conversation, text = named("two-turns"), voice.say("two-turns")
    first, second = (spoken(message) for message in conversation.messages if message["role"] == "user")
    answer = text_of(conversation.messages[1]["content"])
    answered = text.find(answer) + len(answer)
    if first not in text or answer not in text or second not in text[answered:]:
        return ""
    lead, between = text[: text.find(first)], text[answered : text.rfind(second)]
    return lead[: len(lead) - common_start(lead[::-1], between[::-1])]


def bare(lead: str, tokens: Iterable[str]) -> str:
    """Return a text without the tokens and roles at its edges."""
    for token in (token for token in tokens if token):
        lead = lead.replace(token, "")
    lead = lead.strip()
    while found := TOKEN.match(lead) or ROLE.match(lead):
        lead = lead[found.end() :].strip()
    while found := LAST_TOKEN.search(lead):
        lead = lead[: found.start()].strip()
    return lead
