"""Settles atoms of conditions: they get fixed values, and what can then never be printed goes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from jinja2 import nodes

from trainplate.fixes.conditions.ancestors import ancestors
from trainplate.fixes.conditions.clauses import Block, blocks
from trainplate.fixes.conditions.simplification import Simplifier, Value
from trainplate.fixes.conditions.white_space import fitted
from trainplate.rendering.atoms import Site
from trainplate.syntax import Edit, Kind, Tree, apply_edits

SIMPLE = (nodes.Const, nodes.Name, nodes.Getattr, nodes.Getitem, nodes.Call, nodes.List, nodes.Dict)
"""Expressions that never need brackets."""


def settled(tree: Tree, values: Sequence[tuple[Site, Value]]) -> str | None:
    """Return the source in which each atom has its value, simplified; None where it cannot be written.

    What stays prints as before, white space included, and its lines stay as they are.
    """
    revision = Revision(tree)
    simplifier = Simplifier(tree, {id(site.node): value for site, value in values})
    roots = {id(site.root): site for site, _ in values}
    for site in roots.values():
        revise(revision, site, simplifier)
    return revision.written()


def revise(revision: "Revision", site: Site, simplifier: Simplifier) -> None:
    """Write the simplified condition into its place, or act on the constant that it amounts to."""
    rest = simplifier.simplified(site.root)
    if not isinstance(rest, bool):
        revision.replace(site.root, rest.text)
    elif isinstance(site.owner, nodes.If):
        revision.clauses[revision.tree.segment_index(site.owner)] = rest
    elif isinstance(site.owner, nodes.CondExpr) and site.root is site.owner.test:
        revision.choose(site.owner, site.owner.expr1 if rest else site.owner.expr2)
    elif isinstance(site.owner, nodes.For) and rest:
        iterated = revision.tree.extent(site.owner.iter)
        revision.edits.append(Edit(iterated.outer_end, revision.tree.extent(site.root).outer_end, ""))
    else:
        revision.replace(site.root, "true" if rest else "false")


@dataclass
class Revision:
    """Edits within tags, and tags and bodies that go."""

    tree: Tree
    edits: list[Edit] = field(default_factory=list)
    clauses: dict[int, bool] = field(default_factory=dict)
    """Constant conditions, by the index of their `if` or `elif` tag."""
    gone: set[int] = field(default_factory=set)
    """Segments that go."""

    def replace(self, node: nodes.Node, text: str) -> None:
        """Put a text in place of an expression and the brackets around it."""
        extent, source = self.tree.extent(node), self.tree.source
        if source[extent.outer_start - 1].isalnum():
            text = f" {text}"
        if source[extent.outer_end].isalnum():
            text = f"{text} "
        self.edits.append(Edit(extent.outer_start, extent.outer_end, text))

    def choose(self, choice: nodes.CondExpr, chosen: nodes.Expr | None) -> None:
        """Put one branch in place of an inline `if`; a branch that prints nothing goes with its operator."""
        if chosen is None or (isinstance(chosen, nodes.Const) and chosen.value == ""):
            self.drop(choice)
            return
        extent, inner = self.tree.extent(choice), self.tree.extent(chosen)
        text = self.tree.source[inner.outer_start : inner.outer_end]
        if extent.outer_start < extent.start and not isinstance(chosen, SIMPLE) and inner.outer_start == inner.start:
            self.edits.append(Edit(extent.start, extent.end, text))
        else:
            self.replace(choice, text)

    def drop(self, node: nodes.Node) -> None:
        """Remove an expression that prints nothing: its whole tag, an operand with its operator, or put `''`."""
        parent = next(reversed(ancestors(self.tree.root, node)), None)
        extent = self.tree.extent(node)
        if isinstance(parent, nodes.Output):
            self.gone.add(self.tree.segment_index(node))
            return
        operands = [parent.left, parent.right] if isinstance(parent, nodes.Add) else getattr(parent, "nodes", [])
        if not isinstance(parent, nodes.Add | nodes.Concat):
            self.replace(node, "''")
        elif operands[0] is node:
            self.edits.append(Edit(extent.outer_start, self.tree.extent(operands[1]).outer_start, ""))
        else:
            before = operands[[operand is node for operand in operands].index(True) - 1]
            self.edits.append(Edit(self.tree.extent(before).outer_end, extent.outer_end, ""))

    def written(self) -> str | None:
        """Return the edited source, or None where white space cannot be kept or edits get in each other's way."""
        pieces = self.tree.segments
        for block in {block.end: block for tag, block in blocks(pieces).items() if tag in self.clauses}.values():
            self.reduce_block(block)
        kept = [
            edit for edit in self.edits if not any(pieces[i].start <= edit.start < pieces[i].end for i in self.gone)
        ]
        try:
            texts = [apply_edits(self.tree.source[p.start : p.end], within(kept, p.start, p.end)) for p in pieces]
        except ValueError:
            return None
        return self.joined(texts)

    def reduce_block(self, block: Block) -> None:
        """Take the clauses out of an `if` block that cannot be reached, and the tags that are not needed any more."""
        left = list(reachable(block, self.clauses))
        for opening in block.openings:
            if opening not in left:
                self.gone.update(range(opening, block.next_tag(opening)))
        if not left:
            self.gone.add(block.end)
        elif self.always(left[0]):
            self.gone.update({left[0], block.end})
        else:
            self.retag(block, left)

    def retag(self, block: Block, left: Sequence[int]) -> None:
        """Make the first tag that is left an `if`, and the last an `else` where its clause is always taken."""
        pieces = self.tree.segments
        opening, first, last = pieces[block.openings[0]], pieces[left[0]], pieces[left[-1]]
        if first is not opening:
            sign = self.tree.source[opening.start : opening.inner_start]
            self.edits.append(Edit(first.start, first.inner_start, sign))
            self.edits.append(Edit(first.tokens[0].start, first.tokens[0].end, "if"))
        if self.clauses.get(left[-1]) is True:
            self.edits.append(Edit(last.tokens[0].start, last.tokens[-1].end, "else"))

    def always(self, tag: int) -> bool:
        """Say whether the clause of a tag is taken whenever it is come to."""
        return self.clauses.get(tag) is True or self.tree.segments[tag].keyword == "else"

    def joined(self, texts: Sequence[str]) -> str | None:
        """Join what is left, with white space fitted where something went."""
        written: list[str] = []
        left = ""
        for start, end in self.runs():
            right = texts[end] if end < len(texts) else ""
            text = self.run(range(start, end), texts, left, right)
            if text is None:
                return None
            written += text, right
            left = right
        return "".join(written)

    def runs(self) -> Iterator[tuple[int, int]]:
        """Yield the stretches of texts and gone segments between the tags that stay, the tag's index as their end."""
        start = 0
        for index, piece in enumerate(self.tree.segments):
            if piece.kind is not Kind.TEXT and index not in self.gone:
                yield start, index
                start = index + 1
        yield start, len(self.tree.segments)

    def run(self, run: range, texts: Sequence[str], left: str, right: str) -> str | None:
        """Return the text of one stretch."""
        if not any(index in self.gone for index in run):
            return "".join(texts[index] for index in run)
        kept = [index for index in run if index not in self.gone]
        around = [texts[index] for index in kept] or [""]
        return fitted(left, around, right, "".join(self.tree.segments[index].printed for index in kept))


def within(edits: Sequence[Edit], start: int, end: int) -> list[Edit]:
    """Return the edits inside a piece of source, with positions counted from its start."""
    inside = [edit for edit in edits if start <= edit.start < end]
    return [Edit(edit.start - start, edit.end - start, edit.replacement) for edit in inside]


def reachable(block: Block, constants: Mapping[int, bool]) -> Iterator[int]:
    """Yield the tags of clauses that can still be taken."""
    for opening in block.openings:
        if constants.get(opening) is not False:
            yield opening
        if constants.get(opening) is True:
            return
