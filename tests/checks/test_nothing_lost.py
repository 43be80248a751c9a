"""Where text moves, a training template may decline; it may never print half of what was said."""

from collections.abc import Callable

from trainplate.conversations import named

Failing = Callable[..., set[str]]
HOISTING = (
    "{% for m in messages if m.role == 'system' %}<system>{{ m.content }}</s>{% endfor %}"
    "{% for m in messages if m.role != 'system' %}<{{ m.role }}>@{% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)
MARKED = (
    "{% if m.role == 'assistant' %}{% generation %}{{ m.content }}</s>{% endgeneration %}"
    "{% else %}{{ m.content }}</s>{% endif %}"
)
SYSTEM_LOOP = "{% for m in messages if m.role == 'system' %}<system>{{ m.content }}</s>{% endfor %}"


def test_later_system_message_may_be_hoisted_or_declined_and_not_dropped(failing: Failing) -> None:
    original, training = HOISTING.replace("@", "{{ m.content }}</s>"), HOISTING.replace("@", MARKED)
    declining = (
        "{% if messages[1:] | selectattr('role', 'equalto', 'system') | list %}{{ raise_exception('no') }}{% endif %}"
    )
    told = named("system-late")
    assert failing(original, training, told) == set()
    assert failing(original, declining + training, told) == set()
    assert failing(original, training.replace(SYSTEM_LOOP, ""), told) == {"nothing-lost"}


def test_word_that_the_original_does_not_print_is_not_missed(plain: str, trained: str, failing: Failing) -> None:
    silent = "{{ m.content if m.role != 'tool' }}"
    original = plain.replace("{{ m.content }}", silent)
    training = trained.replace("{% else %}{{ m.content }}", "{% else %}" + silent)
    assert failing(original, training, named("tool-cycle")) == set()


def test_call_that_is_printed_and_not_trained_is_found(plain: str, trained: str, failing: Failing) -> None:
    calls = "{% for call in m.tool_calls or [] %}{{ call.function.arguments | tojson }}{% endfor %}"
    original = plain.replace("{{ m.content }}", calls + "{{ m.content }}")
    outside = trained.replace("{% generation %}", calls + "{% generation %}")
    inside = trained.replace("{% generation %}", "{% generation %}" + calls)
    assert "nothing-lost" in failing(original, outside, named("call"))
    assert failing(original, inside, named("call")) <= {"arguments"}
