"""Each turn stands behind the very prompt that the original asks for it by, in as few rows as that takes."""

from itertools import combinations

import pytest

pytest.importorskip("transformers", reason="needs the extra test")

from trainplate.masks.backend import backend_of
from trainplate.masks.loss_policy import loss_policy
from trainplate.masks.masker import Masker, Said
from trainplate.masks.turns import connected
from trainplate.patching.patch import patch
from trainplate.rendering import compile_template

STRIPPING = (
    "{% set ns = namespace(last=-1) %}{% for m in messages %}{% if m.role == 'user' %}{% set ns.last = loop.index0 %}"
    "{% endif %}{% endfor %}{% for m in messages %}{{ '<|im_start|>' + m.role + '\n' }}"
    "{% if m.role == 'assistant' and m.reasoning_content and loop.index0 > ns.last %}"
    "{{ '<think>' + m.reasoning_content + '</think>' }}{% endif %}{{ m.content + '<|im_end|>\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)


def user(text):
    return {"role": "user", "content": text}


def answer(text, reasoning=None):
    return {"role": "assistant", "content": text, **({"reasoning_content": reasoning} if reasoning else {})}


TALKS = {
    "no reasoning": [user("a"), answer("b"), user("c"), answer("d"), user("e"), answer("f")],
    "all reasoned": [user("a"), answer("b", "1"), user("c"), answer("d", "2"), user("e"), answer("f", "3")],
    "first reasoned": [user("a"), answer("b", "1"), user("c"), answer("d"), user("e"), answer("f")],
    "last reasoned": [user("a"), answer("b"), user("c"), answer("d"), user("e"), answer("f", "3")],
    "a round of tools": [
        user("a"),
        answer("b", "1"),
        {"role": "tool", "content": "t"},
        answer("d", "2"),
        user("e"),
        answer("f"),
    ],
}
ROWS = {"no reasoning": 1, "all reasoned": 3, "first reasoned": 2, "last reasoned": 1, "a round of tools": 2}


@pytest.fixture(scope="module")
def masker(chatml):
    tokens = {"eos_token": "<|im_end|>"}
    training = compile_template(patch(STRIPPING, special_tokens=tokens).training_template, special_tokens=tokens)
    return Masker(training, backend_of(chatml), original=compile_template(STRIPPING, special_tokens=tokens))


@pytest.fixture(params=TALKS)
def talk(request):
    return request.param, TALKS[request.param]


def asked_for(masker, messages):
    """Return, for each turn, the original's prompt and what is sampled behind it."""
    original = masker.original
    for index, message in enumerate(messages):
        if message["role"] == "assistant":
            prompt = original.render(messages[:index], add_generation_prompt=True)
            yield prompt, original.render(messages[: index + 1])[len(prompt) :]


def test_every_turn_is_trained_once_behind_the_prompt_of_the_original(masker, talk):
    _, messages = talk
    rows = masker.rendered_rows(Said(messages))
    trained = sorted((row.text[:a], row.text[a:b].strip()) for row in rows for a, b in connected(row.trained.spans))
    assert trained == sorted((prompt, sampled.strip()) for prompt, sampled in asked_for(masker, messages))


def test_there_are_no_more_rows_than_contexts(masker, talk):
    name, messages = talk
    texts = [prompt + sampled for prompt, sampled in asked_for(masker, messages)]
    apart = [text for text in texts if not any(other.startswith(text) for other in texts if other is not text)]
    assert all(not a.startswith(b) and not b.startswith(a) for a, b in combinations(apart, 2))
    assert len(masker.rendered_rows(Said(messages))) == len(apart) == ROWS[name]


def test_where_history_is_kept_there_is_one_row_that_is_the_proven_rendering(masker, talk):
    _, messages = talk
    kept = Masker(masker.template, masker.backend)
    (row,) = kept.rendered_rows(Said(messages))
    assert row.text == masker.template.render(messages)


def test_a_policy_decides_which_turns_have_rows(masker):
    last = Masker(masker.template, masker.backend, loss_policy("last-turn"), original=masker.original)
    (row,) = last.rendered_rows(Said(TALKS["all reasoned"]))
    assert [row.text[a:b].strip() for a, b in connected(row.trained.spans)] == ["<think>3</think>f<|im_end|>"]
