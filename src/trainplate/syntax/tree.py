"""Jinja's own syntax tree, with the exact place of every node in the source.

Jinja's nodes carry a line number and nothing else. Its parser is therefore given our tokens, numbered from 0 in the
place of lines, and every parsing step notes the first and the last token that it consumed.
"""

from ast import literal_eval
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import jinja2
from jinja2 import lexer, nodes
from jinja2.parser import Parser

from trainplate.errors import SyntaxFault
from trainplate.syntax.segments import Kind, Segment, Token, line_of, segments


@dataclass(frozen=True, slots=True)
class Extent:
    """A piece of source `[start, end)`; `outer` counts the brackets around an expression in, `inner` does not."""

    start: int
    end: int
    outer_start: int
    outer_end: int


@dataclass(frozen=True)
class Tree:
    """The parsed template: Jinja's tree, and for every node its place and the segment it stands in."""

    source: str
    segments: tuple[Segment, ...]
    root: nodes.Template
    tokens: tuple[tuple[int, int, int], ...]
    """Per token number: segment index, start, end."""
    _ranges: dict[int, tuple[int, int, int, int]] = field(repr=False)

    def segment_index(self, node: nodes.Node) -> int:
        """The index of the segment in which a node begins."""
        return self.tokens[node.lineno][0]

    def extent(self, node: nodes.Node) -> Extent:
        """The place of an expression or statement in the source; raises KeyError for a node nobody parsed."""
        first, last, outer_first, outer_last = self._range(node)
        return Extent(
            self.tokens[first][1], self.tokens[last][2], self.tokens[outer_first][1], self.tokens[outer_last][2]
        )

    def text(self, node: nodes.Node) -> str:
        """The source of a node, without brackets around it."""
        extent = self.extent(node)
        return self.source[extent.start : extent.end]

    def _range(self, node: nodes.Node) -> tuple[int, int, int, int]:
        known = self._ranges.get(id(node))
        if known is not None:
            return known
        if isinstance(node, nodes.TemplateData):
            return (node.lineno,) * 4
        # The inner nodes of `a + b + c` and `a and b and c` are made inside a loop of the parser: their operands know.
        left, right = _operands(node)
        first, last = self._range(left)[2], self._range(right)[3]
        self._ranges[id(node)] = (first, last, first, last)
        return self._ranges[id(node)]


def _operands(node: nodes.Node) -> tuple[nodes.Node, nodes.Node]:
    if isinstance(node, nodes.BinExpr):
        return node.left, node.right
    if isinstance(node, nodes.CondExpr):
        return node.expr1, node.expr2 or node.test
    raise KeyError(f"no place is known for {type(node).__name__}")


_RECORDED = (
    "parse_statement", "parse_tuple", "parse_expression", "parse_condexpr", "parse_or", "parse_and", "parse_not",
    "parse_compare", "parse_math1", "parse_concat", "parse_math2", "parse_pow", "parse_unary", "parse_primary",
    "parse_subscript", "parse_subscribed", "parse_call", "parse_filter", "parse_test", "parse_list", "parse_dict",
)  # fmt: skip
_ON_A_NODE = {"parse_subscript", "parse_call", "parse_filter", "parse_test"}


class _PlacingParser(Parser):
    """Jinja's parser over numbered tokens; `ranges` maps a node's identity to its first and last token."""

    def __init__(self, environment: jinja2.Environment, stream: lexer.TokenStream) -> None:
        self.environment = environment
        self.stream = stream
        self.name = self.filename = None
        self.closed = False
        self.extensions = {
            tag: extension.parse for extension in environment.iter_extensions() for tag in extension.tags
        }
        self._last_identifier = 0
        self._tag_stack = []
        self._end_token_stack = []
        self.ranges: dict[int, tuple[int, int, int, int]] = {}
        self.kept: list[Any] = []

    def note(self, node: Any, first: int) -> None:
        """Remember that `node` was read from token `first` to the one before the current token."""
        last = self.stream.current.lineno - 1
        if self.stream.current.type == "eof":
            last = self.stream.current.lineno
        known = self.ranges.get(id(node))
        if known is None:
            self.ranges[id(node)] = (first, last, first, last)
            self.kept.append(node)
        elif known[2] >= first and known[3] <= last:
            self.ranges[id(node)] = (known[0], known[1], first, last)


