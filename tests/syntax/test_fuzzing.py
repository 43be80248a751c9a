"""Published templates cut up and filled with what a lexer, a parser and a printer can stumble over."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jinja2 import TemplateError

from trainplate.errors import SyntaxFault
from trainplate.rendering import environment
from trainplate.syntax import Tree, normal_form, parse, segments
from trainplate.syntax.numbering import numbered_tokens

pytestmark = pytest.mark.filterwarnings("ignore:invalid escape sequence")

BITS = [
    "{%", "%}", "{{", "}}", "{#", "#}", "{%-", "-%}", "{%+", "+%}", "{{-", "-}}", "{#-", "-#}", "+#}", "-", "+",
    "{% raw %}", "{% endraw %}", "{%- raw -%}", "{%+endraw+%}", "{% raw x %}", "\n", " ", "\t", "\x0b", "\u2028",
    "\x85",
    "'", '"', "\\", "'\\x'", "'\\N{DASH}'", "'\\ud800'", "(", ")", "[", "]", "{", "}", "[]", "x[]", "()", ".", ",", ":",
    ";", "=", "==", "!", "~", "|", "*", "**", "//", "%", "1", "1_0", "0x", "0xF_", "1.5", "1e5", "1.e5", "a.0.1",
    "²", "٣",
    "٣.٤", "é", "á", "x", "loop", "is", "not", "in", "if", "else", "and", "none", "True", " is not y ", " not in ",
    "x|f|g.h(1)|i", "x if y", "{% if x %}", "{% elif x %}", "{% else %}", "{% endif %}", "{% for x in y %}",
    "{% endfor %}", "{% break %}", "{% generation %}", "{% endgeneration %}", "{% set x %}", "{% endset %}",
    "{% set x = 1, %}", "{% macro m(a, b=1) %}", "{% endmacro %}", "{% call(a) m() %}", "{% endcall %}",
    "{% filter f|g %}", "{% endfilter %}", "{% block b required %}", "{% endblock %}", "{% autoescape x %}",
    "{% endautoescape %}", "{% with x = 1 %}", "{% endwith %}", "{% print x, y %}", "{% include x %}",
    "{{ 'a' + x ~ y }}",
]  # fmt: skip


def mutated(draw: st.DrawFn, texts: tuple[str, ...]) -> str:
    text = draw(st.sampled_from(texts))
    start = draw(st.integers(0, len(text)))
    text = text[start : start + draw(st.integers(0, 200))].replace("\r", "")
    for bit in draw(st.lists(st.sampled_from(BITS), max_size=6)):
        place = draw(st.integers(0, len(text)))
        text = text[:place] + bit + text[place + draw(st.integers(0, 3)) :]
    return text


@pytest.fixture(scope="session")
def sources(published_texts: tuple[str, ...]) -> st.SearchStrategy[str]:
    pieces = st.composite(mutated)(published_texts)
    return st.one_of(pieces, st.lists(st.sampled_from(BITS), max_size=9).map("".join))


def ours(read: Callable[[str], Any], source: str) -> Any:
    """What we make of a source, or the fault with which we turn it down; anything else that is raised is a bug."""
    try:
        return read(source)
    except SyntaxFault as fault:
        return fault


def jinjas(source: str) -> Any:
    """Jinja's own tokens and tree, or the exception with which it turns the source down, whichever that is."""
    try:
        tokens = [(token.type, token.value) for token in environment().lexer.tokenize(source)]
        return [token for token in tokens if token[0] not in DELIMITERS], environment().parse(source)
    except (TemplateError, ValueError, SyntaxError, RecursionError) as error:
        return error


DELIMITERS = ("variable_begin", "variable_end", "block_begin", "block_end")
"""Jinja's lexer keeps the white space around a tag with these, and its parser does not look at it."""


@given(st.data())
@settings(max_examples=300)
def test_a_source_has_segments_that_join_back_or_a_fault(sources: st.SearchStrategy[str], data: st.DataObject) -> None:
    """Law: never anything else, whatever the source is."""
    source = data.draw(sources)
    found = ours(segments, source)
    if isinstance(found, SyntaxFault):
        assert 1 <= found.line <= source.count("\n") + 1
        assert 1 <= found.column <= len(source.split("\n")[found.line - 1]) + 1
    else:
        assert "".join(source[piece.start : piece.end] for piece in found) == source


@given(st.data())
@settings(max_examples=300)
def test_we_read_what_jinja_reads_and_turn_down_what_it_does(
    sources: st.SearchStrategy[str], data: st.DataObject
) -> None:
    """Law: the same sources are templates, with the same tokens and the same tree."""
    source = data.draw(sources)
    expected, tree = jinjas(source), ours(lambda text: parse(text, environment()), source)
    assert isinstance(tree, SyntaxFault) == isinstance(expected, Exception)
    if isinstance(tree, Tree):
        tokens, root = expected
        assert [token for token in numbered_tokens(source) if token[0] not in DELIMITERS] == tokens
        assert tree.root == root


@given(st.data())
@settings(max_examples=300)
def test_a_source_has_a_stable_normal_form_or_a_fault(sources: st.SearchStrategy[str], data: st.DataObject) -> None:
    """Law: never anything else; and a normal form is a template."""
    source = data.draw(sources)
    assert isinstance(ours(normal_form, source), SyntaxFault) == isinstance(ours(parse, source), SyntaxFault)
    if isinstance(ours(parse, source), Tree):
        for without_markers in (False, True):
            once = normal_form(source, without_markers=without_markers)
            assert normal_form(once, without_markers=without_markers) == once
