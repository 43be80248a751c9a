"""The Jinja environment in which transformers 5.24 runs chat templates, made without transformers."""

import copy
import json
from collections.abc import Callable
from datetime import datetime
from functools import lru_cache, partial
from typing import Any, ClassVar

from jinja2 import Template as Compiled
from jinja2 import nodes, pass_context
from jinja2.compiler import CodeGenerator, Frame
from jinja2.exceptions import SecurityError, TemplateError
from jinja2.ext import Extension, loopcontrols
from jinja2.parser import Parser
from jinja2.runtime import Context, Macro
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import Namespace

from trainplate.rendering.limits import Meter


class RaisedByTemplate(TemplateError):
    """Raised where a template calls `raise_exception`: it turns the conversation down on purpose."""


class RenderContext(Context):
    """The state of one render: beside the variables, what it has used and how it marks generation blocks."""

    meter: Meter
    marking: Callable[[str], str] | None = None


class GenerationTag(Extension):
    """Reads `{% generation %}` blocks: what the model itself writes stands in them."""

    tags: ClassVar[set[str]] = {"generation"}

    def parse(self, parser: Parser) -> nodes.Node:
        """Read a block into a call, so that its body has a scope of its own, as in transformers."""
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return nodes.CallBlock(self.call_method("mark"), [], [], body).set_lineno(line)

    @pass_context
    def mark(self, context: RenderContext, caller: Macro) -> str:
        """Print the block, within marks where the render asks for them."""
        text: str = caller()
        return text if context.marking is None else context.marking(text)


class LimitedCode(CodeGenerator):
    """Compiles a template so that each loop turn and macro call is counted against its limits."""

    def write_commons(self) -> None:
        """Give each function that renders the counter of its own render."""
        super().write_commons()
        self.writeline("tick = context.meter.tick")
        self.writeline("tick()")

    def visit_For(self, node: nodes.For, frame: Frame) -> None:
        """Count the turns of a loop."""
        super().visit_For(with_tick(node), frame)

    def macro_body(self, node: Any, frame: Frame) -> Any:
        """Count the calls of a macro."""
        return super().macro_body(with_tick(node), frame)


def with_tick(node: Any) -> Any:
    """Return the node with a counting call at the start of its body, leaving the given one as it is."""
    counted = copy.copy(node)
    counted.body = [tick_statement(node.lineno), *node.body]
    return counted


def tick_statement(line: int) -> nodes.Stmt:
    """Make the statement that counts: Jinja lets only its parser make internal names, hence the detour."""
    name = object.__new__(nodes.InternalName)
    nodes.Node.__init__(name, "tick()", lineno=line)
    return nodes.ExprStmt(name, lineno=line)


class LimitedEnvironment(ImmutableSandboxedEnvironment):
    """The sandbox of transformers, in which time and size are limited too."""

    code_generator_class = LimitedCode
    context_class = RenderContext


class SafeDict:
    """Makes dicts for templates, and lets them reach nothing else of the class."""

    def __call__(self, *args: Any, **kwargs: Any) -> dict[Any, Any]:
        """Make a dict, as Python does."""
        return dict(*args, **kwargs)

    def fromkeys(self, *args: Any, **kwargs: Any) -> dict[Any, Any]:
        """Make a dict of keys that share one value."""
        return dict.fromkeys(*args, **kwargs)


class SafeNamespace(Namespace):
    """A namespace that stores no name with a leading underscore."""

    def __init__(*args: Any, **kwargs: Any) -> None:
        attributes = dict(*args[1:], **kwargs)
        for name in attributes:
            refuse_underscore(name)
        Namespace.__init__(args[0], attributes)

    def __setitem__(self, name: str, value: Any) -> None:
        refuse_underscore(name)
        super().__setitem__(name, value)


def refuse_underscore(name: object) -> None:
    """Refuse an attribute name that could reach into Python."""
    if isinstance(name, str) and name.startswith("_"):
        raise SecurityError(f"a namespace stores no name with a leading underscore, but got {name!r}")


def raise_exception(message: object) -> None:
    """Turn the conversation down in the template's own words."""
    raise RaisedByTemplate(message)  # type: ignore[arg-type]


def tojson(
    value: Any,
    ensure_ascii: bool = False,
    indent: int | str | None = None,
    separators: tuple[str, str] | None = None,
    sort_keys: bool = False,
) -> str:
    """Print a value as JSON without escaping HTML, as transformers does and Jinja does not."""
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


def strftime_now(pattern: str, *, clock: datetime | None) -> str:
    """Print the fixed moment, or the present one where none is fixed."""
    return (clock or datetime.now()).strftime(pattern)


@lru_cache(maxsize=32)
def environment(clock: datetime | None = None) -> LimitedEnvironment:
    """Return the environment whose clock shows that moment, or the real time; made once for each."""
    made = LimitedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=[GenerationTag, loopcontrols])
    made.filters["tojson"] = tojson
    made.globals.update(
        raise_exception=raise_exception,
        strftime_now=partial(strftime_now, clock=clock),
        dict=SafeDict(),
        namespace=SafeNamespace,
    )
    return made


def compile_tree(tree: nodes.Template, *, environment: LimitedEnvironment, name: str = "<template>") -> Compiled:
    """Compile a syntax tree, which stays as it is, into a template whose loops and macros are counted."""
    code = environment.compile(tree, name, name)
    return Compiled.from_code(environment, code, environment.make_globals(None))