def _recorded(name: str) -> Any:
    original = getattr(Parser, name)
    on_a_node = name in _ON_A_NODE

    def parse(self: _PlacingParser, *args: Any, **kwargs: Any) -> Any:
        first = self.stream.current.lineno
        if on_a_node and args and id(args[0]) in self.ranges:
            first = self.ranges[id(args[0])][2]
        node = original(self, *args, **kwargs)
        if isinstance(node, nodes.Node):
            self.note(node, first)
            if isinstance(node, nodes.Not) and id(node.node) not in self.ranges:
                self.note(node.node, first)  # `x is not y` is read in one step as Not(Test)
        return node

    return parse


for _name in _RECORDED:
    setattr(_PlacingParser, _name, _recorded(_name))


def _value(token: Token, source: str) -> Any:
    if token.type == "string":
        text = token.text[1:-1].encode("ascii", "backslashreplace")
        try:
            return text.decode("unicode-escape")
        except UnicodeDecodeError as error:
            line, column = line_of(source, token.start)
            raise SyntaxFault(f"bad escape in a string: {error.reason}", line=line, column=column) from error
    if token.type == "integer":
        return int(token.text.replace("_", ""), 0)
    if token.type == "float":
        return literal_eval(token.text.replace("_", ""))
    return token.text


def _numbered(source: str, pieces: tuple[Segment, ...]) -> tuple[list[lexer.Token], list[tuple[int, int, int]]]:
    stream: list[lexer.Token] = []
    places: list[tuple[int, int, int]] = []

    def put(kind: str, value: Any, index: int, start: int, end: int) -> None:
        stream.append(lexer.Token(len(stream), kind, value))
        places.append((index, start, end))

    for index, piece in enumerate(pieces):
        if piece.kind in (Kind.TEXT, Kind.RAW):
            if piece.printed:
                put("data", piece.printed, index, piece.start, piece.end)
        elif piece.kind is not Kind.COMMENT:
            name = "variable" if piece.kind is Kind.EXPRESSION else "block"
            put(f"{name}_begin", source[piece.start : piece.inner_start], index, piece.start, piece.inner_start)
            for token in piece.tokens:
                put(token.type, _value(token, source), index, token.start, token.end)
            put(f"{name}_end", source[piece.inner_end : piece.end], index, piece.inner_end, piece.end)
    return stream, places


def numbered_tokens(source: str) -> Iterator[tuple[str, Any]]:
    """The tokens that the parser sees, as (type, value): the same as those of Jinja's own lexer."""
    stream, _ = _numbered(source, segments(source))
    return ((str(token.type), token.value) for token in stream)


@lru_cache(maxsize=64)
def parse(source: str, environment: jinja2.Environment) -> Tree:
    """The tree of a source whose line ends are `\\n`.

    Raises SyntaxFault with line and column where Jinja's grammar is broken.
    """
    pieces = segments(source)
    stream, places = _numbered(source, pieces)
    parser = _PlacingParser(environment, lexer.TokenStream(iter(stream), None, None))
    try:
        root = parser.parse()
    except jinja2.TemplateSyntaxError as error:
        number = min(error.lineno, len(places) - 1)
        line, column = line_of(source, places[number][1] if places else 0)
        raise SyntaxFault(str(error.message), line=line, column=column) from error
    except RecursionError as error:
        raise SyntaxFault("tags or brackets are nested too deeply to be read") from error
    root.set_environment(environment)
    return Tree(source, pieces, root, tuple(places), parser.ranges)
