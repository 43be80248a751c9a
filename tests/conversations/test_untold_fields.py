"""What a template asks answers for beyond the usual is found by telling it conversations."""

import pytest

from trainplate.conversations import named, untold_fields
from trainplate.rendering import compile_template

LOOP = "{{% for m in messages %}}{}{{{{ m.content }}}}{{% endfor %}}"


@pytest.mark.parametrize(
    ("asks", "fields"),
    [
        ("", ()),
        ("{{ m.reasoning_content }}{{ m.name }}{{ m['thinking'] }}{{ m.tool_calls }}", ()),
        ("{{ m.tool_plan }}", ("tool_plan",)),
        ("{{ m['tool_plan'] }}{{ m.get('prefix') }}", ("prefix", "tool_plan")),
        ("{% if 'tool_plan' in m %}x{% endif %}", ("tool_plan",)),
        ("{% if m.tool_plan is defined %}x{% endif %}", ("tool_plan",)),
        ("{% if m.role == 'user' %}{{ m.weather }}{% endif %}", ()),
        ("{% if m.tool_calls %}{{ m.tool_responses }}{% endif %}", ("tool_responses",)),
        ("{% if m.reasoning_content %}{{ m.signature }}{% endif %}", ("signature",)),
        ("{{ m['tool_plan'] }}{{ raise_exception('no') if m.role == 'assistant' }}", ("tool_plan",)),
        ("{{ m.items() | list }}{{ m | tojson }}", ()),
    ],
)
def test_fields_of_answers_are_found_that_no_conversation_has(asks: str, fields: tuple[str, ...]) -> None:
    assert untold_fields(compile_template(LOOP.format(asks))) == fields


def test_a_template_that_takes_parts_alone_is_asked_with_parts() -> None:
    source = LOOP.format("{% for part in m.content %}{{ part.text }}{{ m.plan }}{% endfor %}")
    assert untold_fields(
        compile_template("{{ raise_exception('parts') if messages[0].content is string }}" + source)
    ) == ("plan",)


def test_only_conversations_that_are_given_are_told() -> None:
    template = compile_template(LOOP.format("{{ m.plan if m.tool_calls }}"))
    assert untold_fields(template, [named("one-turn")]) == ()
    assert untold_fields(template, [named("call")]) == ("plan",)


def test_messages_print_as_they_do_otherwise() -> None:
    template = compile_template("{% for m in messages %}{{ m | tojson }}{{ m }}{{ m.a }}{% endfor %}")
    told = named("reasoning")
    before = template.render(told.messages)
    assert untold_fields(template, [told]) == ("a",)
    assert template.render(told.messages) == before
