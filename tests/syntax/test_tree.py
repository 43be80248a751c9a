import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import nodes

from trainplate.errors import SyntaxFault
from trainplate.rendering import environment
from trainplate.syntax import Tree, parse
from trainplate.syntax.grammar import grammar

WRAPPED = {
    nodes.Slice: "{{{{ x[{}] }}}}",
    nodes.Keyword: "{{{{ f({}) }}}}",
    nodes.Pair: "{{{{ {{ {} }} }}}}",
    nodes.Operand: "{{{{ x {} }}}}",
}
"""For the nodes that are no expressions of their own: what to put around them so that they can be parsed."""


def wrapped(node: nodes.Node, text: str) -> str:
    """A template in which the text of a node is parsed in the same way as where it stood."""
    context = getattr(node, "ctx", "load")
    if isinstance(node, nodes.Stmt):
        return f"{{% {text} %}}"
    if isinstance(node, nodes.NSRef) or context == "store":
        return f"{{% set {text} = 1 %}}"
    if context == "param":
        return f"{{% with {text} = 1 %}}{{% endwith %}}"
    if isinstance(node, nodes.Filter) and innermost(node) is None:
        return f"{{% filter {text} %}}{{% endfilter %}}"
    if isinstance(node, nodes.Tuple) and any(isinstance(item, nodes.Slice) for item in node.items):
        return f"{{{{ x[{text}] }}}}"
    return WRAPPED.get(type(node), "{{{{ ({}) }}}}").format(text)


def innermost(node: nodes.Filter) -> nodes.Node | None:
    while isinstance(node.node, nodes.Filter):
        node = node.node
    return node.node


def all_nodes(tree: Tree) -> list[nodes.Node]:
    """The nodes that someone wrote: what the grammar makes up for a generation block has no place."""
    made_up = nodes.Template | nodes.Output | nodes.TemplateData | nodes.ExtensionAttribute
    found = [node for node in tree.root.find_all(nodes.Node) if not isinstance(node, made_up)]
    calls = [node.call for node in found if isinstance(node, nodes.CallBlock) and not node.call.find(nodes.Name)]
    elifs = [branch for node in found if isinstance(node, nodes.If) for branch in node.elif_]
    return [node for node in found if not any(node is other for other in calls + elifs)]


def assert_every_extent_parses_back(tree: Tree) -> None:
    for node in all_nodes(tree):
        source = wrapped(node, tree.text(node))
        assert any(node == found for found in grammar().parse(source).find_all(type(node))), source


def test_the_text_of_every_node_parses_back_to_an_equal_node(published: str) -> None:
    """Law: the extent of a node holds all of it and nothing else."""
    assert_every_extent_parses_back(parse(published.replace("\r\n", "\n")))


def test_the_tree_is_jinjas_own(published: str) -> None:
    """Law: with the same tokens Jinja's parser makes the same tree."""
    assert parse(published.replace("\r\n", "\n"), environment()).root == environment().parse(published)


ATOMS = st.sampled_from(
    [
        "a",
        "ns",
        "'x'",
        "'x' \"y\"",
        "1",
        "1.5",
        "none",
        "[]",
        "[a, 1,]",
        "{}",
        "{'k': a, b: 1}",
        "()",
        "(a,)",
        "(a, b)",
        "-a",
        "+1",
    ]
)


