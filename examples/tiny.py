"""A model of two layers with random weights, so that the examples run anywhere in seconds; name a real one instead."""

from typing import Any

import torch
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from transformers import (
    AutoModelForCausalLM,
    AutoTokenizer,
    LlamaConfig,
    LlamaForCausalLM,
    PreTrainedTokenizerFast,
)

DEVICE = {} if torch.cuda.is_available() else {"use_cpu": True, "bf16": False}
"""Settings for trainers, which take a GPU for granted."""
CONTROL = ["<|pad|>", "<|im_start|>", "<|im_end|>", "<think>", "</think>", "<tool_call>", "</tool_call>"]


def model_and_tokenizer(name: str | None, chat_template: str) -> tuple[Any, Any]:
    """Return a model and its tokenizer by name, or tiny ones that speak the given template."""
    if name:
        return AutoModelForCausalLM.from_pretrained(name), AutoTokenizer.from_pretrained(name)
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=bytes_alone(), eos_token="<|im_end|>", pad_token="<|pad|>", chat_template=chat_template
    )
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    return LlamaForCausalLM(config), tokenizer


def bytes_alone() -> Tokenizer:
    """Return a tokenizer whose tokens are bytes and a few control tokens."""
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    made = Tokenizer(models.BPE({letter: number for number, letter in enumerate(letters)}, []))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    made.add_special_tokens([AddedToken(text, normalized=False) for text in CONTROL])
    return made
