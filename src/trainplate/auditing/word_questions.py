"""Conditions on what is said: which of a template's questions look for a word in a text from outside."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from jinja2 import nodes

from trainplate.auditing.message_text import KEYS, Kind, Known, kind_of
from trainplate.auditing.naming import known_in
from trainplate.syntax import Tree

ASKING = frozenset({"startswith", "endswith", "find", "index", "count", "rfind"})
SAME = frozenset({"eq", "equalto", "==", "ne", "!="})
MARKUP = re.compile(r"[<\[{(|/#*`\uff5c].*[>\]})|/#*`\uff5c]|\W*", re.DOTALL)
"""A tag or a control token, or no letter at all."""
PART_KEYS = frozenset({"text", "type", "image", "image_url", "video", "audio", "content", "reasoning_content"})
"""Words that are looked for as keys of a part."""
LITERALS = frozenset({"null", "none", "None", "undefined", "CONTINUE_FINAL_MESSAGE_TAG"})
"""What stands for no text at all; the last is what transformers puts behind an answer that is to be continued."""


class Question(NamedTuple):
    """A condition that looks for a word in a text from outside, or asks whether it is the word."""

    node: nodes.Node
    word: str
    kind: Kind


def questions(tree: Tree) -> Iterator[Question]:
    """Yield every question whether a text from outside holds, or is, a word."""
    known, constants = known_in(tree), constants_in(tree)
    for node in tree.walk():
        for text, sought in asked(node):
            if (kind := kind_of(text, known)) is not None:
                yield from (Question(node, word, kind) for word in wording(sought, constants))
        yield from selected(node, known, constants)


def asked(node: nodes.Node) -> Iterator[tuple[nodes.Node, Sequence[nodes.Node]]]:
    """Yield each expression in which a condition may look for something, with what it looks for."""
    match node:
        case nodes.Compare(expr=left, ops=operands):
            for operand in operands:
                yield from compared(left, operand)
        case nodes.Call(node=nodes.Getattr(node=base, attr="get"), args=[key, *_]) if isinstance(base, nodes.Dict):
            yield key, [pair.key for pair in base.items]
        case nodes.Getitem(node=nodes.Dict(items=pairs), arg=key):
            yield key, [pair.key for pair in pairs]
        case nodes.Call(node=nodes.Getattr(node=base, attr=method), args=args) if method in ASKING:
            yield base, args
        case nodes.Test(name="in", node=left, args=[container]):
            yield container, [left]
            yield left, items_of(container)
        case nodes.Test(name=name, node=left, args=[other]) if name in SAME:
            yield left, [other]
            yield other, [left]


def compared(left: nodes.Node, operand: nodes.Operand) -> Iterator[tuple[nodes.Node, Sequence[nodes.Node]]]:
    """Yield the two readings of a comparison: `'word' in text` and `text in ['word']`, `text == 'word'`."""
    if operand.op in ("in", "notin"):
        yield operand.expr, [left]
    yield left, items_of(operand.expr)
    if operand.op in ("eq", "ne"):
        yield operand.expr, [left]


def items_of(node: nodes.Node) -> Sequence[nodes.Node]:
    """Return the items of a list or tuple, the keys of a dict, and anything else as it is."""
    match node:
        case nodes.List(items=items) | nodes.Tuple(items=items):
            return items
        case nodes.Dict(items=pairs):
            return [pair.key for pair in pairs]
    return [node]


def selected(node: nodes.Node, known: Known, constants: Mapping[str, str]) -> Iterator[Question]:
    """Yield the words that a filter picks by, as in `messages | selectattr('content', 'equalto', 'word')`."""
    match node:
        case nodes.Filter(name="selectattr" | "rejectattr", args=[nodes.Const(value=str() as path), _, sought]):
            kind = KEYS.get(path.rpartition(".")[2])
        case nodes.Filter(name="select" | "reject", node=base, args=[_, sought]):
            kind = kind_of(base, known)
        case _:
            return
    if kind is not None:
        yield from (Question(node, word, kind) for word in wording(items_of(sought), constants))


def constants_in(tree: Tree) -> dict[str, str]:
    """Return the names that are set to a constant text."""
    found = {}
    for node in tree.root.find_all(nodes.Assign):
        match node:
            case nodes.Assign(target=nodes.Name(name=name), node=nodes.Expr() as value):
                if (text := constant(value)) is not None:
                    found[name] = text
    return found


def constant(node: nodes.Node) -> str | None:
    """Return the text of an expression that is made of constants alone."""
    if not isinstance(node, nodes.Const | nodes.Concat | nodes.Add):
        return None
    try:
        value = node.as_const()
    except nodes.Impossible:
        return None
    return value if isinstance(value, str) else None


def wording(found: Sequence[nodes.Node], constants: Mapping[str, str]) -> Iterator[str]:
    """Yield the constants that are words, and neither markup nor the keys of a part."""
    for one in found:
        text = constants.get(one.name) if isinstance(one, nodes.Name) else constant(one)
        if text is not None and (word := text.strip()) not in PART_KEYS | LITERALS and not MARKUP.fullmatch(word):
            yield text


def keys_in(tree: Tree) -> frozenset[str]:
    """Return the keys and attributes that a template reads."""
    found = set()
    for node in tree.walk():
        match node:
            case nodes.Getattr(attr=key) | nodes.Getitem(arg=nodes.Const(value=str() as key)):
                found.add(key)
    return frozenset(found)
