"""Conditions on what messages say: which of a template's questions look for words in a text from outside."""

import re
from collections.abc import Iterator, Mapping, Sequence

from jinja2 import nodes

from trainplate.syntax import Tree

TEXTS = frozenset({"content", "text", "reasoning_content", "reasoning", "thinking"})
"""The keys under which messages and their parts hold text."""
ASKING = frozenset({"startswith", "endswith", "find", "index", "count", "rfind"})
MARKUP = re.compile(r"[<\[{(|/#*`\uff5c].*[>\]})|/#*`\uff5c]|\W*", re.DOTALL)
"""A tag or a control token, or no letter at all."""
KEYS = frozenset({"text", "type", "image", "image_url", "video", "audio", "content", "reasoning_content"})
"""Words that are looked for as keys of a part."""

LITERALS = frozenset({"null", "none", "None", "undefined"})
"""What stands for no text at all."""


def questions(tree: Tree) -> Iterator[tuple[nodes.Node, str]]:
    """Yield every question whether a message's text holds, or is, a word; with the word."""
    names = text_names(tree)
    for node in tree.walk():
        match node:
            case nodes.Compare(expr=left, ops=operands):
                for operand in operands:
                    yield from compared(node, left, operand, names)
            case nodes.Call(node=nodes.Getattr(node=base, attr=method), args=args) if method in ASKING:
                yield from ((node, word) for word in wording(args) if is_text(base, names))
            case nodes.Test(name="in" | "eq" | "equalto" | "ne", node=left, args=args):
                asked, sought = (args[0], [left]) if node.name == "in" and args else (left, list(args or ()))
                yield from ((node, word) for word in wording(sought) if is_text(asked, names))


def keys_in(tree: Tree) -> frozenset[str]:
    """Return the keys and attributes that a template reads."""
    found = set()
    for node in tree.walk():
        match node:
            case nodes.Getattr(attr=key) | nodes.Getitem(arg=nodes.Const(value=str() as key)):
                found.add(key)
    return frozenset(found)


def compared(
    node: nodes.Compare, left: nodes.Node, operand: nodes.Operand, names: frozenset[str]
) -> Iterator[tuple[nodes.Node, str]]:
    """Yield the words that a comparison looks for in a text: `'word' in text`, `text == 'word'`."""
    if operand.op in ("in", "notin") and is_text(operand.expr, names):
        yield from ((node, word) for word in wording([left]))
    elif is_text(left, names):
        held = operand.expr.items if isinstance(operand.expr, nodes.List | nodes.Tuple) else [operand.expr]
        yield from ((node, word) for word in wording(held))
    elif operand.op in ("eq", "ne") and is_text(operand.expr, names):
        yield from ((node, word) for word in wording([left]))


def wording(found: Sequence[nodes.Node]) -> Iterator[str]:
    """Yield the constants that are words, and neither markup nor the keys of a part."""
    for one in found:
        if isinstance(one, nodes.Const) and isinstance(one.value, str):
            word = one.value.strip()
            if word not in KEYS | LITERALS and not MARKUP.fullmatch(word):
                yield one.value


def text_names(tree: Tree) -> frozenset[str]:
    """Return the names that are given the text of a message, directly or by way of another name."""
    macros = {macro.name: macro.args for macro in tree.root.find_all(nodes.Macro)}
    everything, names = list(tree.walk()), frozenset[str]()
    while True:
        found = names | {name for node in everything for name in given(macros, node, names)}
        if found == names:
            return names
        names = found


def given(macros: Mapping[str, list[nodes.Name]], node: nodes.Node, names: frozenset[str]) -> Iterator[str]:
    """Yield the names to which a statement gives a text: by `set`, by a loop over its lines, by a macro's argument."""
    match node:
        case nodes.Assign(target=nodes.Name(name=name), node=value) if is_text(value, names):
            yield name
        case nodes.Assign(target=nodes.NSRef(name=name, attr=attribute), node=value) if is_text(value, names):
            yield f"{name}.{attribute}"
        case nodes.For(target=nodes.Name(name=name), iter=nodes.Call() | nodes.Filter() as lines) if is_text(
            lines, names
        ):
            yield name
        case nodes.Call(node=nodes.Name(name=macro), args=args):
            pairs = zip(macros.get(macro, []), args, strict=False)
            yield from (parameter.name for parameter, argument in pairs if is_text(argument, names))


def is_text(node: nodes.Node | None, names: frozenset[str]) -> bool:
    """Say whether an expression is the text of a message, or is made of it."""
    match node:
        case nodes.Name(name=name):
            return name in names
        case nodes.Getattr(node=nodes.Name(name=name), attr=attribute) if f"{name}.{attribute}" in names:
            return True
        case nodes.Getattr(attr=key) | nodes.Getitem(arg=nodes.Const(value=str() as key)):
            return key in TEXTS
        case nodes.Getitem(node=base) | nodes.Filter(node=base):
            return is_text(base, names)
        case nodes.Call(node=nodes.Getattr(attr="get"), args=[nodes.Const(value=str() as key), *_]):
            return key in TEXTS
        case nodes.Call(node=nodes.Getattr(node=base)):
            return is_text(base, names)
        case nodes.Add(left=left, right=right):
            return is_text(left, names) or is_text(right, names)
        case nodes.Concat(nodes=joined):
            return any(is_text(one, names) for one in joined)
        case nodes.CondExpr(expr1=one, expr2=other):
            return is_text(one, names) or is_text(other, names)
        case nodes.Or(left=one, right=other) | nodes.And(left=one, right=other):
            return is_text(one, names) or is_text(other, names)
    return False
