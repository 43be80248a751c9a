"""Spans are those of the text in generation blocks, wherever the text has been."""

import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trainplate.rendering import TornMarkers, compile_template

MESSAGES = [{"role": "user", "content": "What is it?"}, {"role": "assistant", "content": "It is sunny."}]
BLOCK = "{% generation %}It is{% endgeneration %}"


def spoken(source, messages=MESSAGES):
    marked = compile_template(source).render_marked(messages)
    return [marked.text[start:end] for start, end in marked.spans]


def counted(source, messages=MESSAGES):
    template = compile_template(source)
    text = template.render(messages)
    return [text[start:end] for start, end in template.transformers_spans(messages)]


CAUGHT = {
    "macro": "{% macro turn() %}<a>" + BLOCK + "</a>{% endmacro %}ab{{ turn() }}",
    "set": "{% set turn %}<a>" + BLOCK + "</a>{% endset %}ab{{ turn }}",
    "filter": "ab{% filter upper %}<a>" + BLOCK.replace("It is", "IT IS") + "</a>{% endfilter %}",
    "call": "{% macro around() %}<a>{{ caller() }}</a>{% endmacro %}ab{% call around() %}-" + BLOCK + "{% endcall %}",
    "recursive loop": "ab{% for m in [1] recursive %}<a>" + BLOCK + "</a>{% endfor %}",
    "block by name": "ab{% block turn %}<a>" + BLOCK + "</a>{% endblock %}",
}


@pytest.mark.parametrize("source", CAUGHT.values(), ids=CAUGHT)
def test_a_caught_block_is_found_where_it_is_printed(source):
    assert spoken(source) == ["IT IS" if "upper" in source else "It is"]


@pytest.mark.parametrize("kind", ["macro", "set", "filter", "call", "recursive loop"])
def test_transformers_itself_would_count_a_caught_block_wrongly(kind):
    assert counted(CAUGHT[kind]) not in (["It is"], ["IT IS"])


def test_transformers_counts_a_block_rightly_where_it_is_printed_at_once():
    source = "{% for m in messages %}<{{ m.role }}>{% generation %}{{ m.content }}{% endgeneration %}{% endfor %}"
    assert counted(source) == spoken(source) == ["What is it?", "It is sunny."]


def test_a_capture_printed_twice_is_two_spans():
    assert spoken("{% set turn %}" + BLOCK + "{% endset %}{{ turn }}|{{ turn }}") == ["It is", "It is"]


def test_a_capture_that_is_not_printed_has_no_span():
    assert spoken("{% set turn %}" + BLOCK + "{% endset %}nothing") == []


def test_a_block_within_a_block_counts_as_one():
    source = "a{% generation %}b{% generation %}c{% endgeneration %}d{% endgeneration %}e"
    assert spoken(source) == ["bcd"]


def test_an_empty_block_has_no_span():
    assert spoken("a{% generation %}{{ '' }}{% endgeneration %}b") == []


@pytest.mark.parametrize(
    "use",
    ["turn | trim", "turn | length", "turn.split('It')[-1]", "turn[:3]", "'yes' if turn == 'It is' else 'no'"],
)
def test_a_template_that_works_on_the_text_of_a_block_is_told_apart(use):
    source = "{% set turn %} {% generation %} It is {% endgeneration %}{% endset %}{{ " + use + " }}"
    if "==" in use:
        source = source.replace(" {% generation %} It is {% endgeneration %}", BLOCK)
    with pytest.raises(TornMarkers, match="generation block"):
        compile_template(source).render_marked(MESSAGES)


def test_noncharacters_in_a_conversation_are_no_marks():
    contents = ["\ufdd0", "a\ufdd1b", "\ufdd1\ufdd0", "".join(map(chr, range(0xFDD0, 0xFDEE)))]
    messages = [{"role": "assistant", "content": content} for content in contents]
    source = "{% for m in messages %}<{% generation %}{{ m.content }}{% endgeneration %}>{{ m.content }}{% endfor %}"
    assert spoken(source, messages) == contents
    assert spoken(f"{{% macro f() %}}{source}{{% endmacro %}}{{{{ f() }}}}", messages) == contents


