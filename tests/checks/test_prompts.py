"""same-prompt and prompt-then-turn: what asks for a turn, and that the turn begins with it."""

from collections.abc import Callable

import pytest

from trainplate.conversations import named

Failing = Callable[..., set[str]]
PROMPT = "{% if add_generation_prompt %}<assistant>{% endif %}"


@pytest.mark.parametrize("prompt", ["", PROMPT.replace("<a", "{{ '\n' }}<a"), PROMPT.replace("t>", "t> ")])
def test_other_prompt_is_found(prompt: str, plain: str, trained: str, failing: Failing) -> None:
    assert "same-prompt" in failing(plain, trained.replace(PROMPT, prompt), named("one-turn"))


def test_question_told_otherwise_is_found_in_the_first_prompt(plain: str, trained: str, failing: Failing) -> None:
    louder = trained.replace("{% else %}{{ m.content }}", "{% else %}{{ m.content | upper }}")
    assert "same-prompt" in failing(plain, louder, named("one-turn"))


def test_prompt_that_no_longer_starts_the_turn_is_found(plain: str, trained: str, failing: Failing) -> None:
    spaced = trained.replace("{% generation %}", "{{ ' ' }}{% generation %}").replace("<assistant>", "<assistant>\n")
    assert "prompt-then-turn" in failing(plain, spaced, named("one-turn"))


def test_prompt_that_never_started_the_turn_need_not_start_it(plain: str, trained: str, failing: Failing) -> None:
    original = plain.replace("<assistant>", "<assistant><think>")
    training = trained.replace("<assistant>", "<assistant><think>")
    assert failing(original, training, named("one-turn"), named("two-turns")) == set()
