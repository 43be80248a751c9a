"""How a turn may be ended where the original does not end it."""

from collections.abc import Callable

from trainplate.conversations import named

Failing = Callable[..., set[str]]
ENDLESS = (
    "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
MARKED = (
    "{% if m.role == 'assistant' %}{% generation %}{{ m.content }}@{% endgeneration %}"
    "{% else %}{{ m.content }}{% endif %}"
)
OWN_HEADER = "<|{{ m.role }}|>"
HEADER_NOT_TWICE = "{% if loop.first or loop.previtem.role != 'assistant' %}<|{{ m.role }}|>{% endif %}"


def ended_with(stop: str) -> str:
    return ENDLESS.replace("{{ m.content }}", MARKED.replace("@", stop))


def test_turn_without_an_end_is_ended_by_eos_or_not_at_all(failing: Failing) -> None:
    assert failing(ENDLESS, ended_with("{{ eos_token }}"), named("one-turn")) == set()
    assert failing(ENDLESS, ended_with(""), named("one-turn")) == {"stop-trained"}


def test_turn_without_an_end_may_take_the_marker_of_the_next_message_over(failing: Failing) -> None:
    training = ended_with("<|user|>").replace(OWN_HEADER, HEADER_NOT_TWICE)
    assert failing(ENDLESS, training, named("one-turn"), named("two-turns")) == set()


def test_marker_taken_over_may_not_be_printed_twice(failing: Failing) -> None:
    assert "between-turns" in failing(ENDLESS, ended_with("<|user|>"), named("two-turns"))


def test_stop_of_our_own_invention_is_refused(failing: Failing) -> None:
    assert "stop-trained" in failing(ENDLESS, ended_with("<|stop|>"), named("one-turn"))


def test_white_space_is_no_stop(failing: Failing) -> None:
    assert "stop-trained" in failing(ENDLESS, ended_with("\n"), named("one-turn"))


def test_stop_behind_the_markers_is_not_trained(plain: str, failing: Failing) -> None:
    outside = plain.replace(
        "{{ m.content }}</s>",
        "{% if m.role == 'assistant' %}{% generation %}{{ m.content }}{% endgeneration %}"
        "{% else %}{{ m.content }}{% endif %}</s>",
    )
    assert "stop-trained" in failing(plain, outside, named("one-turn"))


def test_white_space_behind_the_stop_may_stand_on_either_side_of_the_marker(plain: str, failing: Failing) -> None:
    original = plain.replace("</s>", "</s>\n\n")
    for end in ("</s>\n\n{% endgeneration %}", "</s>{% endgeneration %}{{ '\n\n' }}"):
        marked = f"{{% if m.role == 'assistant' %}}{{% generation %}}{{{{ m.content }}}}{end}{{% else %}}@{{% endif %}}"
        training = original.replace("{{ m.content }}</s>\n\n", marked.replace("@", "{{ m.content }}</s>\n\n"))
        assert failing(original, training, named("two-turns")) == set()
