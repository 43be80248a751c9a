"""Texts and ids are those of the release of transformers that is installed, whichever that is."""

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

pytest.importorskip("transformers", reason="needs the extra test")

from tiny_tokenizers import tiny

from trainplate import assistant_masks
from trainplate.conversations import suite
from trainplate.errors import Declined, TrainplateError
from trainplate.masks.training_template import handling_of, special_tokens
from trainplate.rendering import compile_template

CORPUS = Path(__file__).resolve().parents[3] / "shared" / "corpus" / "templates"
ONE_IN = 60
TOLD = ("two-turns", "system", "reasoning-two-turns", "call-content-none", "tool-cycle-then-user", "edges-non-ascii")
KEYS = "{% for m in messages %}{{ m | tojson }}{% generation %}{{ m.content }}{% endgeneration %}{% endfor %}"


def published():
    files = sorted(CORPUS.glob("*.json"))[::ONE_IN]
    found = {path.stem: json.loads(path.read_text(encoding="utf-8"))["template"] for path in files}
    spec = find_spec("trl")
    if spec is not None and spec.submodule_search_locations:
        stored = sorted(Path(next(iter(spec.submodule_search_locations)), "chat_templates").glob("*.jinja"))
        found |= {path.stem: path.read_text(encoding="utf-8") for path in stored[::4]}
    return {name: text for name, text in found.items() if "strftime_now" not in text}


@pytest.fixture(scope="module")
def tokenizer():
    return tiny("chatml")


@pytest.mark.parametrize("name", list(published()) or [pytest.param("", marks=pytest.mark.skip(reason="none here"))])
def test_a_published_template_prints_what_the_installed_release_prints(tokenizer, name):
    source = published()[name]
    compiled = compile_template(source, special_tokens=special_tokens(tokenizer), handling=handling_of(tokenizer))
    for conversation in suite():
        if conversation.name not in TOLD:
            continue
        try:
            mine = compiled.render(conversation.messages, conversation.tools)
        except Declined:
            mine = None
        try:
            theirs = tokenizer.apply_chat_template(
                list(conversation.messages), tools=conversation.tools, chat_template=source, tokenize=False
            )
        except Exception:
            theirs = None
        assert mine == theirs, conversation.name


@pytest.mark.parametrize(
    "message",
    [
        {"content": "hello", "name": None},
        {"content": "hello", "reasoning": "why"},
        {"content": "hello", "thinking": "why", "tool_calls": None},
        {"content": "hello", "reasoning_content": ""},
    ],
)
def test_messages_reach_the_template_as_the_installed_release_hands_them_over(tokenizer, message):
    talk = [{"role": "user", "content": "hi"}, {"role": "assistant", **message}]
    told = tokenizer.apply_chat_template(talk, chat_template=KEYS, return_dict=True)
    assert assistant_masks(tokenizer, talk, template=KEYS).input_ids.tolist() == told["input_ids"]


def test_the_tokenizers_own_template_is_patched_and_a_named_one_is_chosen_by_tools():
    tokenizer = tiny("chatml")
    plain = (
        "{% for m in messages %}{{ '<|im_start|>' + m.role + '\n' + m.content + '<|im_end|>\n' }}{% endfor %}"
        "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
    )
    tokenizer.chat_template = {"default": plain, "tool_use": "{{ 'tools' if tools else '' }}" + plain, "other": plain}
    talk = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}]
    tool = {"type": "function", "function": {"name": "f", "description": "", "parameters": {}}}
    bare, armed = assistant_masks(tokenizer, talk), assistant_masks(tokenizer, talk, tools=[tool])
    assert tokenizer.decode(bare.input_ids[bare.assistant_masks == 1]) == "hello<|im_end|>\n"
    assert tokenizer.decode(armed.input_ids).startswith("tools")
    assert tokenizer.chat_template["default"] == plain, "the tokenizer keeps the original"
    tokenizer.chat_template = {"a": plain, "b": plain}
    with pytest.raises(TrainplateError, match="none is the default: a, b"):
        assistant_masks(tokenizer, talk)


def test_a_tokenizer_of_the_tokenizers_library_is_enough(tokenizer, template):
    talk = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}]
    bare = assistant_masks(tokenizer.backend_tokenizer, talk, template=template)
    assert bare.input_ids.tolist() == assistant_masks(tokenizer, talk, template=template).input_ids.tolist()
