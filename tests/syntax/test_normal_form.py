from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainplate.conversations import Conversation, suite
from trainplate.errors import Declined, SyntaxFault
from trainplate.rendering import compile_template
from trainplate.syntax import Kind, Segment, normal_form, segments, with_newlines

SPECIAL_TOKENS = {"bos_token": "<s>", "eos_token": "</s>"}
OPTIONS: list[dict[str, Any]] = [{}, {"add_generation_prompt": True, "enable_thinking": False}]


def printed(source: str, conversations: list[Conversation], **options: Any) -> list[str]:
    """What a template says to each conversation; its own words where it declines one on purpose."""
    template = compile_template(source, special_tokens=SPECIAL_TOKENS)
    said: list[str] = []
    for conversation in conversations:
        try:
            said.append(template.render(conversation.messages, conversation.tools, **options))
        except Declined as reason:
            said.append(f"declined: {reason if reason.deliberate else ''}")
    return said


def test_a_normal_form_prints_what_its_source_prints(published: str) -> None:
    """Law: on every conversation, declined ones included. Two that share a normal form thus print the same."""
    conversations = list(suite()[::14])
    for options in OPTIONS:
        assert printed(normal_form(published), conversations, **options) == printed(published, conversations, **options)


def test_the_normal_form_of_a_normal_form_is_itself(published_texts: tuple[str, ...]) -> None:
    """Law: it holds for every template, with and without markers."""
    for text in published_texts[::16]:
        once, bare = normal_form(text), normal_form(text, without_markers=True)
        assert normal_form(once) == once
        assert normal_form(once, without_markers=True) == normal_form(bare) == bare


def all_different(source: str) -> str:
    """The same template in another style: no white space control, a comment behind every tag, other quotes, CRLF."""
    return "".join(rewritten(source, piece) for piece in segments(source)).replace("\n", "\r\n") + "\r\n"


def rewritten(source: str, piece: Segment) -> str:
    if piece.kind is Kind.TEXT:
        # Behind a text that ends in a brace, a tag would open one character too early.
        return f"{piece.printed[:-1]}{{{{ '{{' }}}}" if piece.printed.endswith("{") else piece.printed
    if piece.kind is Kind.RAW:
        return f"{{%+ raw %}}{piece.printed}{{%+ endraw +%}}"
    if piece.kind is Kind.COMMENT:
        return "{#+ other words +#}"
    words, position = [], piece.inner_start
    for token in piece.tokens:
        words.append(source[position : token.start].replace(" ", " \n "))
        plain = token.type == "string" and not set(token.text[1:-1]) & set("'\"\\\n")
        words.append(token.text.translate(str.maketrans("'\"", "\"'")) if plain else token.text)
        position = token.end
    inside = "".join(words)
    if piece.kind is Kind.EXPRESSION:
        return f"{{{{ {inside} }}}}{{#+ added +#}}"
    return f"{{%+ {inside} +%}}{{#+ added +#}}"


def test_style_does_not_change_the_normal_form(published: str) -> None:
    """Law: comments, quotes, line ends and the way in which white space is controlled make no difference."""
    other = all_different(with_newlines(published))
    assert other != published
    assert normal_form(other) == normal_form(published)


EQUAL = [
    ("a{# b #}c", "ac"),
    ("a\n\n", "a\n\r\n"),
    ("{{ a }}\n", "{{ a }}"),
    ("{{ 'a' }}b{{ \"c\" }}", "abc"),
    ("{{ 'a' 'b' + 'c' ~ \"d\" }}", "abcd"),
    ("{{ ('a' + ('b' + 'c')) }}", "abc"),
    ("a\n  {%- if x -%}  b\n{% endif %}\n", "a{% if x %}b\n{% endif %}"),
    ("  {% if x %}\n  a\n  {% endif %}\n", "{%+ if x +%}  a\n{%+ endif +%}"),
    ("{% raw %}{{ a }}{% endraw %}", "{{ '{{ a }}' }}"),
    ("{{x|f(1,2)}}", "{{- ( x | f ( 1 , 2 ) ) -}}"),
    ("{{ x == True and y is not none or None }}", "{{ x == true and y is not none or none }}"),
    ("{{ 1_000 + 0XFF + 1E5 }}", "{{ 1000 + 0xff + 1e5 }}"),
    ("{{ 'é\\n\\t\\u00a0' }}", "{{ '\\xe9\n\t\xa0' }}"),
    ("{{ '<s>' + x + y }}", "<s>{{ '' + x }}{{ '' + y }}"),
    ("{{ x ~ y ~ 'a' }}", "{{ x }}{{ y }}a"),
    ("{{ 'a' + (x ~ (y + 'b')) }}", "a{{ x }}{{ '' + y }}b"),
    ("{{ '' }}{# nothing #}", ""),
    ("{% block b required %} {# c #}\n{% endblock %}", "{% block b required %}{% endblock %}"),
    ("{{ x[ : -1 ] [0].a }}", "{{ x[:-1][0].a }}"),
    (
        "{% autoescape true %}<{{ '<' }}{% endautoescape %}",
        "{%autoescape true%}{{ '<'|safe }}{{ '<' }}{% endautoescape %}",
    ),
]


@pytest.mark.parametrize(("one", "other"), EQUAL)
def test_what_always_prints_the_same_has_one_normal_form(one: str, other: str) -> None:
    assert normal_form(one) == normal_form(other)


