"""A compiled format prints each part around its message, and declines what it has no part for."""

import pytest

from trainplate.errors import Declined
from trainplate.formats import format_from_toml, load_format
from trainplate.rendering import compile_template

QUESTION = {"role": "user", "content": "Umber1"}
SYSTEM = {"role": "system", "content": "Slate1"}
TOOL = {"type": "function", "function": {"name": "tide"}}
CALL = {"type": "function", "function": {"name": "tide", "arguments": {"harbour": "Brest"}}}
MINIMAL = """
version = 2
name = "Minimal"
stops = ["</s>"]
separator = "|"
[parts]
user = "<{role} {name}>{content}"
assistant = "<a>{content}</s>"
"""


def rendered(chat_format, messages, tools=None, **options):
    compiled = compile_template(chat_format.template, special_tokens={"bos_token": "<s>", "eos_token": "</s>"})
    return compiled.render(messages, tools, **options)


def test_parts_see_role_and_name_and_separators_stand_between_messages():
    messages = [{**QUESTION, "name": "Ada"}, {"role": "assistant", "content": "Amber1"}, QUESTION]
    text = rendered(format_from_toml(MINIMAL), messages, add_generation_prompt=True)
    assert text == "<user Ada>Umber1|<a>Amber1</s>|<user >Umber1|<a>"


def test_braces_and_quotes_that_are_no_places_are_text():
    toml = MINIMAL.replace("<a>{content}", "<a>{\\\"x\\\": '{}'}{content}")
    assert rendered(format_from_toml(toml), [QUESTION], add_generation_prompt=True).endswith("<a>{\"x\": '{}'}")


def test_content_is_never_read_as_a_template():
    message = {"role": "user", "content": "{{ 1 + 1 }}{content}{% raw %}"}
    assert rendered(format_from_toml(MINIMAL), [message]) == "<user >{{ 1 + 1 }}{content}{% raw %}"


def test_text_parts_are_joined():
    parts = [{"type": "text", "text": "Um"}, {"type": "text", "text": "ber"}]
    assert rendered(format_from_toml(MINIMAL), [{"role": "user", "content": parts}]) == "<user >Umber"


@pytest.mark.parametrize(
    ("message", "tools", "missing"),
    [
        ({"role": "user", "content": [{"type": "image"}]}, None, "image"),
        ({"role": "tool", "content": "Topaz1"}, None, "tool"),
        ({"role": "assistant", "content": "", "tool_calls": [CALL]}, None, "tool calls"),
        ({"role": "assistant", "content": "Amber1", "reasoning_content": "Ruby1"}, None, "reasoning"),
        (QUESTION, [TOOL], "definitions of tools"),
    ],
)
def test_what_a_format_has_no_part_for_is_declined_in_words(message, tools, missing):
    with pytest.raises(Declined, match=f"the format Minimal .*{missing}"):
        rendered(format_from_toml(MINIMAL), [message], tools)


@pytest.mark.parametrize("leading", [[], [SYSTEM]], ids=["no system message", "a system message"])
def test_tools_stand_inside_the_one_system_message(leading):
    text = rendered(load_format("chatml"), [*leading, QUESTION], [TOOL])
    assert text.count("<|im_start|>system\n") == 1
    assert text.count("Slate1") == len(leading)
    assert text.index("tide") < text.index("Umber1")


def test_tools_by_themselves_stand_before_all_messages():
    text = rendered(load_format("mistral"), [SYSTEM, QUESTION], [TOOL])
    assert text.startswith("<s>[AVAILABLE_TOOLS][{")
    assert text.endswith("][/AVAILABLE_TOOLS][SYSTEM_PROMPT]Slate1[/SYSTEM_PROMPT][INST]Umber1[/INST]")


def test_arguments_print_alike_as_objects_and_as_json_text():
    as_text = {"function": {"name": "tide", "arguments": '{"harbour": "Brest"}'}}
    turns = [[QUESTION, {"role": "assistant", "content": None, "tool_calls": [call]}] for call in (CALL, as_text)]
    for name in ("chatml", "llama3", "mistral", "command_r"):
        first, second = (rendered(load_format(name), messages) for messages in turns)
        assert first == second
        assert '{"harbour": "Brest"}' in first
