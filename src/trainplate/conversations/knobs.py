"""The options a template reads beside the standard ones, and the values worth trying for each."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from jinja2 import nodes

from trainplate.rendering import environment

PROVIDED = frozenset({"messages", "tools", "documents", "add_generation_prompt"}) | {"loop", "self", "caller"}
"""Names that every caller fills, and those that Jinja itself does."""
DEFAULTS = frozenset({"default", "d"})
PRESENCE = frozenset({"defined", "undefined"})
SWITCHED = frozenset({"true", "false", "boolean"})
SPELLINGS = frozenset({"lower", "upper", "trim", "string"})
"""Filters through which a text still shows which constants it is compared with."""


@dataclass
class Use:
    """How a template uses one name."""

    truth: bool = False
    constants: list[Any] = field(default_factory=list)
    """What it is compared with, or what stands for it where it is missing."""
    otherwise: bool = False
    """It is printed, indexed, passed on: more than tested."""
    aliases: list[str] = field(default_factory=list)
    """Names and namespace attributes that are given its value."""


def read_knobs(source: str, tree: nodes.Template | None = None) -> dict[str, tuple[Any, ...]]:
    """Return every option the template reads beside the standard ones, with the values worth trying.

    A template tests an option for truth or compares it with constants; one that it only prints, such as a date or a
    text, has no values to try. `tree` spares parsing the source once more.
    """
    tree = tree or environment().parse(source)
    uses: dict[str, Use] = defaultdict(Use)
    if given := read_from_outside(tree):
        note_uses(tree, uses)
    return {name: values_of(name, uses) for name in sorted(given)}


def values_of(name: str, uses: dict[str, Use]) -> tuple[Any, ...]:
    """Return the values worth trying for one name, and none where nothing tells what it takes."""
    seen = [uses[name], *(uses[alias] for alias in uses[name].aliases if alias != name)]
    constants = [constant for use in seen for constant in use.constants]
    named = [constant for constant in constants if isinstance(constant, str | int) and not isinstance(constant, bool)]
    if named:
        return tuple(dict.fromkeys(named))
    is_switch = any(isinstance(constant, bool) for constant in constants)
    is_tested = any(use.truth for use in seen) and not any(use.otherwise for use in seen)
    return (True, False) if is_switch or is_tested else ()


def read_from_outside(tree: nodes.Template) -> set[str]:
    """Return the names that only a caller can fill, special tokens and the standard arguments aside.

    Jinja has `find_undeclared_variables` for this, but it writes all code of a template to find them.
    """
    inner = list(below(tree))
    names = [node for node in inner if isinstance(node, nodes.Name)]
    read = {name.name for name in names if name.ctx == "load" and not name.name.endswith("_token")}
    filled = {name.name for name in names if name.ctx == "store"} - set(given_a_default(inner))
    passed = {name.name for name in names if name.ctx == "param"}
    macros = {node.name for node in inner if isinstance(node, nodes.Macro)}
    return read - filled - passed - macros - PROVIDED - set(environment().globals)


def names_read(tree: nodes.Template) -> set[str]:
    """Return every name that is read anywhere, also where the template may have filled it before."""
    return {name.name for name in tree.find_all(nodes.Name) if name.ctx == "load"}


def below(node: nodes.Node) -> Iterator[nodes.Node]:
    """Yield every node under this one."""
    waiting = [node]
    while waiting:
        children = list(waiting.pop().iter_child_nodes())
        yield from children
        waiting += children


def given_a_default(inner: list[nodes.Node]) -> Iterator[str]:
    """Yield the names that the template fills where the caller left them out.

    `{% set x = x | default(true) %}`, `{% set x = x if x is defined else true %}`, or a `set` of x beneath a test
    of whether x is defined.
    """
    for node in inner:
        if isinstance(node, nodes.Assign) and isinstance(node.target, nodes.Name) and asks_for(node.target.name, node):
            yield node.target.name
        elif isinstance(node, nodes.If) and len(tested := names_in(node.test)) == 1:
            name = next(iter(tested))
            if asks_for(name, node.test) and any(fills(part, name) for part in below(node)):
                yield name


def fills(node: nodes.Node, name: str) -> bool:
    """Say whether a node gives a value to the name."""
    return isinstance(node, nodes.Assign) and isinstance(node.target, nodes.Name) and node.target.name == name


def asks_for(name: str, node: nodes.Node) -> bool:
    """Say whether a name is asked for anywhere in a node: `x | default(...)` or `x is defined`."""
    asking = (part for part in (node, *below(node)) if isinstance(part, nodes.Test | nodes.Filter))
    asked = (part.node for part in asking if part.name in PRESENCE | DEFAULTS)
    return any(isinstance(inner, nodes.Name) and inner.name == name for inner in asked)


def names_in(node: nodes.Node) -> set[str]:
    """Return the names that an expression mentions."""
    return {part.name for part in (node, *below(node)) if isinstance(part, nodes.Name)}


def key_of(node: nodes.Node | None) -> str | None:
    """Return the key under which uses are noted: a name, or a name and its attribute, as namespaces have them."""
    if isinstance(node, nodes.Name):
        return node.name
    if isinstance(node, nodes.NSRef):
        return f"{node.name}.{node.attr}"
    if isinstance(node, nodes.Getattr) and isinstance(node.node, nodes.Name):
        return f"{node.node.name}.{node.attr}"
    return None


def note_uses(node: nodes.Node, uses: dict[str, Use], truth: bool = False) -> None:
    """Walk the tree and note how each name is used; `truth` says that only the node's truth counts here."""
    match node:
        case nodes.Name(ctx="load") | nodes.Getattr(node=nodes.Name()):
            note_use(node, uses, truth)
        case nodes.If(test=test):
            note_uses(test, uses, truth=True)
            note_all(node.iter_child_nodes(exclude=("test",)), uses)
        case nodes.CondExpr():
            note_choice(node, uses, truth)
        case nodes.Not(node=inner):
            note_uses(inner, uses, truth=True)
        case nodes.And(left=left, right=right) | nodes.Or(left=left, right=right):
            note_uses(left, uses, truth=True)
            note_uses(right, uses, truth or (isinstance(right, nodes.Name) and asks_for(right.name, left)))
        case nodes.Test(name=name) if (key := key_of(node.node)) and name in PRESENCE | SWITCHED | {"none"}:
            uses[key].constants.extend((True, False) if name in SWITCHED else ())
        case nodes.Compare():
            note_comparison(node, uses)
        case nodes.Filter(name=name, args=[fallback, *_]) if (key := key_of(node.node)) and name in DEFAULTS:
            note_fallback(key, fallback, uses, truth)
        case nodes.Assign(target=target, node=value):
            note_assignment(target, value, uses)
        case _:
            note_all(node.iter_child_nodes(), uses)


