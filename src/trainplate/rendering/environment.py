"""The Jinja environment in which transformers 5.24 runs chat templates, made without transformers."""

from collections.abc import Iterable
from datetime import datetime
from functools import lru_cache, partial, update_wrapper
from types import BuiltinMethodType, MethodType
from typing import Any

from jinja2 import nodes
from jinja2.ext import Extension, loopcontrols
from jinja2.parser import Parser
from jinja2.runtime import Context, Macro
from jinja2.sandbox import ImmutableSandboxedEnvironment

from trainplate.rendering import guards
from trainplate.rendering.compiler import GENERATION_MARK
from trainplate.rendering.compiler import LimitedCode as LimitedCode
from trainplate.rendering.compiler import compile_tree as compile_tree
from trainplate.rendering.globals import SafeDict, SafeNamespace, lipsum, raise_exception, strftime_now, tojson
from trainplate.rendering.limits import CONTAINERS, Meter, current_budget
from trainplate.rendering.marks import Marks

METHOD_TYPES = (BuiltinMethodType, MethodType)
SCOPES = ("_loop_vars", "_block_vars")
"""What Jinja adds to the arguments of a call, for functions that ask for the context."""


class RenderContext(Context):
    """The state of one render: beside the variables, what it has used and how it marks generation blocks."""

    meter: Meter
    marks: Marks | None = None

    def marked(self, text: str, caught: bool) -> str:
        """Return what a generation block prints."""
        return text if self.marks is None else self.marks.around(text, caught)

    def derived(self, locals: dict[str, Any] | None = None) -> "RenderContext":
        """Make the context that a call inside a loop sees; it belongs to the same render."""
        made = super().derived(locals)
        assert isinstance(made, RenderContext)
        made.__dict__.update({name: value for name, value in self.__dict__.items() if name not in made.__dict__})
        return made


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


class LimitedEnvironment(ImmutableSandboxedEnvironment):
    """The sandbox of transformers, in which what a template takes is measured as well."""

    code_generator_class = LimitedCode
    context_class = RenderContext
    intercepted_binops = frozenset({"*", "**", "%"})

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """Do a product, a power or a formatting, unless its result would be too large."""
        guards.check_operator(meter_of(context), operator, left, right)
        return self.binop_table[operator](left, right)

    def call(self, context: Context, obj: Any, /, *args: Any, **kwargs: Any) -> Any:
        """Call what a template calls, unless its result would be too large."""
        kind = obj.__class__
        if kind in METHOD_TYPES:
            guard = guards.METHODS.get(obj.__name__)
            if guard is not None:
                options = {name: value for name, value in kwargs.items() if name not in SCOPES}
                args = guards.run_guard(guard, meter_of(context), obj.__self__, args, options)
        elif kind is Macro and (obj.catch_varargs or obj.catch_kwargs):
            # What a macro does not name is put into a tuple and a dict, which can nest as lists do.
            meter_of(context).weigh([args, kwargs])
        result = super().call(context, obj, *args, **kwargs)
        if isinstance(result, CONTAINERS):
            meter_of(context).weigh(result)
        return result

    def call_filter(self, *args: Any, **kwargs: Any) -> Any:
        """Count each turn of `map` and its like, which loop without a loop."""
        context = kwargs.get("context")
        if context is not None:
            meter_of(context).tick()
        return super().call_filter(*args, **kwargs)

    def wrap_str_format(self, value: Any) -> Any:
        """Return a `format` method that keeps to the sandbox, and to the limits."""
        safe = super().wrap_str_format(value)
        if safe is None:
            return None

        def measured(*args: Any, **kwargs: Any) -> str:
            options = args[0] if value.__name__ == "format_map" and args else kwargs
            arguments = args if value.__name__ == "format" else ()
            guards.check_format(Meter(current_budget()), value.__self__, arguments, options)
            return safe(*args, **kwargs)

        return update_wrapper(measured, value)

    @staticmethod
    def concat(parts: Iterable[str]) -> str:
        """Join what a block prints that is called by name; the meter of a render joins everything else."""
        return "".join(Meter(current_budget()).counted(parts))


def meter_of(context: Any) -> Meter:
    """Return the meter of the render that a context belongs to."""
    meter: Meter = context.meter
    return meter


@lru_cache(maxsize=32)
def environment(clock: datetime | None = None) -> LimitedEnvironment:
    """Return the environment whose clock shows that moment, or the real time; it is made once for each."""
    made = LimitedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=[GenerationTag, loopcontrols])
    made.filters.update({name: guards.measured(name, made.filters[name]) for name in guards.FILTERS})
    made.filters["tojson"] = tojson
    made.globals.update(
        raise_exception=raise_exception,
        strftime_now=partial(strftime_now, clock=clock),
        lipsum=lipsum,
        dict=SafeDict(),
        namespace=SafeNamespace,
    )
    return made