DIFFERENT = [
    ("{{ x + y }}", "{{ x }}{{ y }}"),
    ("{{ 'a' + x }}", "{{ 'a' ~ x }}"),
    ("{{ 'a' + 1 }}", "a1"),
    ("{{ 'a' + x - y }}", "a{{ x - y }}"),
    ("{{ '<' + x | safe }}", "<{{ x | safe }}"),
    ("{% autoescape true %}<{% endautoescape %}", "{% autoescape true %}{{ '<' }}{% endautoescape %}"),
    ("{{ x.y }}", "{{ x['y'] }}"),
    ("{{ x is none }}", "{{ x is None }}"),
    ("{{ x.True }}", "{{ x.true }}"),
    ("{{ x.0.1 }}", "{{ x.0 }}.1"),
    ("{{ 1 . 5 }}", "{{ 1.5 }}"),
    ("a\n\n", "a\n"),
    ("{% generation %}a{% endgeneration %}", "a"),
]


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_what_may_print_differently_has_different_normal_forms(one: str, other: str) -> None:
    assert normal_form(one) != normal_form(other)


MARKERS_ALONE = [
    ("{{ '<a>' + x + '</a>' }}", "{{ '<a>' }}{% generation %}{{ x + '</a>' }}{% endgeneration %}"),
    ("<a>{{ x }}</a>\n", "<a>{%- generation -%}{{ x }}</a>{%- endgeneration %}\n"),
    (
        "{% if x %}\n    {{- x }}\n{% endif %}",
        "{% if x %}\n    {%- generation %}\n    {{- x }}\n{% endgeneration %}\n{% endif %}",
    ),
]


@pytest.mark.parametrize(("original", "training"), MARKERS_ALONE)
def test_a_template_with_markers_added_is_the_original_without_them(original: str, training: str) -> None:
    assert normal_form(training, without_markers=True) == normal_form(original)
    assert normal_form(training) != normal_form(original)


def test_a_normal_form_reads_well() -> None:
    source = """
{%- for message in messages %}
    {#- a turn -#}
    {{- "<|im_start|>" + message['role'] + "\\n" }}
    {%- if message.content is string and not loop.first %}{{ message.content|trim }}{% endif %}<|im_end|>
{% endfor %}
"""
    assert normal_form(source) == (
        "{% for message in messages %}\n"
        "{{ '<|im_start|>' }}{{ '' + message['role'] }}{{ '\\n' }}"
        "{% if message.content is string and not loop.first %}\n"
        "{{ message.content | trim }}{% endif %}\n"
        "{{ '<|im_end|>\\n' }}{% endfor %}\n"
    )


@pytest.mark.parametrize("link", [" + ", " ~ ", " and ", "|f + ", ".a", "[0]", "|f(1)"])
def test_a_long_chain_has_a_normal_form(link: str) -> None:
    source = f"{{{{ a{(link + 'a' * link.endswith(' ')) * 1500} }}}}"
    assert normal_form(normal_form(source)) == normal_form(source)


def test_what_is_no_template_has_no_normal_form() -> None:
    with pytest.raises(SyntaxFault, match=":2:1:"):
        normal_form("a\r\n{% if x %}")


VALUES = st.one_of(
    st.text("ab<&{'\n", max_size=3), st.integers(0, 2), st.none(), st.lists(st.integers(0, 2), max_size=2)
)
OPERAND = st.sampled_from(
    ["x", "y", "'a'", '"<\\n"', "1", "none", "true", "x | string", "y | e", "undefined", "[1]", "x | safe"]
)
EXPRESSION = st.recursive(
    OPERAND,
    lambda parts: st.one_of(
        st.builds("{} + {}".format, parts, parts),
        st.builds("{} ~ {}".format, parts, parts),
        st.builds("({} + {})".format, parts, parts),
        st.builds("( {} ~ {} )".format, parts, parts),
        st.builds("({} if x else {})".format, parts, parts),
        st.builds("{} - {}".format, parts, parts),
    ),
    max_leaves=6,
)
PIECE = st.one_of(
    st.sampled_from(
        [" ", "\n", "\n\n", "  ", "a", "<", "\\", "'", "{ ", "{# c #}", "{#- c +#}", "\t{#+ c -#}", "\u2028"]
    ),
    st.builds(
        "{{%{} raw %}}{}{{% endraw {}%}}".format, st.sampled_from("- +"), st.just(" {{ x }}\n "), st.sampled_from("-+ ")
    ),
    st.builds("{{{{{} {} {}}}}}".format, st.sampled_from("- "), EXPRESSION, st.sampled_from("- ")),
)
TAGS = ["if x", "for x in y", "set y", "filter upper", "autoescape x", "generation", "macro m()", "with x = y"]


def block(tag: str, signs: str, inside: str) -> str:
    end = f"end{tag.split()[0]}"
    return f"{{%{signs[0]} {tag} {signs[1]}%}}{inside}{{%{signs[2]} {end} {signs[3]}%}}"


TEMPLATE = st.recursive(
    st.lists(PIECE, max_size=4).map("".join),
    lambda inner: st.lists(
        st.one_of(PIECE, st.builds(block, st.sampled_from(TAGS), st.text("-+ ", min_size=4, max_size=4), inner)),
        max_size=3,
    ).map("".join),
    max_leaves=5,
)


@given(TEMPLATE, VALUES, VALUES)
def test_any_template_prints_what_its_normal_form_prints(source: str, x: Any, y: Any) -> None:
    """Law: whatever the values are, a text that escapes what is added to it among them."""
    said = [Conversation("", ())]
    once = normal_form(source)
    assert printed(once, said, x=x, y=y) == printed(source, said, x=x, y=y)
    assert normal_form(once) == once
