"""Everything that is learnt from one template before a response template is written for it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from trainplate.conversations import Conversation, Message, Say, Support, learn_support, option_sets
from trainplate.errors import Declined
from trainplate.patching.script import CLOCK
from trainplate.rendering import compile_template
from trainplate.responses.delimiters import Delimiters, learn_delimiters, opened_block
from trainplate.responses.patterns import leading_token
from trainplate.responses.probes import CONTENT, CONTEXTS, FIRST, REASONING, RESULT, USER_TURN, inline_probes
from trainplate.responses.sayings import Saying, sayings
from trainplate.template import Template


@dataclass(frozen=True)
class Lesson:
    """What a template says to every probe, and how it delimits what it says."""

    support: Support
    first: tuple[Saying, ...]
    """What it says behind a first question, without options."""
    told: tuple[Saying, ...]
    """All it says: what a response template must read back."""
    delimiters: Delimiters
    dropped: str = ""
    """The tag with which prompts open a block for the model, where the template drops what is written into it."""


class Silent(Exception):
    """Raised where a template prints no answer that could be learnt from; says why."""


def learn(template: Template, tags: str = "") -> Lesson:
    """Say every probe to a template, and learn how it delimits a turn; raises Silent.

    `tags` is the source in which the tags of reasoning stand: a training template no longer cuts at them.
    """
    say = voice_of(template)
    support = learn_support(say, template.source)
    if not support.speaks:
        raise Silent("the template prints no plain conversation of a question and an answer")
    said = {context: tuple(sayings(say, support, {}, context)) for context in CONTEXTS}
    if not any(one.probe.name == "content" for one in said[FIRST]):
        raise Silent("the template declines to ask for an answer to a question")
    told = [one for context in CONTEXTS for one in said[context]]
    told += [one for options in option_sets(support)[1:] for one in sayings(say, support, options, FIRST)]
    delimiters = learn_delimiters(said[FIRST], told, followings(say, support, said[FIRST]))
    if not delimiters.anchors:
        raise Silent("no token announces a turn")
    lesson = Lesson(support, said[FIRST], tuple(told), delimiters)
    block = None if delimiters.reasoning else opened_block(told, delimiters, tags or template.source)
    return lesson if block is None else with_block(lesson, block, say)


def with_block(lesson: Lesson, block: tuple[str, str], say: Say) -> Lesson:
    """Add the block that prompts open and the model closes, with messages that carry it inside their content."""
    inline = tuple(sayings(say, lesson.support, {}, FIRST, inline_probes(*block)))
    if not inline or REASONING not in inline[0].turn:
        return replace(lesson, dropped=block[0])
    return replace(lesson, told=(*lesson.told, *inline), delimiters=replace(lesson.delimiters, reasoning=block))


def voice_of(template: Template) -> Say:
    """Return the function that renders a template, None where it declines."""
    compiled = compile_template(template.source, special_tokens=template.special_tokens, clock=CLOCK)

    def say(messages: Sequence[Message], tools: Any, add_generation_prompt: bool, **options: Any) -> str | None:
        try:
            return compiled.render(messages, tools, add_generation_prompt=add_generation_prompt, **options)
        except Declined:
            return None

    return say


def followings(say: Say, support: Support, said: Sequence[Saying]) -> tuple[str, ...]:
    """Return the tokens printed right behind an answer and behind a call, where the turn itself ends with none."""
    return tuple(dict.fromkeys(filter(None, following_tokens(say, support, said))))


def following_tokens(say: Say, support: Support, said: Sequence[Saying]) -> Iterator[str]:
    """Yield the token with which the next message begins, or nothing, for each kind of turn without an end."""
    by_name = {one.probe.name: one for one in said}
    tail = by_name["content"].turn.rpartition(CONTENT)[2].strip()
    for name, follower in (("content", USER_TURN), ("call", RESULT)):
        saying = by_name.get(name)
        if saying is None or (tail and (name == "content" or saying.text.rstrip().endswith(tail))):
            continue
        longer = Conversation(name, (USER_TURN, saying.probe.message, follower), saying.tools)
        text = say(support.form.of(longer).messages, saying.tools, False)
        bare = saying.text.rstrip()
        if text is not None and text.startswith(bare):
            yield leading_token(text[len(bare) :])
