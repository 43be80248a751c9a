"""The proof of a response template: what was rendered is parsed back, and must be the message again."""

import inspect
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from trainplate.conversations import Message, text_of, words
from trainplate.conversations.conversation import REASONING_KEYS
from trainplate.responses.delimiters import Delimiters
from trainplate.responses.probes import FIRST
from trainplate.responses.sayings import Saying
from trainplate.verdict import Finding

CHECK = "response-template"


class NoParser(Exception):
    """Raised where no transformers is installed that parses by response templates."""


@cache
def parser() -> Any:
    """Return transformers' own `ResponseParser`, which needs no tokenizer."""
    try:
        from transformers.utils.chat_parsing import ResponseParser
    except ImportError:
        raise NoParser("parsing needs transformers 5.13 or newer") from None
    return ResponseParser


def parse(pieces: Iterable[str], template: Mapping[str, Any], prompt: str, tools: Any) -> Message:
    """Parse a completion, whole as a trainer does or piece by piece as a server does."""
    typed = {"tools": list(tools)} if tools and "tools" in inspect.signature(parser()).parameters else {}
    reading = parser()(dict(template), prefix=prompt, **typed)
    for piece in pieces:
        reading.feed(piece)
    message: Message = reading.finalize()[0]
    return message


def failures(template: Mapping[str, Any], said: Sequence[Saying], delimiters: Delimiters) -> Iterator[Finding]:
    """Yield a finding for each message that does not come back."""
    for saying in said:
        if is_rewritten(saying):
            continue
        for prompt, completion in completions(saying, delimiters):
            finding = failure(template, saying, prompt, completion) or streamed_failure(
                template, saying, prompt, completion
            )
            if finding is not None:
                yield finding
                break


def completions(saying: Saying, delimiters: Delimiters) -> Iterator[tuple[str, str]]:
    """Yield the prompts and completions into which a text can be cut: the prompt itself, and what announces the turn.

    The turn may end as it is printed, without white space, or with each token that could end it.
    """
    ends = [len(saying.prompt)] if saying.text.startswith(saying.prompt) else []
    openers = [one for one in (*delimiters.anchors, delimiters.opener) if saying.turn.startswith(one)]
    ends += [saying.start + len(opener) for opener in sorted(openers, key=len)[-1:]]
    for end in dict.fromkeys(ends):
        prompt, completion = saying.text[:end], saying.text[end:]
        yield prompt, completion
        yield prompt, completion.rstrip()
        if not any(stop in completion for stop in delimiters.stops):
            yield from ((prompt, completion + stop) for stop in delimiters.stops)


def streamed_failure(template: Mapping[str, Any], saying: Saying, prompt: str, completion: str) -> Finding | None:
    """Feed a completion one character at a time, behind a first question, where it is as printed."""
    if saying.options or saying.context != FIRST or prompt + completion != saying.text:
        return None
    return failure(template, saying, prompt, completion, streamed=True)


def failure(
    template: Mapping[str, Any], saying: Saying, prompt: str, completion: str, *, streamed: bool = False
) -> Finding | None:
    """Return what differs between the message that was said and the one that is parsed, if anything does."""
    expected = expected_of(saying)
    try:
        found = canonical(parse(completion if streamed else [completion], template, prompt, saying.tools))
    except NoParser:
        raise
    except Exception as error:
        return Finding(CHECK, f"the parser raises {type(error).__name__}: {error}", saying.label, completion)
    if found == expected:
        return None
    return Finding(CHECK, "the message does not come back", saying.label, shown(expected), shown(found))


def is_rewritten(saying: Saying) -> bool:
    """Say whether the template prints the words of the message, but not its text: that cannot be read back."""
    message = canonical(saying.probe.read or saying.probe.message)
    texts = [message[part] for part in ("content", "reasoning") if message[part] not in saying.turn]
    return any(word in saying.turn for text in texts for word in words(text))


def expected_of(saying: Saying) -> Message:
    """Return the message without the parts that the template does not print."""
    message = canonical(saying.probe.read or saying.probe.message)
    for part in ("content", "reasoning"):
        if message[part] and message[part] not in saying.turn:
            message[part] = ""
    return message


def canonical(message: Mapping[str, Any]) -> Message:
    """Return a message's reasoning, content and calls alone: edges without white space, arguments as objects."""
    reasoning = next((message[key] for key in REASONING_KEYS if message.get(key)), "")
    calls = [called(one.get("function", one)) for one in message.get("tool_calls") or ()]
    return {"reasoning": reasoning.strip(), "content": text_of(message.get("content")).strip(), "calls": calls}


def called(function: Mapping[str, Any]) -> tuple[Any, Any]:
    """Return the name and the arguments of a call; arguments that are missing are none."""
    return function.get("name"), function.get("arguments") or {}


def shown(message: Message) -> str:
    """Return a message as one line of JSON."""
    return json.dumps(message, ensure_ascii=False, sort_keys=True, default=str)
