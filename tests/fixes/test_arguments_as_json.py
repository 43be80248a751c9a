import json
from collections.abc import Callable
from typing import Any

import pytest

from trainplate.conversations import Conversation, arguments_as_json_text, given_arguments
from trainplate.fixes.arguments_as_json import arguments_as_dicts
from trainplate.rendering import CompiledTemplate

Propose = Callable[[str, str], list[Any]]
Compile = Callable[[str], CompiledTemplate]
Tell = Callable[[str], tuple[Conversation, ...]]
Say = Callable[..., str | None]


def with_calls(source: str, tell: Tell) -> list[Conversation]:
    return [one for one in tell(source) if any(True for _ in given_arguments(one.messages))]


def test_dicts_print_what_json_text_prints_where_they_were_declined(
    published: dict[str, str], tell: Tell, compile: Compile, propose: Propose, say: Say
) -> None:
    original = published["deepseekv3"]
    before, after = compile(original), compile(propose("arguments-as-json", original)[0].source)
    for one in with_calls(original, tell):
        wanted = say(before, arguments_as_json_text(one))
        assert wanted is not None
        assert say(after, arguments_as_dicts(one)) == wanted
        assert say(after, arguments_as_json_text(one)) == wanted


@pytest.mark.parametrize("name", ["cohere2", "llama3_1", "qwen2_5"])
def test_json_text_is_never_encoded_twice(
    name: str, published: dict[str, str], tell: Tell, compile: Compile, propose: Propose, say: Say
) -> None:
    original = published[name]
    proposals = propose("arguments-as-json", original)
    template = compile(proposals[0].source if proposals else original)
    for one in with_calls(original, tell):
        text = say(template, arguments_as_json_text(one)) or ""
        for given in given_arguments(arguments_as_json_text(one).messages):
            assert json.dumps(given, ensure_ascii=False) not in text, one.name


def test_arguments_keep_their_order_and_letters(compile: Compile, propose: Propose) -> None:
    calls = "{% for c in m.tool_calls or [] %}{{ '@' + c.function.arguments }}{% endfor %}"
    source = "{% for m in messages %}{{ m.content }}" + calls + "{% endfor %}"
    template = compile(propose("arguments-as-json", source)[0].source)
    call = {"function": {"name": "f", "arguments": {"ż": "光", "a": [1, None, True]}}}
    messages: list[dict[str, Any]] = [{"role": "assistant", "content": "", "tool_calls": [call]}]
    assert template.render(messages) == '@{"ż": "光", "a": [1, null, true]}'
