"""Random conversations keep the rules of a chat and stay inside what a template supports."""

import json
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainplate.conversations import (
    FEATURES,
    Answer,
    Conversation,
    Form,
    Say,
    Support,
    features_of,
    learn_support,
    random_conversations,
    spoken,
    words,
)

EVERYTHING = Support(Form(), dict.fromkeys(FEATURES, Answer.PRINTED))
NOTHING = Support(Form(), dict.fromkeys(FEATURES, Answer.DECLINED))
MAY_FOLLOW = {
    None: {"system", "developer", "user"},
    "system": {"user"},
    "developer": {"user"},
    "user": {"assistant"},
    "assistant": {"user", "tool"},
    "tool": {"tool", "assistant"},
}
seeds = st.integers(min_value=0, max_value=2**32)
supports = st.builds(
    lambda printed, form: Support(form, {f: Answer.PRINTED if f in printed else Answer.DROPPED for f in FEATURES}),
    st.sets(st.sampled_from(sorted(FEATURES))),
    st.builds(Form, st.sampled_from(["strings", "parts"]), st.sampled_from(["objects", "text"])),
)


def draw(support: Support, seed: int, count: int = 3) -> tuple[Conversation, ...]:
    return random_conversations(support, seed, count)


@given(supports, seeds)
def test_roles_follow_one_another_as_in_a_chat(support: Support, seed: int) -> None:
    for conversation in draw(support, seed):
        roles = [None, *(message["role"] for message in conversation.messages)]
        assert all(after in MAY_FOLLOW[before] for before, after in pairwise(roles))
        assert conversation.turns


@given(supports, seeds)
def test_calls_and_results_come_in_pairs(support: Support, seed: int) -> None:
    for conversation in draw(support, seed):
        waiting: list[str] = []
        for message in conversation.messages:
            if message["role"] == "tool":
                assert message["tool_call_id"] == waiting.pop(0)
            else:
                assert not waiting
            waiting += [call["id"] for call in message.get("tool_calls", ())]
        assert not waiting


@given(supports, seeds)
def test_only_printed_features_are_drawn(support: Support, seed: int) -> None:
    for conversation in draw(support, seed):
        assert support.prints(*conversation.needs)
        used = features_of(conversation.messages, conversation.tools)
        assert used - {"parts"} == conversation.needs


@given(seeds)
def test_words_are_unique_and_every_text_has_one(seed: int) -> None:
    for conversation in draw(EVERYTHING, seed):
        said = [word for message in conversation.messages for word in words(message)]
        assert len(said) == len(set(said))
        assert not [word for word in said for other in said if word != other and word in other]
        for message in conversation.messages:
            assert spoken(message) or not message["content"]


@given(supports, seeds, st.integers(min_value=0, max_value=4))
def test_the_nth_conversation_depends_on_the_seed_alone(support: Support, seed: int, count: int) -> None:
    assert random_conversations(support, seed, 5)[:count] == random_conversations(support, seed, count)


def test_another_process_draws_the_same() -> None:
    program = (
        "import json; from trainplate.conversations import *\n"
        "support = Support(Form(), dict.fromkeys(FEATURES, Answer.PRINTED))\n"
        "print(json.dumps([c.messages for c in random_conversations(support, 7, 5)]))"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": hash_seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for hash_seed in ("1", "2")
    }
    assert runs == {json.dumps([conversation.messages for conversation in draw(EVERYTHING, 7, 5)]) + "\n"}


def test_a_hundred_draws_use_everything_there_is() -> None:
    drawn = draw(EVERYTHING, 1, 100)
    used = frozenset().union(*(conversation.needs for conversation in drawn))
    assert used == {"system", "developer", "tools", "calls", "several-calls", "call-content", "tool", "reasoning"}
    text = json.dumps([conversation.messages for conversation in drawn], ensure_ascii=False)
    assert "<think>" in text
    assert not text.isascii()
    contents = [message["content"] for conversation in drawn for message in conversation.messages]
    assert any(content != content.strip() for content in contents)


def test_plain_template_is_told_plain_conversations() -> None:
    for conversation in draw(NOTHING, 3, 20):
        assert not conversation.needs
        assert "<think>" not in json.dumps(conversation.messages)


@pytest.mark.parametrize("name", ["qwen3", "llama3_1", "gemma", "glm4moe", "deepseekv3", "llava_next"])
def test_original_takes_what_is_drawn_for_it(
    name: str, original: Callable[[str], str], say: Callable[[str], Say]
) -> None:
    render = say(source := original(name))
    for conversation in draw(learn_support(render, source), 5, 20):
        assert render(conversation.messages, conversation.tools, False) is not None
