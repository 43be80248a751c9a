"""What a trainer hands over are token ids: the tokenizer reads them by the derived template, the prompt as prefix."""

import pytest

import trainplate
from trainplate.formats import load_format

CALL = {"type": "function", "function": {"name": "tide", "arguments": {"harbour": "Brest"}}}
QUESTION = {"role": "user", "content": "hi"}
ANSWER = {"role": "assistant", "reasoning_content": "hello", "content": "so", "tool_calls": [CALL, CALL]}


@pytest.mark.parametrize("kind", ["chatml", "bos"])
def test_ids_come_back_as_the_message(kind, parse):
    from tiny_tokenizers import tiny

    tokenizer = tiny(kind)
    tokenizer.chat_template = load_format("chatml").template
    template = trainplate.response_template(tokenizer)
    prompt, whole = (
        tokenizer.apply_chat_template(messages, add_generation_prompt=asked, return_dict=False)
        for messages, asked in (([QUESTION], True), ([QUESTION, ANSWER], False))
    )
    assert whole[: len(prompt)] == prompt
    assert tokenizer.parse_response(whole[len(prompt) :], template, prefix=prompt) == ANSWER
