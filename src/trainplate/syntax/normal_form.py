"""The normal form of a template: two templates that share it print the same.

White space control is applied, comments are gone, all that is printed in a row is joined where it is text and taken
apart where it is a sum of texts, and tags, constants and quotes are written in one way.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from jinja2 import nodes

from trainplate.syntax.extents import token_range
from trainplate.syntax.grammar import END_GENERATION, GENERATION
from trainplate.syntax.line_ends import with_newlines
from trainplate.syntax.segments import Kind, Segment
from trainplate.syntax.spelling import quoted, spelled
from trainplate.syntax.tree import Tree, parse

ESCAPING = frozenset(["safe", "escape", "e", "forceescape"])
"""Filters whose result, added to a text, escapes it: where they are used a sum is not the same as its parts."""


@dataclass(frozen=True, slots=True)
class Text:
    """Text that is printed as it is; anything else that a normal form is made of is a tag."""

    text: str


def normal_form(source: str, *, without_markers: bool = False) -> str:
    """The normal form, itself a template that prints what the source prints; raises SyntaxFault.

    Laws: templates with equal normal forms print the same or decline both; the normal form of a normal form is itself.
    With `without_markers`, `{% generation %}` tags are left out: what differs in markers alone comes out equal.
    """
    reading = _read(parse(with_newlines(source)))
    pieces: list[Text | str] = []
    for index, segment in enumerate(reading.tree.segments):
        if not (without_markers and segment.keyword in (GENERATION, END_GENERATION)):
            pieces += reading.pieces(index, segment)
    return "".join(_written(pieces, escapes=reading.escapes))


def _written(pieces: Iterable[Text | str], *, escapes: bool) -> Iterator[str]:
    """The pieces, texts in a row as the constant that they make: white space control does nothing to a constant."""
    for is_text, group in groupby(pieces, lambda piece: isinstance(piece, Text)):
        if not is_text:
            yield from (str(piece) for piece in group)
        elif text := "".join(piece.text for piece in group if isinstance(piece, Text)):
            yield f"{{{{ {quoted(text)}{' | safe' if escapes else ''} }}}}"


@dataclass(frozen=True, slots=True, eq=False)
class _Reading:
    """A tree, and what has to be known of all of it before any tag can be written."""

    tree: Tree
    first_tokens: dict[int, int]
    """The number of the first token of each segment."""
    printed: dict[int, nodes.Expr]
    """What each `{{ }}` prints, by segment."""
    placeholders: frozenset[int]
    """The texts in required blocks: Jinja allows white space there and no constant, and prints neither."""
    constants: frozenset[int]
    """The numbers of the names that stand for true, false or none."""
    escapes: bool
    """Whether there is an `autoescape` block, in which a constant does not print as text does."""
    adds_texts: bool
    """Whether a sum of texts prints as those texts in a row."""

    def pieces(self, index: int, segment: Segment) -> Iterator[Text | str]:
        """What a segment becomes."""
        if segment.kind is Kind.TEXT or segment.kind is Kind.RAW:
            if index not in self.placeholders:
                yield Text(segment.printed)
        elif segment.kind is Kind.EXPRESSION:
            yield from self.output(self.printed[index])
        elif segment.kind is Kind.STATEMENT:
            first = self.first_tokens[index] + 1
            words = spelled(self.tree, first, first + len(segment.tokens) - 1, self.constants)
            yield f"{{% {words} %}}\n"  # Jinja takes this newline away

    def output(self, node: nodes.Expr) -> Iterator[Text | str]:
        """What is printed, taken apart into what prints the same in a row."""
        match node:
            case nodes.Const(value=str(text)) if not self.escapes:
                yield Text(text)
            case nodes.Filter(node=nodes.Const(value=str(text)), name="safe") if self.escapes:
                yield Text(text)
            case nodes.Concat(nodes=parts) if not self.escapes:
                for part in parts:
                    yield from self.output(part)
            case nodes.Add() if self.adds_texts and is_text(node):
                for operand in operands(node):
                    yield from self.output(operand) if is_text(operand) else [f"{{{{ '' + {self.operand(operand)} }}}}"]
            case _:
                yield f"{{{{ {self.spelled(node, outer=False)} }}}}"

    def operand(self, node: nodes.Expr) -> str:
        """An operand of a sum, which has to be text for the sum to be: added to an empty text it still has to."""
        words = self.spelled(node, outer=False)
        whole = token_range(node, self.tree.numbering, outer=True) == token_range(
            node, self.tree.numbering, outer=False
        )
        return words if whole and not isinstance(node, nodes.Sub) else f"({words})"

    def spelled(self, node: nodes.Expr, *, outer: bool) -> str:
        """An expression as it is written."""
        return spelled(self.tree, *token_range(node, self.tree.numbering, outer=outer), self.constants)


def _read(tree: Tree) -> _Reading:
    every = list(tree.walk())
    constants = [node for node in every if isinstance(node, nodes.Const)]
    names = {node.name for node in every if isinstance(node, nodes.Filter)} | {str(node.value) for node in constants}
    escapes = any(isinstance(node, nodes.ScopedEvalContextModifier) for node in every)
    return _Reading(
        tree,
        first_tokens={place[0]: number for number, place in reversed(list(enumerate(tree.numbering.places)))},
        printed={tree.segment_index(node): node for output in every for node in _outputs(output)},
        placeholders=frozenset(tree.segment_index(text) for block in every for text in _placeholders(block)),
        constants=frozenset(node.lineno for node in constants if isinstance(node.value, bool | None)),
        escapes=escapes,
        adds_texts=not escapes and names.isdisjoint(ESCAPING),
    )


def _outputs(node: nodes.Node) -> list[nodes.Expr]:
    children = node.nodes if isinstance(node, nodes.Output) else []
    return [child for child in children if not isinstance(child, nodes.TemplateData)]


def _placeholders(node: nodes.Node) -> list[nodes.Node]:
    return list(node.find_all(nodes.TemplateData)) if isinstance(node, nodes.Block) and node.required else []


def operands(node: nodes.Expr) -> list[nodes.Expr]:
    """The operands of a sum from left to right, those of sums among them too."""
    found: list[nodes.Expr] = []
    left = [node]
    while left:
        node = left.pop()
        if isinstance(node, nodes.Add):
            left += node.right, node.left
        else:
            found.append(node)
    return found


def is_text(node: nodes.Expr) -> bool:
    """Whether an expression has a text as its value whenever it has one."""
    match node:
        case nodes.Const(value=value):
            return isinstance(value, str)
        case nodes.Add():
            return any(is_text(operand) for operand in operands(node))
    return isinstance(node, nodes.Concat)
