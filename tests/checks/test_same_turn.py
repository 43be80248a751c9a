"""What a turn may say otherwise than the original, and what it may not."""

from collections.abc import Callable

import pytest

from trainplate.conversations import named

Failing = Callable[..., set[str]]
LAST_ONLY = "{{ eos_token if loop.last and m.role == 'assistant' }}"
THINKING = "{% if m.reasoning_content and loop.last %}<think>{{ m.reasoning_content }}</think>{% endif %}"


def said(trained: str, text: str) -> str:
    """Return the training template with something else between its markers."""
    return trained.replace("{% generation %}{{ m.content }}</s>", "{% generation %}" + text)


@pytest.mark.parametrize(
    "text",
    [
        "{{ m.content | upper }}</s>",
        "{{ m.content | replace('Amber1, ', '') }}</s>",
        " {{ m.content }}</s>",
        "{{ m.content }} </s>",
        "{{ m.content }}{{ m.content }}</s>",
        "{{ m.content }}",
        "{{ m.content }}</s></s> ok",
    ],
)
def test_other_text_is_found(text: str, plain: str, trained: str, failing: Failing) -> None:
    assert "same-turn" in failing(plain, said(trained, text), named("one-turn"))


def test_white_space_behind_the_last_visible_character_is_free(plain: str, trained: str, failing: Failing) -> None:
    assert failing(plain, said(trained, "{{ m.content }}</s>\n"), named("one-turn")) == set()


def test_end_of_document_that_is_printed_only_while_nothing_follows_may_be_shed(
    plain: str, trained: str, failing: Failing
) -> None:
    original = plain.replace("</s>", "<|end|>" + LAST_ONLY)
    training = trained.replace("</s>", "<|end|>")
    assert failing(original, training, named("one-turn"), named("two-turns")) == set()


def test_stop_token_that_is_printed_in_history_too_may_not_be_shed(plain: str, trained: str, failing: Failing) -> None:
    original = plain.replace("</s>", "<|end|></s>")
    training = trained.replace("</s>", "<|end|>")
    assert "same-turn" in failing(original, training, named("one-turn"), named("two-turns"))


def test_generation_prompt_that_nobody_asked_for_may_be_shed(plain: str, trained: str, failing: Failing) -> None:
    original = plain.replace("{% if add_generation_prompt %}", "{% if true %}")
    assert failing(original, trained, named("one-turn"), named("two-turns")) == set()


def test_reasoning_that_the_original_drops_from_history_is_kept(plain: str, trained: str, failing: Failing) -> None:
    original = plain.replace("{{ m.content }}", THINKING + "{{ m.content }}")
    kept = said(trained, THINKING.replace(" and loop.last", "") + "{{ m.content }}</s>")
    assert failing(original, kept, named("reasoning-two-turns"), named("reasoning-some-turns")) == set()


@pytest.mark.parametrize(
    "text",
    [
        "<think>{{ m.reasoning_content }}</think>{{ m.reasoning_content }}{{ m.content }}</s>",
        "{{ m.content }}<think>{{ m.reasoning_content }}</think></s>",
        "<think>{{ m.reasoning_content }}</think>{{ m.content | upper }}</s>",
        "<think>{{ m.reasoning_content }}</think></s>",
        "<think>{{ m.reasoning_content }}</think>{{ m.content }} and more</s>",
    ],
)
def test_reasoning_is_kept_once_and_in_front_of_the_same_answer(
    text: str, plain: str, trained: str, failing: Failing
) -> None:
    assert "same-turn" in failing(plain, said(trained, text), named("reasoning"))


def test_end_of_an_empty_answer_may_not_be_lost(plain: str, trained: str, failing: Failing) -> None:
    silent = trained.replace(
        "{% generation %}{{ m.content }}</s>", "{% generation %}{{ m.content ~ '</s>' if m.content }}"
    )
    assert "same-turn" in failing(plain, silent, named("edges-empty-answer"))


def test_end_of_a_turn_that_the_original_rewrites_is_no_other(plain: str, trained: str, failing: Failing) -> None:
    original = plain.replace("{{ m.content }}", "{{ '<no>' if m.role == 'assistant' and loop.last }}{{ m.content }}")
    assert "same-turn" in failing(original, said(trained, "<no>{{ m.content }}>"), named("two-turns"))
