"""What transformers adds to Jinja's grammar: `break`, `continue` and `{% generation %}` blocks."""

from functools import cache
from typing import Any

from jinja2 import Environment, nodes
from jinja2.ext import Extension, loopcontrols
from jinja2.parser import Parser

GENERATION, END_GENERATION = "generation", "endgeneration"


class GenerationGrammar(Extension):
    """Reads `{% generation %}` blocks as calls, whose bodies have a scope of their own, as in transformers."""

    def __init__(self, environment: Any) -> None:
        self.tags = {GENERATION}
        super().__init__(environment)

    def parse(self, parser: Parser) -> nodes.Node:
        """Read a block up to its end tag."""
        line = next(parser.stream).lineno
        body = parser.parse_statements((f"name:{END_GENERATION}",), drop_needle=True)
        return nodes.CallBlock(self.call_method(GENERATION), [], [], body).set_lineno(line)


@cache
def grammar() -> Environment:
    """The environment that reads chat templates and renders nothing: enough for trees and normal forms."""
    return Environment(trim_blocks=True, lstrip_blocks=True, extensions=[GenerationGrammar, loopcontrols])
