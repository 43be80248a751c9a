"""The forms in which a turn may end."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainplate.checks import Trial, hear, try_on
from trainplate.checks.endings import LONGEST_STOP, endings, may_be_added, nexts
from trainplate.conversations import named
from trainplate.rendering import compile_template
from trainplate.rendering.common_start import common_start

ENDLESS = (
    "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}@{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)


def trial_of(end: str, name: str = "two-turns") -> Trial:
    compiled = compile_template(ENDLESS.replace("@", end), special_tokens={"eos_token": "</s>"})
    (trial,) = try_on(hear(compiled, [(named(name), named(name))]), compiled, eos="</s>")
    return trial


@given(st.text("ab", max_size=12), st.text("ab", max_size=12))
def test_common_start_is_as_long_as_the_longest_shared_prefix(a: str, b: str) -> None:
    length = common_start(a, b)
    assert a[:length] == b[:length]
    assert a[length : length + 1] != b[length : length + 1] or length == len(a) == len(b)


@pytest.mark.parametrize("extra", ["", "</s>", "<|user|>", "<|tool|>", "\n</s>\n"])
def test_eos_or_what_comes_next_may_be_added(extra: str) -> None:
    trial = trial_of("")
    assert all(may_be_added(extra, pair, trial) for pair in trial.pairs)


@pytest.mark.parametrize(
    "extra",
    ["<|stop|>", "ok", "<|user|>" + "x" * LONGEST_STOP, "<|assistant|>", "|>", "<|us"],
)
def test_nothing_else_may_be_added(extra: str) -> None:
    trial = trial_of("")
    assert not any(may_be_added(extra, pair, trial) for pair in trial.pairs)


def test_what_comes_next_is_asked_for_each_kind_of_message() -> None:
    trial = trial_of("<|end|>")
    starts = {text[:8] for text in nexts(trial.pairs[0], trial)}
    assert {"<|user|>", "<|tool|>"} <= starts


def test_turn_that_stays_has_one_ending() -> None:
    trial = trial_of("<|end|>")
    assert [len(set(endings(pair, trial))) for pair in trial.pairs] == [1, 1]


def test_eos_behind_the_last_turn_alone_may_be_missing() -> None:
    trial = trial_of("<|end|>{{ eos_token if loop.last }}")
    for pair in trial.pairs:
        first, *others = endings(pair, trial)
        assert first == pair.original.text
        assert first.removesuffix("</s>") in others


def test_token_is_never_cut_in_two() -> None:
    """The unasked prompt `<|assistant|>` begins like `<|user|>`: what is left of a turn may not end in `<|`."""
    source = ENDLESS.replace("@", "<|end|>").replace("{% if add_generation_prompt %}", "{% if true %}")
    compiled = compile_template(source, special_tokens={"eos_token": "</s>"})
    (trial,) = try_on(hear(compiled, [(named("two-turns"), named("two-turns"))]), compiled, eos="</s>")
    found = {ending for pair in trial.pairs for ending in endings(pair, trial)}
    assert any(ending.endswith("light.<|end|>") for ending in found)
    assert not any(ending.endswith(("<", "<|")) for ending in found)
