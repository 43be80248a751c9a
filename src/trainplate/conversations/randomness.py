"""Conversations drawn at random, inside what a template supports, the same ones for the same seed."""

from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any

from trainplate.conversations.conversation import STONES, Conversation, Message, Tool
from trainplate.conversations.features import features_of
from trainplate.conversations.support import Support

SAYINGS = (
    "the sky is blue.",
    "why not?",
    "one, two; three: four",
    "- first\n- second",
    "```python\nprint('a' if b else \"c\")\n```",
    "a line\n\nand another",
    "50 % of 2 < 3 && x > 1",
    "天空是蓝色的。",
    "Größe, naïve, e\u0301te\u0301",
    "\U0001f600 \U0001f469\u200d\U0001f52c",
    "{{ braces }} and {% tags %}",
    "C:\\path \\n \"quoted\" 'too'",
    "<b>bold</b> &amp; <|name|>",
    "| a | b |",
)
EDGES = ("", "", "", " ", "\n", "\n\n", "  ", " \n")
DEFINITION: Tool = {
    "type": "function",
    "function": {
        "name": "look_up",
        "description": "Look something up.",
        "parameters": {
            "type": "object",
            "properties": {"what": {"type": "string", "description": "What to look up."}},
            "required": ["what"],
        },
    },
}


@dataclass
class Draw:
    """One conversation in the making: its source of chance, and what it may and does contain."""

    chance: Random
    support: Support
    reasoning: str = "none"
    """Where reasoning goes: `none`, `field` or `inline`."""
    has_calls: bool = False
    is_ragged: bool = False
    """Whether texts have white space at their edges."""
    said: Counter[str] = field(default_factory=Counter)

    def word(self, speaker: str) -> str:
        """Return a new word; all have two digits, so that none is part of another."""
        self.said[speaker] += 1
        return f"{STONES[speaker]}{self.said[speaker]:02}"

    def happens(self, probability: float) -> bool:
        """Decide by chance."""
        return self.chance.random() < probability


def random_conversations(support: Support, seed: int, count: int) -> tuple[Conversation, ...]:
    """Draw conversations that a template should take: the n-th is the same for the same seed, however many follow.

    Only features that the template prints are drawn; a template that prints no plain conversation is told nothing.
    """
    if not support.speaks:
        return ()
    return tuple(draw_conversation(support, seed, number) for number in range(count))


def draw_conversation(support: Support, seed: int, number: int) -> Conversation:
    """Draw one conversation."""
    chance = Random(f"{seed}/{number}")
    draw = Draw(chance, support, is_ragged=chance.random() < 0.4)
    draw.reasoning = chance.choice(reasoning_places(support))
    draw.has_calls = support.prints("calls", "tool") and draw.happens(0.6)
    messages = (*draw_opening(draw), *draw_rounds(draw))
    offered = support.prints("tools") and (draw.has_calls or draw.happens(0.2))
    tools = (DEFINITION,) if offered else None
    name, needs = f"random-{seed}-{number}", features_of(messages, tools)
    drawn = Conversation(name, messages, tools, why="Drawn at random.", needs=needs)
    return support.form.of(drawn)


def reasoning_places(support: Support) -> tuple[str, ...]:
    """Return where reasoning may go; content that holds it needs no support, but is only worth it where printed."""
    as_field = ("field", "field") if support.prints("reasoning") else ()
    inline = ("inline",) if support.prints("inline-reasoning") else ()
    return ("none", *as_field, *inline)


def draw_opening(draw: Draw) -> list[Message]:
    """Open with a system or developer message, or with none."""
    roles = [role for role in ("system", "developer") if draw.support.prints(role)]
    if not roles or draw.happens(0.5):
        return []
    role = draw.chance.choice(roles)
    return [{"role": role, "content": draw_text(draw, role)}]


def draw_rounds(draw: Draw) -> list[Message]:
    """Draw questions, each with what follows; now and then the last is cut short before its answer."""
    messages: list[Message] = []
    for _ in range(draw.chance.randint(1, 4)):
        messages += draw_round(draw)
    if draw.happens(0.2):
        turns = [i for i, message in enumerate(messages) if message["role"] == "assistant"]
        if len(turns) > 1:
            return messages[: turns[-1]]
    return messages


def draw_round(draw: Draw) -> list[Message]:
    """Draw a question, the tool cycles it takes, and an answer."""
    messages = [{"role": "user", "content": draw_text(draw, "user")}]
    for _ in range(draw.chance.randint(0, 2) if draw.has_calls else 0):
        messages += draw_cycle(draw)
    return [*messages, draw_turn(draw, draw_text(draw, "assistant"))]


def draw_cycle(draw: Draw) -> list[Message]:
    """Draw a turn with calls, and a result for each of them in the same order."""
    calls = [draw_call(draw) for _ in range(draw.chance.randint(1, 3) if draw.support.prints("several-calls") else 1)]
    beside = draw.support.prints("call-content") and draw.happens(0.4)
    turn = draw_turn(draw, draw_text(draw, "assistant") if beside else "")
    results = [
        {"role": "tool", "name": "look_up", "tool_call_id": call["id"], "content": draw_text(draw, "tool")}
        for call in calls
    ]
    return [{**turn, "tool_calls": calls}, *results]


def draw_turn(draw: Draw, content: str) -> Message:
    """Make a turn of the assistant, with reasoning in some of them."""
    if draw.reasoning == "none" or draw.happens(0.35):
        return {"role": "assistant", "content": content}
    reasoning = draw_text(draw, "reasoning")
    if draw.reasoning == "field":
        return {"role": "assistant", "reasoning_content": reasoning, "content": content}
    if not content:
        return {"role": "assistant", "content": content}
    return {"role": "assistant", "content": f"<think>\n{reasoning}\n</think>\n\n{content}"}


def draw_call(draw: Draw) -> dict[str, Any]:
    """Draw a tool call; its id has nine letters and digits, as some formats want it."""
    draw.said["call"] += 1
    arguments = {"what": draw.word("argument"), **draw_object(draw, depth=0)}
    return {
        "id": f"call{draw.said['call']:05}",
        "type": "function",
        "function": {"name": "look_up", "arguments": arguments},
    }


def draw_object(draw: Draw, depth: int) -> dict[str, Any]:
    """Draw an object whose keys stand in no order."""
    keys = draw.chance.sample(("zone", "beta", "alpha", "größe", "nested key"), draw.chance.randint(0, 3))
    return {key: draw_value(draw, depth) for key in keys}


def draw_value(draw: Draw, depth: int) -> Any:
    """Draw any kind of JSON value."""
    kind = draw.chance.choice(("text", "text", "number", "constant", "list", "object"))
    if kind == "text" or (depth > 1 and kind in ("list", "object")):
        return draw.chance.choice(SAYINGS)
    if kind == "number":
        return draw.chance.choice((0, -7, 42, 1.5, 10**12))
    if kind == "constant":
        return draw.chance.choice((True, False, None))
    if kind == "list":
        return [draw_value(draw, depth + 1) for _ in range(draw.chance.randint(0, 3))]
    return draw_object(draw, depth + 1)


def draw_text(draw: Draw, speaker: str) -> str:
    """Draw a text that holds a word of its speaker, sometimes with white space at its edges."""
    sayings = draw.chance.sample(SAYINGS, draw.chance.randint(0, 2))
    body = draw.chance.choice((" ", "\n", ", ")).join([draw.word(speaker), *sayings])
    if not draw.is_ragged:
        return body
    return draw.chance.choice(EDGES) + body + draw.chance.choice(EDGES)
