"""What an original is told follows from what it reads, not from the words that it prints."""

from trainplate.patching.bench import lay

CHATML = (
    "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}<|end|>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
ON, OFF = {"thinking": True}, {"thinking": False}


def options_told(source: str) -> list[dict[str, object]]:
    heard = lay(source, {"eos_token": "<|end|>"}).heard
    return [
        dict(options)
        for options in {repr(one.conversation.options): one.conversation.options for one in heard}.values()
    ]


def test_a_switch_that_is_read_is_told_though_it_changes_nothing_at_first() -> None:
    assert options_told("{% set deep = thinking %}" + CHATML) == [{}, ON, OFF]


def test_a_switch_that_is_a_word_of_a_sentence_is_not_told() -> None:
    assert options_told("{{ 'You are thinking aloud.' }}{# no thinking here #}" + CHATML) == [{}]


def test_a_switch_that_the_template_fills_under_a_condition_is_told() -> None:
    source = "{% if tools %}{% set thinking = false %}{% endif %}{% set deep = thinking %}" + CHATML
    assert options_told(source) == [{}, ON, OFF]