def expressions(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """What can be made of expressions, in brackets where precedence would tear it apart."""
    infix = ["+", " - ", "*", "/", "//", "%", "**", "~", " ~ ", "==", " < ", " in ", " not in ", " and ", " or "]
    postfix = [
        ".b", ".0", "['k']", "[1:]", "[:2]", "[::-1]", "[:]", "[1:2:3]", "[a, b:]", "()", "(a, *b, k=1, **c)", "(a,)",
        " | f", "|f(1)|g.h|trim", " is string", " is not none", " is divisibleby 3", " is not divisibleby(3)",
        " is in [a]",
    ]  # fmt: skip
    return st.one_of(
        st.builds("{}{}{}".format, parts, st.sampled_from(infix), parts),
        st.builds("({}){}".format, parts, st.sampled_from(postfix)),
        st.builds("a{}".format, st.sampled_from(postfix)),
        st.builds("( {} )".format, parts),
        st.builds("((\n{}))".format, parts),
        st.builds("(not {})".format, parts),
        st.builds("({} if {} else {})".format, parts, parts, parts),
        st.builds("({} if {})".format, parts, parts),
        st.builds("f({}, k = {},)".format, parts, parts),
        st.builds("{{{}: {}}}".format, parts, parts),
    )


@given(st.recursive(ATOMS, expressions, max_leaves=8))
def test_the_text_of_every_node_parses_back_in_any_expression(expression: str) -> None:
    """Law: the same for expressions that no published template has."""
    try:
        environment().parse(f"{{{{ {expression} }}}}")
    except Exception:
        with pytest.raises(SyntaxFault):
            parse(f"{{{{ {expression} }}}}")
    else:
        assert_every_extent_parses_back(parse(f"{{{{ {expression} }}}}"))


STATEMENTS = """
{% macro m(a, b=1, c = ( 2 )) %}{{ caller() }}{% endmacro %}{% call(x) m(1) %}{{ x }}{% endcall %}
{% for (k, v) in d | items if v recursive %}{{ loop(v) }}{% break %}{% else %}{% continue %}{% endfor %}
{% if a is not b -%} a {%- elif not (b) %}b{% else %}c{% endif %}{% set ns.x = a, b %}
{% set y | f | g(1) %}z{% endset %}{% filter f | g.h(1) %}t{% endfilter %}
{% with a = 1, b = (2) %}{% endwith %}{% print a, b %}{% block n %}{% endblock n %}
{% generation %}{{ a }}{% endgeneration %}{% include 'a' ignore missing %}
{% from 'a' import b as c, d with context %}{% import 'a' as b %}{% extends a %}
"""


def test_the_text_of_every_statement_parses_back_to_an_equal_node() -> None:
    assert_every_extent_parses_back(parse(STATEMENTS))


def first_output(source: str) -> tuple[Tree, nodes.Expr]:
    tree = parse(source)
    return tree, next(tree.root.find_all(nodes.Output)).nodes[0]


def test_an_extent_tells_an_expression_from_the_brackets_around_it() -> None:
    source = "{{ ( (a + b) ) }}"
    tree, node = first_output(source)
    extent = tree.extent(node)
    assert source[extent.start : extent.end] == "a + b"
    assert source[extent.outer_start : extent.outer_end] == "( (a + b) )"


def test_an_operand_in_brackets_takes_them_along_in_the_sum() -> None:
    tree, node = first_output("{{ (a + b) + (c) }}")
    assert tree.text(node) == "(a + b) + (c)"
    assert tree.text(node.left) == "a + b"


def test_an_output_stands_where_its_first_and_last_piece_do() -> None:
    source = "{% if x %}\n  a {{- b }}{{ (c) }} d {% endif %}"
    tree = parse(source)
    assert tree.text(next(tree.root.find_all(nodes.Output))) == "\n  a {{- b }}{{ (c) }} d "
    tree = parse("a{% if x %}{{- (b) }} c {{ d -}}{% endif %}")
    assert tree.text(list(tree.root.find_all(nodes.Output))[1]) == "{{- (b) }} c {{ d -}}"


def test_a_node_knows_its_segment() -> None:
    tree = parse("a{{ b }}{# c #}{% if d %}e{% endif %}")
    name = {node.name: tree.segment_index(node) for node in tree.root.find_all(nodes.Name)}
    assert name == {"b": 1, "d": 3}


def test_a_copy_of_a_node_stands_where_the_node_does() -> None:
    tree, node = first_output("{{ (a + b)|f }}")
    assert tree.extent(copy.deepcopy(node)) == tree.extent(node)
    assert tree.extent(copy.copy(node.node)) == tree.extent(node.node)


def test_a_node_that_nobody_parsed_has_no_place() -> None:
    tree = parse("{% generation %}a{% endgeneration %}")
    with pytest.raises(KeyError):
        tree.extent(nodes.Add(nodes.Name("a", "load"), nodes.Name("b", "load")))
    with pytest.raises(KeyError):
        tree.extent(next(tree.root.find_all(nodes.CallBlock)).call)


@pytest.mark.parametrize(
    ("source", "line", "column", "words"),
    [
        ("a\n{% if x %}\n{% for y in z %}b{% endfor %}", 2, 1, "looking for.*'endif'"),
        ("{% for x in y %}\n  {%- if z %}", 2, 3, "looking for.*'endif'"),
        ("{% generation %}a", 1, 1, "endgeneration"),
        ("a\n{% endif %}", 2, 4, "unknown tag 'endif'"),
        ("a\n\n  {%- foo %}", 3, 7, "unknown tag 'foo'"),
        ("{{ a b }}", 1, 6, "expected token"),
        ("{{ }}", 1, 4, "Expected an expression"),
        ("{% %}", 1, 4, "tag name expected"),
        ("{% set 1 = 2 %}", 1, 8, "can't assign"),
    ],
)
def test_a_broken_grammar_is_a_fault_with_its_place(source: str, line: int, column: int, words: str) -> None:
    with pytest.raises(SyntaxFault, match=words) as caught:
        parse(source)
    assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize(
    "source",
    [
        "{{ " + "(" * 3000 + "x" + ")" * 3000 + " }}",
        "{{ " + "[" * 3000 + "]" * 3000 + " }}",
        "{{ " + "not " * 3000 + "x }}",
        "{% if x %}" * 3000 + "{% endif %}" * 3000,
        "{% if x %}" * 3000,
    ],
)
def test_what_is_nested_too_deeply_is_a_fault(source: str) -> None:
    with pytest.raises(SyntaxFault, match="nested too deeply") as caught:
        parse(source)
    assert 30 < caught.value.column < len(source)


def test_a_sum_of_many_operands_has_places_all_along() -> None:
    tree, node = first_output("{{ " + " + ".join(["a"] * 3000) + " }}")
    assert len(tree.text(node)) == 3000 * 4 - 3
    assert len(tree.text(node.left)) == 2999 * 4 - 3
