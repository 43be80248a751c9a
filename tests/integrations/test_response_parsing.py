"""GRPO finds what to parse completions by: the tokenizer's own, TRL's for the original, or a derived one."""

import sys

import pytest

transformers = pytest.importorskip("transformers", reason="needs the extra test")

from tiny_tokenizers import tiny  # noqa: E402
from tiny_trainers import from_trl  # noqa: E402

import trainplate  # noqa: E402
from trainplate.integrations.response_parsing import set_parsing  # noqa: E402
from trainplate.integrations.swap import Swap  # noqa: E402

CALL = '<tool_call>\n{"name": "tide", "arguments": {"harbour": "Brest"}}\n</tool_call><|im_end|>'


def qwen3(tail=""):
    return tiny("chatml", chat_template=from_trl("qwen3") + tail)


def parsed(tokenizer, text):
    prompt = tokenizer.apply_chat_template([{"role": "user", "content": "so"}], add_generation_prompt=True)["input_ids"]
    ids = tokenizer(text, add_special_tokens=False)["input_ids"]
    return tokenizer.parse_response(ids, prefix=prompt)


def test_what_the_tokenizer_has_is_kept():
    tokenizer = qwen3()
    own = tokenizer.response_template = {"fields": {"content": {}}}
    with trainplate.training(tokenizer):
        assert tokenizer.response_template is own
        tokenizer.apply_chat_template([{"role": "user", "content": "so"}], tokenize=False)
    assert tokenizer.response_template is own


def test_trls_is_set_for_an_original_that_trl_knows():
    known = pytest.importorskip("trl.chat_template_utils", reason="needs the extra test")
    tokenizer = qwen3()
    with trainplate.training(tokenizer):
        assert tokenizer.response_template == known.qwen3_template
        assert parsed(tokenizer, CALL)["tool_calls"][0]["function"]["arguments"] == {"harbour": "Brest"}
    assert tokenizer.response_template is None


def test_a_derived_one_is_set_where_nobody_has_one():
    tokenizer = qwen3("\n\n")
    with trainplate.training(tokenizer) as swap:
        found = parsed(tokenizer, f"<think>\nLook.\n</think>\n\n{CALL}")
        assert found["tool_calls"][0]["function"] == {"name": "tide", "arguments": {"harbour": "Brest"}}
        assert "response-template" not in {finding.check for finding in swap.findings}
    assert tokenizer.response_template is None


def test_without_trl_loaded_one_is_derived(monkeypatch):
    monkeypatch.delitem(sys.modules, "trl.chat_template_utils", raising=False)
    tokenizer = qwen3()
    with trainplate.training(tokenizer):
        assert parsed(tokenizer, CALL)["tool_calls"][0]["function"]["name"] == "tide"


class OlderTokenizer:
    """A tokenizer as transformers had them before it knew response templates."""

    def __init__(self, inner):
        self.inner, self.chat_template = inner, inner.chat_template
        self.special_tokens_map, self.eos_token_id, self.pad_token_id = inner.special_tokens_map, 5, 0

    def __call__(self, *args, **kwargs):
        return self.inner(*args, **kwargs)


def test_older_releases_get_none_and_a_finding(monkeypatch):
    monkeypatch.delitem(sys.modules, "trl.chat_template_utils", raising=False)
    tokenizer = OlderTokenizer(qwen3())
    patch = trainplate.patch(tokenizer.chat_template)
    [finding] = set_parsing(Swap(tokenizer, []), patch)
    assert finding.check == "response-template"
    assert "5.13" in finding.cure
    assert not hasattr(tokenizer, "response_template")
