"""Messages become what a template can take, and only where it cannot take them as they are."""

import pytest

from trainplate import assistant_masks, normalise_messages
from trainplate.errors import Declined
from trainplate.masks.normalisation import normalised
from trainplate.masks.wants import Wants, wants_of
from trainplate.rendering import Handling, compile_template

STRINGS = "{% for m in messages %}<{{ m.role }}>{{ m.content + '</s>' }}{% endfor %}"
PARTS = "{% for m in messages %}<{{ m.role }}>{% for p in m.content %}{{ p.text }}{% endfor %}{% endfor %}"
CALLS = (
    "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% for c in m.tool_calls or [] %}"
    "{{ c.function.name }} ARGUMENTS{% endfor %}</s>{% endfor %}"
)
OBJECTS = {
    "walked": CALLS.replace("ARGUMENTS", "{% for k, v in c.function.arguments.items() %}{{ k }}={{ v }};{% endfor %}"),
    "encoded": CALLS.replace("ARGUMENTS", "{{ c.function.arguments | tojson }}"),
}
TEXT = CALLS.replace("ARGUMENTS", "{{ '' + c.function.arguments }}")
EITHER = CALLS.replace(
    "ARGUMENTS",
    "{{ c.function.arguments if c.function.arguments is string else c.function.arguments | tojson }}",
)


def user(content):
    return {"role": "user", "content": content}


def calling(arguments, **fields):
    call = {"type": "function", "function": {"name": "find", "arguments": arguments}}
    return {"role": "assistant", "content": "", "tool_calls": [call], **fields}


@pytest.mark.parametrize("template", OBJECTS.values(), ids=OBJECTS)
def test_json_text_is_parsed_where_objects_are_wanted(template):
    messages = [user("hi"), calling('{"city": "Málaga", "days": 2}')]
    assert normalise_messages(messages, template) == [user("hi"), calling({"city": "Málaga", "days": 2})]
    assert messages[1] == calling('{"city": "Málaga", "days": 2}'), "what was given stays as it is"


def test_objects_are_written_where_text_is_wanted():
    assert normalise_messages([calling({"city": "Málaga"})], TEXT) == [calling('{"city": "Málaga"}')]


@pytest.mark.parametrize("arguments", [{"city": "Oslo"}, '{"city": "Oslo"}'])
def test_what_a_template_takes_stays_as_it_is(arguments):
    messages = [user("hi"), calling(arguments)]
    assert normalise_messages(messages, EITHER) == messages


@pytest.mark.parametrize("arguments", ["{city", "[1, 2]", "7"])
def test_text_that_is_no_object_is_left_alone_and_counted(arguments):
    wants = Wants(arguments="objects")
    messages, changes = normalised([calling(arguments)], wants)
    assert messages == [calling(arguments)]
    assert changes.total() == 1


def test_contents_become_parts_or_strings():
    parts = [{"type": "text", "text": "hel"}, {"type": "text", "text": "lo"}]
    assert normalise_messages([user(parts)], STRINGS) == [user("hello")]
    assert normalise_messages([user("hello")], PARTS) == [user([{"type": "text", "text": "hello"}])]


def test_a_picture_is_never_thrown_away():
    parts = [{"type": "image"}, {"type": "text", "text": "hello"}]
    assert normalise_messages([user(parts)], STRINGS) == [user(parts)]


def test_a_missing_content_is_filled_in_where_it_is_missed():
    joined = EITHER.replace("{{ m.content }}", "{{ m.content + '' }}")
    for given in ({"content": None}, {}):
        message = {**{k: v for k, v in calling({}).items() if k != "content"}, **given}
        assert normalise_messages([message], joined) == [{**message, "content": ""}]
        assert normalise_messages([message], EITHER) == [message]


def test_reasoning_moves_to_the_field_that_is_read_where_nobody_else_does_it():
    template = "{% for m in messages %}{{ m.role }}{{ m.thinking or '' }}{{ m.content }}{% endfor %}"
    said = {"role": "assistant", "content": "two", "reasoning": "one"}
    old = compile_template(template, handling=Handling(none_dropped=False, reasoning_aliased=False))
    assert normalise_messages([said], old) == [{"role": "assistant", "content": "two", "thinking": "one"}]
    assert normalise_messages([said], template) == [said], "a present release offers it under every name"


def test_masks_are_made_from_normalised_messages_and_say_so(chatml, template):
    asked = template.replace("arguments | tojson", "arguments.items() | list | tojson")
    batch = assistant_masks(chatml, [[user("hi"), calling('{"a": 1}')]] * 2, template=asked)
    assert '[["a", 1]]' in chatml.decode(batch.input_ids[0])
    assert batch.counts.normalised == {"arguments parsed from JSON text": 2}
    with pytest.raises(Declined, match="conversation 0"):
        assistant_masks(chatml, [user("hi"), calling('{"a": 1}')], template=asked, normalise=False)


def test_a_template_is_asked_once():
    compiled = compile_template(STRINGS)
    assert wants_of(compiled) is wants_of(compiled)


def test_an_empty_content_beside_which_calls_are_lost_is_left_out_and_counted():
    null = "{% if m.content | default(none) is none %}{{ m.tool_calls | tojson }}{% else %}{{ m.content }}{% endif %}"
    template = "{% for m in messages %}<{{ m.role }}>" + null + "{% endfor %}"
    given = [user("hi"), calling({"city": "Coral five"})]
    bare = {key: value for key, value in given[1].items() if key != "content"}
    messages, changes = normalised(given, wants_of(compile_template(template)))
    assert messages == [given[0], bare]
    assert changes.total() == 1
    assert normalise_messages([user("hi"), {**bare, "content": "so"}], template)[1]["content"] == "so"