def test_a_conversation_with_every_noncharacter_is_an_error_of_its_own():
    messages = [{"role": "user", "content": "".join(map(chr, range(0xFDD0, 0xFDF0)))}]
    with pytest.raises(TornMarkers, match="noncharacter"):
        compile_template("{{ messages[0].content }}" + BLOCK).render_marked(messages)


# Inside markers only lower case is written, outside only upper case: so the text itself says what its spans must be.
def inner(depth):
    text = st.text("abc", min_size=1, max_size=3)
    if depth == 0:
        return text
    within = inner(depth - 1)
    return st.one_of(
        text,
        st.builds("{{% generation %}}{}{{% endgeneration %}}".format, within),
        st.builds("{{% for i in [1, 2] %}}{}{{% endfor %}}".format, within),
    )


def outer(depth):
    text = st.text("ABC\n ", max_size=4)
    block = st.builds("{{% generation %}}{}{{% endgeneration %}}".format, inner(1))
    if depth == 0:
        return st.one_of(text, block)
    within = st.lists(outer(depth - 1), max_size=3).map("".join)
    return st.one_of(
        text,
        block,
        st.builds("{{% for m in messages %}}{}{{% endfor %}}".format, within),
        st.builds("{{% for m in [1] recursive %}}{}{{% endfor %}}".format, within),
        st.builds("{{% macro f() %}}{}{{% endmacro %}}{{{{ f() }}}}A{{{{ f() }}}}".format, within),
        st.builds("{{% set x %}}{}{{% endset %}}{{{{ x }}}}".format, within),
        st.builds("{{% filter replace('A', 'CC') %}}{}{{% endfilter %}}".format, within),
        st.builds(
            "{{% macro g() %}}B{{{{ caller() }}}}{{% endmacro %}}{{% call g() %}}{}{{% endcall %}}".format, within
        ),
    )


@settings(deadline=None)
@given(st.lists(outer(3), max_size=4).map("".join))
def test_spans_partition_the_text_which_no_mark_changes(source):
    template = compile_template(source)
    marked = template.render_marked(MESSAGES)
    assert marked.text == template.render(MESSAGES)
    edges = [edge for span in marked.spans for edge in span]
    assert edges == sorted(edges)
    assert all(start < end for start, end in marked.spans)
    inside = "".join(marked.text[start:end] for start, end in marked.spans)
    assert inside == "".join(character for character in marked.text if character.islower())


@settings(deadline=None)
@given(st.lists(outer(3), max_size=4).map("".join))
def test_one_render_counts_as_two_do(source):
    """Law: where both are told at once, they are what is told of each alone; nothing caught is told at once."""
    template = compile_template(source)
    both = template.render_counted(MESSAGES)
    if both is not None:
        assert both == (template.render_marked(MESSAGES), template.transformers_spans(MESSAGES))


def test_a_caught_block_is_not_told_at_once():
    assert all(compile_template(source).render_counted(MESSAGES) is None for source in CAUGHT.values())
    assert compile_template("{% generation %}{% endgeneration %}a").render_counted(MESSAGES)[1] == ((0, 0),)


def test_threads_may_share_a_template():
    source = "{% macro turn(m) %}<{{ m.role }}>{% generation %}{{ m.content }}{% endgeneration %}{% endmacro %}"
    template = compile_template(source + "{% for m in messages %}{{ turn(m) }}{% endfor %}")
    found = {}

    def work(number):
        messages = [{"role": "assistant", "content": f"{number} says {i} " * (number + 1)} for i in range(20)]
        rendered = [template.render_marked(messages) for _ in range(30)]
        found[number] = all(
            [marked.text[start:end] for start, end in marked.spans] == [message["content"] for message in messages]
            for marked in rendered
        )

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == dict.fromkeys(range(8), True)
