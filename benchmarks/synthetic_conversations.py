"""Seeded conversations for benchmarks: chat, code, tool calls, reasoning and long documents, in several scripts.

Ten thousand of them have about 20 million tokens, 2 to some 150 messages each, and a few are longer than 60,000 tokens.
"""

import json
import random
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate
from typing import Any

Message = dict[str, Any]
Conversation = dict[str, Any]

ONSETS = [*"bcdfghjklmnprstvwyz", "br", "ch", "dr", "fl", "gr", "pl", "qu", "sh", "st", "th", "tr"]
VOWELS = [*"aeiouy", "ai", "ea", "ee", "ie", "oo", "ou"]
ENDINGS = ["", "", "n", "r", "s", "t", "ng", "ck", "ll", "st", "ment", "tion", "ing", "ed", "er", "ly"]
OTHER_SCRIPTS = [
    "Größe und Maß, ganz früh.", "Voilà, ça dépend de l'été.", "москва не сразу строилась", "今日はいい天気ですね。",
    "我们明天再谈这个问题。", "안녕하세요, 반갑습니다.", "كيف حالك اليوم", "नमस्ते दुनिया", "🙂👍🏽🚀",
    "e\u0301 o\u0308 combined",
]  # fmt: skip
LINES_OF_CODE = [
    "def {0}({1}, {2}=None):", "    return {0}({1}) + {2}[{3}]", "for {0} in range({3}):",
    "    if {0} != {1}: continue",
    "const {0} = await {1}.{2}({{ id: {3} }});", "SELECT {0}, {1} FROM {2} WHERE id = {3};", "# {0} {1} {2}", "}}", "",
]  # fmt: skip
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": name,
            "description": "Looks something up.",
            "parameters": {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]},
        },
    }
    for name in ("search", "get_weather")
]


@lru_cache(maxsize=1)
def words() -> tuple[list[str], list[float]]:
    """Return words, most of them rare, with how often each is said up to and including it."""
    chance = random.Random(1)
    made: dict[str, None] = {}
    while len(made) < 8000:
        syllables = (chance.choice(ONSETS) + chance.choice(VOWELS) for _ in range(chance.choice((1, 1, 2, 2, 3))))
        made["".join(syllables) + chance.choice(ENDINGS)] = None
    return list(made), list(accumulate(1 / (rank + 3) for rank in range(len(made))))


def conversations(count: int, seed: int = 0) -> Iterator[Conversation]:
    """Yield so many conversations, the same for a seed; each has messages, and tools where it calls some."""
    chance = random.Random(seed)
    for index in range(count):
        if index % 2000 == 1999:
            yield {"messages": list(talk(chance, 2, 8_000)), "tools": None}
        elif index % 5 == 4:
            yield {"messages": list(errands(chance, chance.randint(1, 6))), "tools": TOOLS}
        else:
            rounds = min(int(chance.paretovariate(1.3)), 73)
            yield {"messages": list(talk(chance, rounds, 230)), "tools": None}


def talk(chance: random.Random, rounds: int, length: int) -> Iterator[Message]:
    """Yield questions and answers, with a system message and reasoning now and then."""
    if chance.random() < 0.4:
        yield {"role": "system", "content": prose(chance, 40)}
    for _ in range(rounds):
        yield {"role": "user", "content": text(chance, max(4, length // 3))}
        answer: Message = {"role": "assistant", "content": text(chance, length)}
        if chance.random() < 0.2:
            answer["reasoning_content"] = prose(chance, length // 2)
        yield answer


def errands(chance: random.Random, rounds: int) -> Iterator[Message]:
    """Yield questions that are answered by way of tools."""
    yield {"role": "user", "content": prose(chance, 20)}
    for _ in range(rounds):
        function = {"name": "search", "arguments": {"query": prose(chance, 6), "limit": chance.randint(1, 9)}}
        yield {"role": "assistant", "content": "", "tool_calls": [{"type": "function", "function": function}]}
        results = [{"title": prose(chance, 5), "score": chance.random()} for _ in range(chance.randint(1, 8))]
        yield {"role": "tool", "name": "search", "content": json.dumps(results, ensure_ascii=False)}
    yield {"role": "assistant", "content": text(chance, 150)}


def text(chance: random.Random, length: int) -> str:
    """Return about so many words: prose, with lists, code and other scripts among it."""
    parts, left = [], max(4, int(chance.gauss(length, length / 3)))
    while left > 0:
        size = min(left, chance.randint(20, 90))
        left -= size
        kind = chance.random()
        if kind < 0.12:
            parts.append(f"```\n{code(chance, size // 6 + 1)}\n```")
        elif kind < 0.2:
            parts.append("\n".join(f"{place}. {prose(chance, 8)}" for place in range(1, size // 9 + 2)))
        elif kind < 0.26:
            parts.append(chance.choice(OTHER_SCRIPTS) * chance.randint(1, 4))
        else:
            parts.append(prose(chance, size))
    return "\n\n".join(parts)


def prose(chance: random.Random, length: int) -> str:
    """Return sentences of so many words."""
    known, often = words()
    said = chance.choices(known, cum_weights=often, k=length)
    for place in range(0, length, 11):
        said[place] = said[place].capitalize()
        said[place - 1] += chance.choice((".", ".", ",", "?", ":", f" {chance.randint(1, 2500)}."))
    return " ".join(said)


def code(chance: random.Random, lines: int) -> str:
    """Return lines that look like code."""
    known, often = words()
    made = []
    for _ in range(lines):
        names = chance.choices(known, cum_weights=often, k=3)
        made.append(chance.choice(LINES_OF_CODE).format(*names, chance.randint(0, 999)))
    return "\n".join(made)
