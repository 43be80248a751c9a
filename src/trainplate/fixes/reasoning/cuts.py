"""Where a template cuts reasoning off: conditions that look for a think block, expressions that split at its end."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from jinja2 import nodes

from trainplate.fixes.conditions.ancestors import ancestors
from trainplate.fixes.history.roles import Wording
from trainplate.rendering.atoms import Site
from trainplate.syntax import Edit, Tree, apply_edits

SIGN, END = "think>", "</think>"


class Cut(NamedTuple):
    """An expression that takes part of a text, and the text."""

    expression: nodes.Expr
    text: nodes.Expr


def looks_for_block(site: Site) -> bool:
    """Say whether an atom asks if there is a think block in a text."""
    return isinstance(site.node, nodes.Compare) and any(names_block(node) for node in site.node.find_all(nodes.Const))


def names_block(node: nodes.Node | None, sign: str = SIGN) -> bool:
    """Say whether a node is a constant with a think tag in it."""
    return isinstance(node, nodes.Const) and isinstance(node.value, str) and sign in node.value


def splits(tree: Tree) -> Iterator[Cut]:
    """Yield each expression that takes what stands behind the end of a think block: `text.split('</think>')[-1]`."""
    for node in tree.root.find_all(nodes.Getitem):
        if is_index(node.arg, (-1, 1)) and (text := split_text(node.node)):
            yield Cut(node, text)
    for filtered in tree.root.find_all(nodes.Filter):
        if filtered.name == "last" and filtered.node is not None and (text := split_text(filtered.node)):
            yield Cut(filtered, text)


def split_text(node: nodes.Node) -> nodes.Expr | None:
    """Return the text that an expression splits at the end of a think block."""
    if isinstance(node, nodes.Call) and isinstance(node.node, nodes.Getattr) and node.node.attr == "split":
        return node.node.node if node.args and names_block(node.args[0], END) else None
    return None


def is_index(node: nodes.Node, indices: Sequence[int]) -> bool:
    """Say whether a node is one of the given numbers."""
    if isinstance(node, nodes.Neg) and isinstance(node.node, nodes.Const):
        return -node.node.value in indices
    return isinstance(node, nodes.Const) and node.value in indices


def strippings(tree: Tree) -> Iterator[Cut]:
    """Yield each call of a macro that works on think blocks, with the text it is given."""
    macros = {
        macro.name
        for macro in tree.root.find_all(nodes.Macro)
        if any(names_block(node) for node in macro.find_all(nodes.Const))
    }
    for call in tree.root.find_all(nodes.Call):
        if isinstance(call.node, nodes.Name) and call.node.name in macros and len(call.args) == 1 and not call.kwargs:
            yield Cut(call, call.args[0])


def replaced(tree: Tree, found: Sequence[Cut], wording: str) -> str:
    """Return the source with a wording in place of each cut; `{text}` is what it cuts, `{cut}` the cut itself."""
    edits = []
    for cut, text in found:
        whole, inner = tree.extent(cut), tree.extent(text)
        given = tree.source[inner.outer_start : inner.outer_end]
        role = role_at(cut, tree)
        new = wording.format(text=given, cut=tree.source[whole.start : whole.end], role=role)
        edits.append(Edit(whole.start, whole.end, new))
    return apply_edits(tree.source, edits)


def role_at(node: nodes.Node, tree: Tree) -> str:
    """Return a test for messages of the assistant, as the template words it, at the place of a node."""
    loops = tuple(parent for parent in ancestors(tree.root, node) if isinstance(parent, nodes.For))
    wording = Wording.of(loops, tree)
    return f"{wording.role} == {wording.quote}assistant{wording.quote}" if wording else "false"
