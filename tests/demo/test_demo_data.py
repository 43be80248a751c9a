"""What the demo is made of is small, ours, and shows every fault it claims to have."""

import pytest
from tokenizers import Tokenizer

from trainplate.demo import FOLDER, TOKENIZER, demo_conversation, demo_template
from trainplate.errors import Declined
from trainplate.rendering import compile_template


def test_everything_together_is_small():
    assert sum(path.stat().st_size for path in FOLDER.iterdir() if path.is_file()) < 60_000


def test_the_tokenizer_writes_any_text_and_knows_the_control_tokens():
    tokenizer = Tokenizer.from_file(str(TOKENIZER))
    text = "<|user|>\nÄ 你 🙂<|end|>"
    encoding = tokenizer.encode(text)
    assert tokenizer.decode(encoding.ids, skip_special_tokens=False) == text
    assert {"<|user|>", "<|end|>"} <= set(encoding.tokens)


def test_the_template_rejects_arguments_as_a_dictionary():
    messages, tools = demo_conversation()
    with pytest.raises(Declined):
        compile_template(demo_template().source).render(messages, tools)


def test_the_template_drops_reasoning_from_history():
    messages = [
        message for message in demo_conversation()[0] if "tool_calls" not in message and message["role"] != "tool"
    ]
    text = compile_template(demo_template().source).render(messages)
    assert "The tide moves on." in text
    assert "6.4 m is plenty." not in text
