"""Reasoning and content apart, also where the prompt has opened the think block, or opened and closed it."""

import re
from typing import NamedTuple

PAIRS = (
    ("<think>", "</think>"),
    ("[THINK]", "[/THINK]"),
    ("<thinking>", "</thinking>"),
    ("<reasoning>", "</reasoning>"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("<|channel>thought", "<channel|>"),
    ("<|channel|>analysis<|message|>", "<|end|>"),
    ("<seed:think>", "</seed:think>"),
)


class Split(NamedTuple):
    """What a model wrote, in two: None where it wrote no reasoning, or has not yet come to content."""

    reasoning: str | None
    content: str | None


def split_reasoning(prompt: str, completion: str) -> Split:
    """Return the reasoning and the content of a completion, without white space at their edges.

    The prompt decides what the completion begins with: where its last think block is open, the completion begins
    with reasoning; where that is closed, or there is none, it begins with content unless it opens a block itself.
    A block that never closes is all reasoning. Only a block that stands right at the end of the prompt belongs to
    the turn: those of earlier turns are closed, or stand before the next opener.
    """
    for opened, closed in PAIRS:
        if is_open(prompt, opened, closed):
            return divided(completion, closed)
    for opened, closed in PAIRS:
        if completion.lstrip().startswith(opened):
            return divided(completion.lstrip()[len(opened) :], closed)
    return Split(None, completion.strip())


def is_open(prompt: str, opened: str, closed: str) -> bool:
    """Whether a prompt ends inside a block: its last opening tag ends it, but for white space."""
    return re.search(rf"{re.escape(opened)}\s*\Z", prompt) is not None and opened != closed


def divided(text: str, closed: str) -> Split:
    """Cut a text behind whose start a block is open where the block closes."""
    reasoning, mark, content = text.partition(closed)
    return Split(reasoning.strip() or None, content.strip() if mark else None)
