"""How texts from outside come by names: a template's `set`, its loops and its macros are followed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from jinja2 import nodes

from trainplate.auditing.message_text import GIVEN, Kind, Known, is_held, kind_of, name_of
from trainplate.syntax import Tree

Macros = Mapping[str, list[nodes.Name]]


@dataclass(frozen=True)
class Gift:
    """A name, and an expression whose value or items it is given, or that a macro of that name prints."""

    name: str
    value: nodes.Node
    how: Literal["whole", "items", "printed"] = "whole"


def known_in(tree: Tree) -> Known:
    """Find out which names of a template are given text from outside, directly or by way of other names."""
    everything, names = list(tree.walk()), names_in(tree)
    macros = {node.name: node.args for node in everything if isinstance(node, nodes.Macro)}
    gifts = [gift for node in everything for gift in gifts_of(node, macros, names)]
    spaces = frozenset(gift.name for gift in gifts if makes_space(gift.value))
    texts: dict[str, Kind] = {}
    holders = set(GIVEN)
    known = Known(names, texts, holders, spaces)
    users = used_in(gifts, known)
    left = list(gifts)
    while left:  # a gift is looked at again when a name in it has become known, so that long chains take no long time
        gift = left.pop()
        learnt = False
        if gift.name not in texts and (kind := kind_given(gift, known)) is not None:
            texts[gift.name] = kind
            learnt = True
        if gift.name not in holders and is_held(gift.value, known):
            holders.add(gift.name)
            learnt = True
        if learnt:
            left += users.get(gift.name, ())
    return known


def used_in(gifts: Sequence[Gift], known: Known) -> dict[str, list[Gift]]:
    """Return by name the gifts whose values speak of it."""
    users: dict[str, list[Gift]] = {}
    for gift in gifts:
        for name in {name for node in every(gift.value) if (name := name_of(node, known)) is not None}:
            users.setdefault(name, []).append(gift)
    return users


def every(node: nodes.Node) -> Iterator[nodes.Node]:
    """Yield a node and all nodes below it, however deep."""
    left = [node]
    while left:
        yield (one := left.pop())
        left += one.iter_child_nodes()


def names_in(tree: Tree) -> dict[int, str]:
    """Return the name of each node that is one; variables of loops and macros are told apart from others so called."""
    found: dict[int, str] = {}
    left: list[tuple[nodes.Node, Mapping[str, str]]] = [(tree.root, {})]
    while left:
        node, scope = left.pop()
        if isinstance(node, nodes.Name):
            found[id(node)] = scope.get(node.name, node.name)
        own = {}
        if isinstance(node, nodes.For):
            left.append((node.iter, scope))
            own = {name.name: f"{name.name} {node.lineno}" for name in variables(node)}
        elif isinstance(node, nodes.Macro):
            own = {name.name: f"{name.name} {node.name}" for name in node.args}
        inner = {**scope, **own} if own else scope
        skipped = node.iter if isinstance(node, nodes.For) else None
        left += [(child, inner) for child in node.iter_child_nodes() if child is not skipped]
    return found


def gifts_of(node: nodes.Node, macros: Macros, names: Mapping[int, str]) -> Iterator[Gift]:
    """Yield what a statement or call gives to names: by `set`, by a loop, as a macro's argument or what it prints."""
    match node:
        case nodes.Assign(target=nodes.Name(name=name) as target, node=value):
            yield Gift(names[id(target)], value)
            if isinstance(value, nodes.Call) and makes_space(value):
                yield from (Gift(f"{name}.{field.key}", field.value) for field in value.kwargs)
        case nodes.Assign(target=nodes.NSRef(name=name, attr=attribute), node=value):
            yield Gift(f"{name}.{attribute}", value)
        case nodes.AssignBlock(target=nodes.Name() as target, body=body):
            yield from (Gift(names[id(target)], printed) for printed in printed_in(body))
        case nodes.Macro(name=name, body=body):
            yield from (Gift(name, printed, "printed") for printed in printed_in(body))
        case nodes.For(iter=value):
            yield from (Gift(names[id(variable)], value, "items") for variable in variables(node))
        case nodes.Call(node=nodes.Name(name=macro), args=args, kwargs=fields) if macro in macros:
            parameters = {parameter.name: names[id(parameter)] for parameter in macros[macro]}
            yield from (Gift(name, value) for name, value in zip(parameters.values(), args, strict=False))
            yield from (Gift(parameters[field.key], field.value) for field in fields if field.key in parameters)


def makes_space(value: nodes.Node) -> bool:
    """Say whether an expression makes a namespace."""
    return isinstance(value, nodes.Call) and isinstance(value.node, nodes.Name) and value.node.name == "namespace"


def printed_in(body: Sequence[nodes.Node]) -> Iterator[nodes.Node]:
    """Yield what statements print."""
    for statement in body:
        for node in every(statement):
            if isinstance(node, nodes.Output):
                yield from node.nodes


def kind_given(gift: Gift, known: Known) -> Kind | None:
    """Return what kind of text a name is given."""
    kind = kind_of(gift.value, known)
    if gift.how == "items" and kind is Kind.CONTENT and not isinstance(gift.value, nodes.Call | nodes.Filter):
        return None  # a content as it stands is a list of parts
    if gift.how == "printed" and kind not in (Kind.CONTENT, Kind.NAME):
        return None  # a macro that lays out a tool prints descriptions among the rest
    return kind


def variables(loop: nodes.For) -> list[nodes.Name]:
    """Return the variables that a loop counts through."""
    return [loop.target] if isinstance(loop.target, nodes.Name) else list(loop.target.find_all(nodes.Name))
