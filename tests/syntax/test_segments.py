import re

import pytest

from trainplate.errors import SyntaxFault
from trainplate.rendering import environment
from trainplate.syntax import Kind, segments
from trainplate.syntax.numbering import numbered_tokens


def joined(source: str) -> str:
    return "".join(source[piece.start : piece.end] for piece in segments(source))


def bare(kind: str, value: object) -> tuple[str, object]:
    """A token; what a delimiter took with it of the white space around it is not compared."""
    return kind, None if kind.endswith(("_begin", "_end")) else value


def jinja_tokens(source: str) -> list[tuple[str, object]]:
    return [bare(token.type, token.value) for token in environment().lexer.tokenize(source)]


def our_tokens(source: str) -> list[tuple[str, object]]:
    return [bare(*token) for token in numbered_tokens(source)]


def test_segments_join_back_to_the_source_on_every_template(published_texts: tuple[str, ...]) -> None:
    """Law: the segments' texts, joined, are the source."""
    for text in published_texts:
        source = text.replace("\r\n", "\n")
        assert joined(source) == source


def test_tokens_are_those_of_jinjas_own_lexer(published: str) -> None:
    """Law: types and values are the same, so white space control is applied as Jinja applies it."""
    source = published.replace("\r\n", "\n")
    assert our_tokens(source) == jinja_tokens(source)


def test_each_kind_of_segment_knows_its_inside() -> None:
    source = "a{#- b -#}{{- c -}}{%+ if d %}{% raw %}{{ e }}{% endraw %}{% endif %}"
    found = [(piece.kind, source[piece.inner_start : piece.inner_end]) for piece in segments(source)]
    assert found == [
        (Kind.TEXT, "a"),
        (Kind.COMMENT, " b -"),
        (Kind.EXPRESSION, " c "),
        (Kind.STATEMENT, " if d "),
        (Kind.RAW, "{{ e }}"),
        (Kind.STATEMENT, " endif "),
    ]
    assert [piece.keyword for piece in segments(source)] == ["", "", "", "if", "", "endif"]


WHITE_SPACE = [
    "a\n  {% if x %}\n b\n  {% endif %}\n\nc\n",
    "a\n  {%+ if x +%}\n b\n  {%- endif -%}\n\nc\n\n",
    "  {% if x %} {% endif %}  ",
    " {{ x }}\n {# c #}\n{#- c +#}\n a",
    "\t{#- c -#}\n\n b {{- x -}} \n {{ x }} {% set y = 1 -%}\n {# c #} {% set y = 1 %}",
    "a \n {% raw %} \n {{ b }} \n {% endraw %} \n c",
    "a {%- raw -%} \n {{ b }} {%- endraw -%} \n c",
    "a {%+ raw -%} \n {{ b }} {%+ endraw +%} \n c",
    "{% raw %}\n  {% endraw %}x{% raw %}  {% endraw %}\u2028{% set y = 1 %}\u2028\n\x0b{% set y = 1 %}",
    "{##}\n{##}\n\n{#-#}\n{#+#}\n{#--#}\n{#\n#}",
    "a{{ '%}' }}{{ {'}}': {'{%': 1}}['}}'] }}{% set x = {'a': {}} %}",
    "{{ 1.5e3 + 1_0 + 0x1F + 0 . 5 + x.0.1 + 1.real - 2.e1 }}{{ a//b**-c~d!=e>=f }}",
    "{{ 'a\\n\\u00e9' \"b'\" '\\'' }}{{ x|f is not y and not z in w }}",
    "\n",
    "",
    " \n\n",
]


@pytest.mark.parametrize("source", WHITE_SPACE)
def test_white_space_prints_as_in_jinja(source: str) -> None:
    assert joined(source) == source
    assert our_tokens(source) == jinja_tokens(source)


@pytest.mark.parametrize("source", ["a {#", "a {#-", "a{#+\n", "a {% raw %}", "a {%- raw -%} \n\n", "a{% raw %}\n"])
def test_a_comment_or_raw_block_that_opens_at_the_very_end_is_accepted_as_jinja_accepts_it(source: str) -> None:
    assert joined(source) == source
    assert our_tokens(source) == jinja_tokens(source)


@pytest.mark.parametrize(
    ("source", "line", "column", "words"),
    [
        ("a\n b {# c", 2, 4, "comment is never closed"),
        ("a\n {#\n\n", 2, 2, "comment is never closed"),
        ("\n{% raw %}\n{% if %}", 2, 1, "raw block is never closed"),
        ("a\n\n  {{ b\nc", 3, 3, "tag is never closed"),
        ("a {% if x", 1, 3, "tag is never closed"),
        ("{{ (a }}", 1, 7, "unexpected '}'"),
        ("{{ a) }}", 1, 5, "unexpected ')'"),
        ("{{ [a) }}", 1, 6, "unexpected ')'"),
        ("\n{{ a ? b }}", 2, 6, "unexpected character '?'"),
        ("{{ 'a }}", 1, 4, "string is never closed"),
        ("{{ 'a\\' }}\n", 1, 4, "string is never closed"),
        ("{{", 1, 1, "tag is never closed"),
        ("{%-", 1, 1, "tag is never closed"),
    ],
)
def test_what_is_never_closed_is_a_fault_with_its_place(source: str, line: int, column: int, words: str) -> None:
    with pytest.raises(SyntaxFault, match=re.escape(words)) as caught:
        segments(source)
    assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize(
    ("source", "column", "words"),
    [
        ("{{ ² }}", 4, "name"),
        ("{{ a.²b }}", 6, "name"),
        ("{{ ٣.٤ }}", 4, "float"),
        (f"{{{{ {'1' * 5000} }}}}", 4, "integer"),
        ("{{ 'a' + '\\x' }}", 10, "string"),
        ("{{ '\\N{no such character}' }}", 4, "string"),
    ],
)
def test_what_stands_for_no_value_is_a_fault_with_its_place(source: str, column: int, words: str) -> None:
    with pytest.raises(SyntaxFault, match=f"this {words} cannot be read") as caught:
        list(numbered_tokens(source))
    assert (caught.value.line, caught.value.column) == (1, column)
