"""Think blocks in contents and in rendered texts."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from trainplate.conversations import Message, text_of
from trainplate.fixes.history.stages import Growth, Teller

BLOCK = re.compile(r"<think>(.*?)</think>(.*)", re.DOTALL)
CLOSER = "</think>"


class Block(NamedTuple):
    """A think block at the start of a content, and what is said behind it."""

    reasoning: str
    answer: str


def think_block(message: Message) -> Block | None:
    """Return the think block with which the content of an answer begins."""
    if message["role"] != "assistant":
        return None
    found = BLOCK.match(text_of(message.get("content")).lstrip())
    return Block(found[1].strip(), found[2].strip()) if found else None


def is_dropped(block: Block, theirs: str, ours: str) -> bool:
    """Say whether a text says the answer, but not the reasoning in front of it, or says that more than once."""
    answer = block.answer.split()[:1]
    return bool(block.reasoning and answer) and answer[0] in theirs and ours.count(block.reasoning) != 1


def thinks(growth: Growth) -> bool:
    """Say whether somebody in a conversation closes a think block; not only the assistant may."""
    return any(CLOSER in text_of(message.get("content")) for message in growth.conversation.messages)


def lost(original: Teller, candidate: Teller, growth: Growth) -> Iterator[str]:
    """Yield what is wrong with a candidate that shall say what the original says, and all reasoning with it."""
    for _, stage in growth.stages:
        theirs, ours = original.say(growth, stage), candidate.say(growth, stage)
        if theirs is None:
            continue
        if ours is None:
            yield f"declines {stage}"
            continue
        messages = growth.conversation.messages[: stage.length]
        blocks = [found for found in map(think_block, messages) if found]
        if not blocks and theirs.text != ours.text:
            yield "another text"
        if without(theirs.text, blocks) != without(ours.text, blocks):
            yield "more than reasoning differs"
        last = think_block(messages[-1])
        if last and is_dropped(last, theirs.text, ours.text):
            yield f"{last.reasoning!r} is not kept"
    yield from moved(original, candidate, growth)


def moved(original: Teller, candidate: Teller, growth: Growth) -> Iterator[str]:
    """Yield what is wrong with the first prompt, and with turns that began with their prompts."""
    for number, (ask, answer) in enumerate(growth.stages):
        theirs, ours = original.say(growth, ask), candidate.say(growth, ask)
        if theirs is None or ours is None:
            continue
        if number == 0 and theirs.text != ours.text:
            yield "another prompt"
        turn, new_turn = original.say(growth, answer), candidate.say(growth, answer)
        if turn and new_turn and turn.text.startswith(theirs.text) and not new_turn.text.startswith(ours.text):
            yield "another start of the turn"


def without(text: str, blocks: Sequence[Block]) -> str:
    """Return a text without these think blocks, and without white space: that around a block may go with it."""
    for block in blocks:
        text = re.sub(rf"<think>\s*{re.escape(block.reasoning)}\s*</think>", "", text)
    return "".join(text.split())
