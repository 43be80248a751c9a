"""Reasoning and content are told apart by what the prompt has opened, and by what the completion opens itself."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import trainplate
from trainplate.responses.reasoning import PAIRS

TEXT = st.text(st.characters(codec="utf-8", exclude_characters="<>[]|")).map(str.strip)


@pytest.mark.parametrize(
    ("prompt", "completion", "reasoning", "content"),
    [
        ("<a>", "Amber.", None, "Amber."),
        ("<a>", "<think>\nRuby.\n</think>\n\nAmber.", "Ruby.", "Amber."),
        ("<a><think>\n", "Ruby.\n</think>\n\nAmber.", "Ruby.", "Amber."),
        ("<a><think>\n\n</think>\n\n", "Amber.", None, "Amber."),
        ("<a><think>\n", "Ruby, and no end", "Ruby, and no end", None),
        ("<a><think>\n", "\n</think>\n\nAmber.", None, "Amber."),
        ("<a>", "\n<think>Ruby", "Ruby", None),
        ("<u>What is <think>?</u><a>", "Amber.", None, "Amber."),
        ("<u>x</u><a><think>Ruby1</think>Amber1</a><u>y</u><a>", "Amber2", None, "Amber2"),
        ("[/INST]", "[THINK]Ruby[/THINK]Amber", "Ruby", "Amber"),
        ("<|start|>assistant<|channel|>analysis<|message|>", "Ruby<|end|>Amber", "Ruby", "Amber"),
        ("<a>", "", None, ""),
    ],
)
def test_the_prompt_says_what_a_completion_begins_with(prompt, completion, reasoning, content):
    assert trainplate.split_reasoning(prompt, completion) == (reasoning, content)


@given(st.sampled_from(PAIRS), TEXT, TEXT)
def test_a_block_opened_by_the_prompt_or_by_the_model_is_the_same_block(pair, reasoning, content):
    """Where the prompt ends does not change what is reasoning."""
    opened, closed = pair
    block = f"{reasoning}\n{closed}\n{content}"
    by_prompt = trainplate.split_reasoning(f"<a>{opened}\n", block)
    assert by_prompt == trainplate.split_reasoning("<a>", f"{opened}\n{block}")
    assert by_prompt == (reasoning or None, content)