def note_all(parts: Iterator[nodes.Node], uses: dict[str, Use]) -> None:
    """Note the uses in each of several nodes."""
    for part in parts:
        note_uses(part, uses)


def note_use(node: nodes.Node, uses: dict[str, Use], truth: bool) -> None:
    """Note one reading of a name, or of an attribute of a namespace."""
    use = uses[key_of(node) or ""]
    use.truth, use.otherwise = use.truth or truth, use.otherwise or not truth
    note_all(node.iter_child_nodes(), uses)


def note_choice(node: nodes.CondExpr, uses: dict[str, Use], truth: bool) -> None:
    """Note `a if test else b`; in `x if x is defined else true` the other side stands for a missing x."""
    note_uses(node.test, uses, truth=True)
    tested = names_in(node.test)
    for side, other in ((node.expr1, node.expr2), (node.expr2, node.expr1)):
        if isinstance(side, nodes.Name) and side.name in tested and other is not None:
            note_fallback(side.name, other, uses, truth)
        elif side is not None and not (isinstance(other, nodes.Name) and other.name in tested):
            note_uses(side, uses, truth)


def note_fallback(key: str, fallback: nodes.Node, uses: dict[str, Use], truth: bool) -> None:
    """Note what stands for a missing value: it tells of which kind the value is."""
    known = results_of(fallback)
    uses[key].constants.extend(known)
    uses[key].truth |= truth
    uses[key].otherwise |= not truth and not known
    if not isinstance(fallback, nodes.Const):
        note_uses(fallback, uses, truth)


def results_of(node: nodes.Node | None) -> tuple[Any, ...]:
    """Return what an expression can amount to, as far as it can be read off."""
    match node:
        case nodes.Const(value=value):
            return (value,)
        case nodes.Not() | nodes.Compare() | nodes.Test():
            return (True, False)
        case nodes.CondExpr():
            return results_of(node.expr1) + results_of(node.expr2)
    return ()


def note_comparison(node: nodes.Compare, uses: dict[str, Use]) -> None:
    """Note the constants a name is compared with, or looked for among."""
    compared = node.expr
    while isinstance(compared, nodes.Filter) and compared.name in SPELLINGS and compared.node is not None:
        compared = compared.node
    key = key_of(compared)
    for operand in node.ops:
        match operand:
            case nodes.Operand(op="eq" | "ne", expr=nodes.Const(value=value)) if key:
                uses[key].constants.append(value)
            case nodes.Operand(op="in" | "notin", expr=nodes.List(items=items) | nodes.Tuple(items=items)) if key:
                uses[key].constants.extend(item.value for item in items if isinstance(item, nodes.Const))
            case _:
                note_uses(compared, uses)
                note_uses(operand.expr, uses)


def note_assignment(target: nodes.Node, value: nodes.Node, uses: dict[str, Use]) -> None:
    """Note a name that only hands its value to another: `{% set ns.think = enable_thinking %}`."""
    if isinstance(value, nodes.Name) and (key := key_of(target)):
        uses[value.name].aliases.append(key)
    elif isinstance(value, nodes.Call) and key_of(value.node) == "namespace":
        for pair in value.kwargs:
            note_assignment(nodes.NSRef(key_of(target) or "", pair.key), pair.value, uses)
    else:
        note_uses(value, uses)
        handed = names_in(value) if isinstance(value, nodes.Filter | nodes.CondExpr | nodes.And | nodes.Or) else set()
        for name in handed:
            if (key := key_of(target)) and asks_for(name, value):
                uses[name].aliases.append(key)
