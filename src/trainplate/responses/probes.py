"""What is said to a template to learn how it delimits a turn, and later to prove what was learnt."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from trainplate.conversations import Message, Tool

NAME, SECOND_NAME = "find_pearl", "dive_deep"
KEY, SECOND_KEY = "reef", "depth"
REASONING, CONTENT = "Ruby1 glows", "Amber1 stays"
VALUE, SECOND_VALUE, NUMBER = "Coral1", "Coral2", 7351
USER = "Umber1"
TYPES = {str: "string", bool: "boolean", int: "integer", float: "number", list: "array", dict: "object"}


@dataclass(frozen=True)
class Probe:
    """One message of the assistant, and what a template must print for it to tell anything."""

    name: str
    message: Message
    needs: frozenset[str] = frozenset()
    usual: bool = True
    """Whether reading it back wrongly refutes a response template; what is odd is told as a finding."""
    read: Message | None = None
    """What it must be read as, where that is not the message itself."""


def call(name: str, arguments: Mapping[str, Any], number: int = 1) -> dict[str, Any]:
    """Return a tool call in the form of messages."""
    return {"id": f"call0000{number}", "type": "function", "function": {"name": name, "arguments": dict(arguments)}}


def turn(content: str = "", reasoning: str = "", *calls: dict[str, Any]) -> Message:
    """Return a message of the assistant that has the keys it needs."""
    thought = {"reasoning_content": reasoning} if reasoning else {}
    return {"role": "assistant", "content": content, **thought, **({"tool_calls": list(calls)} if calls else {})}


ONE = call(NAME, {KEY: VALUE, SECOND_KEY: NUMBER})
TWO = call(SECOND_NAME, {KEY: SECOND_VALUE, SECOND_KEY: 8462}, 2)
PLAIN = call(SECOND_NAME, {}, 1)
LIVELY = call(NAME, {"yes": True, "half": 1.5, "less": -3, "words": "Coral3 and more"})
NESTED = call(NAME, {"list": [1, "two"], "nested": {"deep": "Coral3", "less": -3}})
QUOTING = call(NAME, {"quoted": 'it\'s "so", he said', "lines": "one\ntwo", "tongue": "é 你 \\ <b>&</b>"})
TRYING = call(NAME, {"nothing": None, "no": False, "digits": "75001", "edges": " x ", "empty": {}, "blank": ""})
CALLS, SEVERAL = frozenset({"calls"}), frozenset({"calls", "several-calls"})
BESIDE, REASONED = frozenset({"calls", "call-content"}), frozenset({"reasoning"})

PROBES = (
    Probe("content", turn(CONTENT)),
    Probe("reasoning", turn(CONTENT, REASONING), REASONED),
    Probe("call", turn("", "", ONE), CALLS),
    Probe("two calls", turn("", "", ONE, TWO), SEVERAL),
    Probe("content and a call", turn(CONTENT, "", ONE), BESIDE),
    Probe("reasoning and a call", turn("", REASONING, ONE), CALLS | REASONED),
    Probe("reasoning, content and two calls", turn(CONTENT, REASONING, ONE, TWO), SEVERAL | BESIDE | REASONED),
    Probe("content in lines", turn("Amber2 begins.\n\n- Amber3\n- Amber4: {1} [2] <b>")),
    Probe("reasoning in lines", turn(CONTENT, "Ruby2 looks.\n\nRuby3 sees {x}."), REASONED),
    Probe("call without arguments", turn("", "", PLAIN), CALLS),
    Probe("call with many kinds of values", turn("", "", LIVELY), CALLS),
    Probe("three calls", turn("", "", ONE, PLAIN, TWO), SEVERAL),
    Probe("call with lists and objects", turn("", "", NESTED), CALLS, usual=False),
    Probe("call with quotes and lines", turn("", "", QUOTING), CALLS, usual=False),
    Probe("call with null, blanks and digits", turn("", "", TRYING), CALLS, usual=False),
    Probe("no content", turn(""), usual=False),
)


def inline_probes(opened: str, closed: str) -> tuple[Probe, ...]:
    """Return messages that carry their reasoning inside their content, between two tags."""
    block = f"{opened}\n{REASONING}\n{closed}\n\n"
    needs = frozenset({"inline-reasoning"})
    return (
        Probe("reasoning inline", turn(block + CONTENT), needs, read=turn(CONTENT, REASONING)),
        Probe(
            "reasoning inline, call", turn(block, "", ONE), CALLS | needs, usual=False, read=turn("", REASONING, ONE)
        ),
    )


def kind_of(value: Any) -> dict[str, Any]:
    """Return the JSON schema of one value."""
    return {"type": TYPES[type(value)]} if type(value) in TYPES else {"type": ["string", "null"]}


def tools_of(message: Message) -> tuple[Tool, ...]:
    """Return tools whose parameters are those of the message's calls, with their types."""
    properties: dict[str, dict[str, Any]] = {NAME: {}, SECOND_NAME: {}}
    for one in message.get("tool_calls") or (ONE, TWO):
        function = one["function"]
        properties[function["name"]] |= {key: kind_of(value) for key, value in function["arguments"].items()}
    return tuple(
        {
            "type": "function",
            "function": {
                "name": name,
                "description": f"Do what {name} says.",
                "parameters": {"type": "object", "properties": parameters},
            },
        }
        for name, parameters in properties.items()
    )


USER_TURN: Message = {"role": "user", "content": USER}
RESULT: Message = {"role": "tool", "name": NAME, "tool_call_id": "call00001", "content": "Topaz1"}


class Context(NamedTuple):
    """What was said before a probe, and what a template must print for that."""

    messages: tuple[Message, ...]
    needs: frozenset[str] = frozenset()


FIRST = "a question"
CONTEXTS: Mapping[str, Context] = {
    FIRST: Context((USER_TURN,)),
    "a second question": Context((USER_TURN, turn("Amber9"), {"role": "user", "content": "Umber2"})),
    "a tool result": Context((USER_TURN, turn("", "", ONE), RESULT), frozenset({"calls", "tool"})),
}
