"""Trainers pass the arguments of tool calls as dicts, data sets often as JSON text; both must come out as JSON once."""

import json
from collections.abc import Iterator

from trainplate.checks.registry import Example, check
from trainplate.checks.trial import Trial
from trainplate.conversations import given_arguments, words
from trainplate.verdict import EXPECTED, Finding

CALLS = "{% for c in m.tool_calls or [] %}{{ c.function.name }}@{% endfor %}"
ORIGINAL = "{% for m in messages %}<{{ m.role }}>{{ m.content }}" + CALLS + "</s>{% endfor %}"
GUARDED = "{{ c.function.arguments if c.function.arguments is string else c.function.arguments | tojson }}"
PASSES = Example(ORIGINAL.replace("@", GUARDED), ORIGINAL.replace("@", GUARDED))
FAILS = Example(ORIGINAL.replace("@", GUARDED), ORIGINAL.replace("@", "{{ c.function.arguments | tojson }}"))


def calls(trial: Trial) -> bool:
    """Concern conversations with tool calls."""
    return any(True for _ in given_arguments(trial.conversation.messages))


@check(passes=PASSES, fails=FAILS, concerns=calls)
def arguments(trial: Trial) -> Iterator[Finding]:
    """Arguments as JSON text print what the same arguments as dicts print, or what the original prints of them."""
    text = trial.text_arguments()
    if trial.training is None or text is None or text.training in (None, trial.training.text):
        return
    mine = text.training or ""
    for call in called(trial):
        # Where the original prints nothing of a call, as JSON text or in its history, there is nothing to compare with.
        if call[1] in text.original and (call[1] not in mine or printed(mine, call) not in text.original):
            yield trial.finding("arguments", "JSON text is not printed as it is", None, text.original, mine, EXPECTED)
            return
    if any(twice in mine and twice not in trial.training.text for twice in encoded_twice(trial)):
        yield trial.finding(
            "arguments", "JSON text is encoded a second time", None, trial.training.text, mine, EXPECTED
        )


def encoded_twice(trial: Trial) -> Iterator[str]:
    """Yield how arguments look that were JSON text and were encoded again: with escaped quotes."""
    for arguments in given_arguments(trial.conversation.messages):
        if arguments:
            yield json.dumps(json.dumps(arguments, ensure_ascii=False), ensure_ascii=False)


def called(trial: Trial) -> Iterator[tuple[str, str]]:
    """Yield, for every call, the tool's name and the last word among its arguments."""
    for message in trial.conversation.messages:
        for call in message.get("tool_calls") or ():
            said = words(call["function"]["arguments"])
            if said:
                yield call["function"]["name"], said[-1]


def printed(text: str, call: tuple[str, str]) -> str:
    """Return how a call is printed: from its name to the last word of its arguments."""
    name, word = call
    end = text.find(word)
    if end < 0:
        return ""
    start = text.rfind(name, 0, end)
    return text[max(start, 0) : end + len(word)]
