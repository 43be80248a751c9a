"""Jinja's own parser, made to read numbered tokens and to note what cannot be told from them afterwards."""

from typing import Any, NoReturn

import jinja2
from jinja2 import lexer, nodes
from jinja2.parser import Parser

from trainplate.syntax.extents import BRACKETS_RANGE, STATEMENT_RANGE
from trainplate.syntax.numbering import Numbering


class NotingParser(Parser):
    """Jinja's parser; it notes on a statement where it ends, and on an expression the brackets around it."""

    def __init__(self, environment: jinja2.Environment, tokens: Numbering) -> None:
        super().__init__(environment, "")
        self.stream = lexer.TokenStream(iter(tokens.stream), None, None)
        self.open_statements: list[int] = []

    def parse_primary(self, with_namespace: bool = False) -> nodes.Expr:
        """Read an operand; of brackets within brackets the outermost are noted last, and stay."""
        token = self.stream.current
        node = super().parse_primary(with_namespace)
        if token.type == "lparen":
            setattr(node, BRACKETS_RANGE, (token.lineno, self.stream.current.lineno - 1))
        return node

    def parse_statement(self) -> Any:
        """Read a statement from its first word to the last one of its end tag."""
        first = self.stream.current.lineno
        self.open_statements.append(first)
        made = super().parse_statement()
        self.open_statements.pop()
        for node in made if isinstance(made, list) else [made]:
            setattr(node, STATEMENT_RANGE, (first, self.stream.current.lineno - 1))
        return made

    def fail_eof(self, end_tokens: tuple[str, ...] | None = None, lineno: int | None = None) -> NoReturn:
        """Fail at the tag that is still open, rather than at the end of the template."""
        super().fail_eof(end_tokens, self.open_statements[-1] - 1 if self.open_statements else lineno)
