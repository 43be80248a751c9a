"""What must render, and what a training template may decline."""

from collections.abc import Callable

import pytest

from trainplate.checks import Report
from trainplate.conversations import named

Failing = Callable[..., set[str]]
DECLINE = "{{ raise_exception('no') }}"


def test_conversation_that_the_original_declines_too_asks_nothing(
    plain: str, trained: str, judged: Callable[..., Report]
) -> None:
    no_tools = "{% if tools %}" + DECLINE + "{% endif %}"
    report = judged(no_tools + plain, no_tools + trained)
    assert report.proven


def test_conversation_that_only_training_declines_is_found(plain: str, trained: str, failing: Failing) -> None:
    no_tools = "{% if tools %}" + DECLINE + "{% endif %}"
    assert failing(plain, no_tools + trained, named("call")) == {"renders"}


def test_prompt_on_the_way_that_only_training_declines_is_found(
    plain: str, trained: str, judged: Callable[..., Report]
) -> None:
    strict = "{% if add_generation_prompt and messages | length > 1 %}" + DECLINE + "{% endif %}"
    report = judged(plain, strict + trained, named("two-turns"))
    assert [(finding.check, finding.witness) for finding in report.findings] == [("renders", "two-turns[:4]")]


def test_json_text_that_only_training_declines_is_found(plain: str, trained: str, failing: Failing) -> None:
    printed = (
        "{% for call in m.tool_calls or [] %}{{ call.function.name }}{{ call.function.arguments | tojson }}{% endfor %}"
    )
    strict = printed.replace(" | tojson", ".items() | list | tojson")
    listed = printed.replace(
        "{{ call.function.arguments | tojson }}",
        "{{ (call.function.arguments if call.function.arguments is string"
        " else call.function.arguments.items() | list) | tojson }}",
    )
    original = plain.replace("{{ m.content }}", "{{ m.content }}" + listed)
    training = trained.replace("{{ m.content }}", "{{ m.content }}" + strict)
    assert failing(original, training, named("call")) == {"renders"}


def test_conversation_whose_stages_the_original_declines_may_be_declined(
    plain: str, trained: str, failing: Failing
) -> None:
    """Nobody could have come to its end: the original would not have asked for the second answer."""
    no_second = "{% if add_generation_prompt and messages | length == 3 %}" + DECLINE + "{% endif %}"
    short = "{% if messages | length > 3 %}" + DECLINE + "{% endif %}"
    assert failing(no_second + plain, short + trained, named("two-turns")) == set()


@pytest.mark.parametrize(
    ("when", "message"),
    [
        ("tools", "the conversation is declined: no"),
        ("add_generation_prompt", "this stage of the conversation is declined: no"),
        (
            "messages[1:] and messages[1].tool_calls[0].function.arguments is string",
            "arguments as JSON text are declined: no",
        ),
    ],
)
def test_what_is_declined_is_told_in_the_words_of_the_template(
    plain: str, trained: str, judged: Callable[..., Report], when: str, message: str
) -> None:
    calls = "{% for c in m.tool_calls or [] %}{{ c.function.arguments | string }}{% endfor %}{{ m.content }}"
    original, training = plain.replace("{{ m.content }}", calls), trained.replace("{{ m.content }}", calls)
    report = judged(original, f"{{% if {when} %}}{DECLINE}{{% endif %}}" + training, named("call"))
    assert message in {finding.message for finding in report.findings}


def test_long_words_of_a_template_are_cut(plain: str, trained: str, judged: Callable[..., Report]) -> None:
    long = "{{ raise_exception('no\n  ' ~ 'never ' * 90) }}"
    report = judged(plain, long + trained, named("one-turn"))
    (message,) = {finding.message for finding in report.findings}
    assert message.startswith("the conversation is declined: no never never")
    assert message.endswith("…")
    assert len(message) < 160
