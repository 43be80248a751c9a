"""The Jinja environment in which transformers 5.24 runs chat templates, made without transformers."""

from datetime import datetime
from functools import lru_cache, partial
from typing import Any

from jinja2 import nodes
from jinja2.ext import Extension, loopcontrols
from jinja2.parser import Parser

from trainplate.rendering import guards
from trainplate.rendering.compiler import GENERATION_MARK
from trainplate.rendering.compiler import LimitedCode as LimitedCode
from trainplate.rendering.compiler import compile_tree as compile_tree
from trainplate.rendering.globals import SafeDict, SafeNamespace, lipsum, raise_exception, strftime_now, tojson
from trainplate.rendering.sandbox import LimitedEnvironment as LimitedEnvironment
from trainplate.rendering.sandbox import RenderContext as RenderContext


class GenerationTag(Extension):
    """Reads `{% generation %}` blocks: what the model itself writes stands in them."""

    def __init__(self, environment: Any) -> None:
        self.tags = {"generation"}
        super().__init__(environment)

    def parse(self, parser: Parser) -> nodes.Node:
        """Read a block as a call, so that its body has a scope of its own, as in transformers."""
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return nodes.CallBlock(self.call_method(GENERATION_MARK), [], [], body).set_lineno(line)


@lru_cache(maxsize=32)
def environment(clock: datetime | None = None) -> LimitedEnvironment:
    """Return the environment whose clock shows that moment, or the real time; it is made once for each."""
    # Folding constants beforehand changes no text, and takes longer than it saves on the few that a template has.
    made = LimitedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[GenerationTag, loopcontrols], optimized=False
    )
    made.filters.update(guards.measured_filters(made.filters), tojson=tojson)
    made.globals.update(
        raise_exception=raise_exception,
        strftime_now=partial(strftime_now, clock=clock),
        lipsum=lipsum,
        dict=SafeDict(),
        namespace=SafeNamespace,
    )
    return made
