"""Jinja's own syntax tree, with the exact place of every node in the source."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

import jinja2
from jinja2 import nodes

from trainplate.errors import SyntaxFault
from trainplate.syntax.extents import token_range
from trainplate.syntax.grammar import grammar
from trainplate.syntax.numbering import Numbering, number_tokens
from trainplate.syntax.parser import NotingParser
from trainplate.syntax.segments import Segment, fault_at, segments


@dataclass(frozen=True, slots=True)
class Extent:
    """A piece of source `[start, end)`; `outer` counts the brackets around an expression in, `inner` does not."""

    start: int
    end: int
    outer_start: int
    outer_end: int


@dataclass(frozen=True, eq=False)
class Tree:
    """The parsed template: Jinja's tree, and for every node its place and the segment it stands in."""

    source: str
    segments: tuple[Segment, ...]
    root: nodes.Template
    numbering: Numbering = field(repr=False)

    def walk(self) -> Iterator[nodes.Node]:
        """Every node, parents before children; unlike Jinja's own walk it goes to any depth."""
        left: list[nodes.Node] = [self.root]
        while left:
            node = left.pop()
            yield node
            left += reversed(list(node.iter_child_nodes()))

    def segment_index(self, node: nodes.Node) -> int:
        """The index of the segment in which a node begins."""
        return self.numbering.places[node.lineno][0]

    def extent(self, node: nodes.Node) -> Extent:
        """The place of an expression or statement in the source, a statement's without `{%` and `%}` at its ends.

        A copy of a node stands where the node does. Raises KeyError for a node nobody parsed.
        """
        places = self.numbering.places
        first, last = token_range(node, self.numbering, outer=False)
        outer_first, outer_last = token_range(node, self.numbering, outer=True)
        return Extent(places[first][1], places[last][2], places[outer_first][1], places[outer_last][2])

    def text(self, node: nodes.Node) -> str:
        """The source of a node, without brackets around it."""
        extent = self.extent(node)
        return self.source[extent.start : extent.end]


@lru_cache(maxsize=8)  # few, since the tree of a megabyte takes 80 megabytes
def parse(source: str, environment: jinja2.Environment | None = None) -> Tree:
    """The tree of a source whose line ends are `\\n`, read with the grammar of chat templates or an environment's.

    Raises SyntaxFault with line and column where the grammar is broken: at the tag that is never closed, or else at the
    word that does not fit.
    """
    pieces = segments(source)
    tokens = number_tokens(source, pieces)
    parser = NotingParser(environment or grammar(), tokens)
    try:
        root = parser.parse()
    except jinja2.TemplateSyntaxError as error:
        raise _fault(source, tokens, error.lineno, str(error.message)) from error
    except RecursionError as error:
        deep = "tags or brackets are nested too deeply to be read"
        raise _fault(source, tokens, parser.stream.current.lineno, deep) from error
    return Tree(source, pieces, root, tokens)


def _fault(source: str, tokens: Numbering, number: int, message: str) -> SyntaxFault:
    """The fault at a token, or at the last one."""
    place = tokens.places[: number + 1][-1][1] if tokens.places else 0
    return fault_at(source, place, message)
