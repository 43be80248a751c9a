"""Which of a template's expressions are text from outside: what messages say, what tools and calls are named."""

from collections.abc import Mapping, Set
from dataclasses import dataclass
from enum import StrEnum

from jinja2 import nodes


class Kind(StrEnum):
    """What a text from outside is, as a finding names it."""

    CONTENT = "the text of a message"
    NAME = "the name of a tool, a call or a speaker"
    DESCRIPTION = "the description of a tool"
    ARGUMENTS = "the arguments of a call"
    WHOLE = "messages or tools as one text"


KEYS = {
    **dict.fromkeys(("content", "text", "reasoning_content", "reasoning", "thinking"), Kind.CONTENT),
    "name": Kind.NAME,
    "description": Kind.DESCRIPTION,
    "arguments": Kind.ARGUMENTS,
}
"""The keys under which messages, their parts, tools and calls hold text."""
GIVEN = frozenset({"messages", "tools"})
AS_TEXT = frozenset({"tojson", "string", "pprint"})
"""Filters that make one text of a whole object."""


@dataclass(frozen=True)
class Known:
    """What a template's names stand for, as far as it has been found out."""

    names: Mapping[int, str]
    """By the id of a node: its name, made another for each loop or macro that has a variable so called."""
    texts: Mapping[str, Kind]
    """Names, and fields of namespaces as `space.field`, that are text from outside."""
    holders: Set[str]
    """Names of messages and tools, and of what is taken from them."""
    spaces: Set[str]
    """Names of namespaces, whose fields mean what was put into them."""


def name_of(node: nodes.Node | None, known: Known) -> str | None:
    """Return the name that an expression is, `space.field` for a field of a namespace; None for any other."""
    match node:
        case nodes.Name():
            return known.names.get(id(node), node.name)
        case nodes.Getattr(node=nodes.Name(name=name), attr=attribute) if name in known.spaces:
            return f"{name}.{attribute}"
    return None


def is_held(node: nodes.Node | None, known: Known) -> bool:
    """Say whether an expression is messages or tools, or a part of them."""
    while node is not None:
        if (name := name_of(node, known)) is not None:
            return name in known.holders
        node = node.node if isinstance(node, nodes.Getattr | nodes.Getitem | nodes.Filter) else None
    return False


def kind_of(node: nodes.Node | None, known: Known) -> Kind | None:
    """Return what kind of text from outside an expression is, or is made of; None where it is none."""
    if (name := name_of(node, known)) is not None:
        return known.texts.get(name)
    match node:
        case nodes.Getattr(node=base, attr=key) | nodes.Getitem(node=base, arg=nodes.Const(value=str() as key)):
            return Kind.ARGUMENTS if kind_of(base, known) is Kind.ARGUMENTS else KEYS.get(key)
        case nodes.Filter(name="map", kwargs=[field]) if isinstance(field.value, nodes.Const):
            return KEYS.get(str(field.value.value).rpartition(".")[2])
        case nodes.Filter(name=name, node=base) if name in AS_TEXT and is_held(base, known):
            return kind_of(base, known) or Kind.WHOLE
        case nodes.Getitem(node=base) | nodes.Filter(node=base):
            return kind_of(base, known)
        case nodes.Call(node=nodes.Getattr(node=base, attr="get"), args=[nodes.Const(value=str() as key), *_]):
            return Kind.ARGUMENTS if kind_of(base, known) is Kind.ARGUMENTS else KEYS.get(key)
        case nodes.Call(node=nodes.Getattr(node=base) | (nodes.Name() as base)):
            return kind_of(base, known)
        case nodes.Add(left=one, right=other) | nodes.Or(left=one, right=other) | nodes.And(left=one, right=other):
            return kind_of(one, known) or kind_of(other, known)
        case nodes.CondExpr(expr1=one, expr2=other):
            return kind_of(one, known) or kind_of(other, known)
        case nodes.Concat(nodes=joined):
            return next((kind for one in joined if (kind := kind_of(one, known)) is not None), None)
    return None
