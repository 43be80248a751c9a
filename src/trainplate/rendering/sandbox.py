"""The sandbox of transformers, in which what a template takes is measured as well.

Reading an attribute and calling a method are most of a render's work, so the common cases come first here: they answer
as Jinja's own sandbox does, without asking all that it asks.
"""

from collections.abc import Iterable
from contextlib import suppress
from functools import update_wrapper
from types import BuiltinMethodType, MethodType
from typing import Any

from jinja2.runtime import Context, LoopContext, Macro
from jinja2.sandbox import ImmutableSandboxedEnvironment, safe_range
from jinja2.utils import missing

from trainplate.rendering import guards
from trainplate.rendering.compiler import READING, LimitedCode
from trainplate.rendering.globals import SafeNamespace
from trainplate.rendering.limits import LEAVES, Meter, current_budget
from trainplate.rendering.marks import Marks
from trainplate.rendering.repetition import Answers

METHOD_TYPES = (BuiltinMethodType, MethodType)
Scope = dict[str, Any] | None
"""What Jinja adds to the arguments of a call, for functions that ask for the context."""

DICT_NAMES = frozenset(dir(dict))
NAMES: dict[type, frozenset[str]] = {str: frozenset(dir(str)), list: frozenset(dir(list))}
"""What has no items by name: any other is undefined. Many templates ask each character of a text for its `type`."""
SAFE: dict[type, frozenset[str]] = {
    str: frozenset(name for name in dir(str) if not name.startswith(("_", "format"))),
    dict: frozenset(("copy", "get", "items", "keys", "values")),
    list: frozenset(("copy", "count", "index")),
    LoopContext: frozenset(name for name in dir(LoopContext) if not name.startswith("_")),
}
"""Attributes that every sandbox allows, as they change nothing; `str.format` is not one, for it reads attributes."""


READERS = {name: getattr(dict, name) for name in READING}


class RenderContext(Context):
    """The state of one render: beside the variables, what it has used and how it marks generation blocks."""

    meter: Meter
    marks: Marks | None = None
    answers: Answers | None = None
    given: dict[str, bytes]

    def marked(self, text: str, caught: bool) -> str:
        """Return what a generation block prints."""
        return text if self.marks is None else self.marks.around(text, caught)

    def derived(self, locals: dict[str, Any] | None = None) -> "RenderContext":
        """Make the context that a call inside a loop sees; it belongs to the same render."""
        made = super().derived(locals)
        assert isinstance(made, RenderContext)
        made.__dict__.update({name: value for name, value in self.__dict__.items() if name not in made.__dict__})
        return made


class LimitedEnvironment(ImmutableSandboxedEnvironment):
    """Runs what a template asks for, unless Python or its limits would suffer."""

    code_generator_class = LimitedCode
    context_class = RenderContext
    intercepted_binops = frozenset({"*", "**", "%"})

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Return what `obj.attribute` means: an attribute of Python's, or else an item."""
        kind = obj.__class__
        if kind is dict:
            if attribute not in DICT_NAMES:
                value = obj.get(attribute, missing)
                return self.undefined(obj=obj, name=attribute) if value is missing else value
        elif kind is SafeNamespace:
            value = obj._Namespace__attrs.get(attribute, missing)
            if value is not missing and value.__class__ not in METHOD_TYPES:
                return value
        elif kind in NAMES and attribute not in NAMES[kind]:
            return self.undefined(obj=obj, name=attribute)
        if attribute in SAFE.get(kind, ()):
            return getattr(obj, attribute)
        return super().getattr(obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        """Return what `obj[argument]` means: an item, or else an attribute of Python's."""
        if argument.__class__ is str:
            kind = obj.__class__
            if kind is dict:
                value = obj.get(argument, missing)
                if value is not missing:
                    return value
                if argument not in DICT_NAMES:
                    return self.undefined(obj=obj, name=argument)
            elif kind in NAMES and argument not in NAMES[kind]:
                return self.undefined(obj=obj, name=argument)
        return super().getitem(obj, argument)

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """Do a product, a power or a formatting, unless its result would be too large."""
        guards.check_operator(meter_of(context), operator, left, right)
        return self.binop_table[operator](left, right)

    def read(
        self,
        context: Context,
        obj: Any,
        method: str,
        arguments: tuple[Any, ...],
        _loop_vars: Scope = None,
        _block_vars: Scope = None,
    ) -> Any:
        """Call a method by which a dict is read, of whatever has it."""
        if obj.__class__ is dict:
            return READERS[method](obj, *arguments)
        called = self.getattr(obj, method)
        return self.call(context, called, *arguments, _loop_vars=_loop_vars, _block_vars=_block_vars)

    def call(
        self,
        context: Context,
        obj: Any,
        /,
        *args: Any,
        _loop_vars: Scope = None,
        _block_vars: Scope = None,
        **kwargs: Any,
    ) -> Any:
        """Call what a template calls, unless its result would be too large."""
        kind = obj.__class__
        if kind is Macro:
            return self.call_macro(context, obj, args, kwargs)
        if kind is BuiltinMethodType and obj.__self__.__class__ is dict and obj.__name__ in READERS:
            return obj(*args, **kwargs)
        meter = meter_of(context)
        if obj is SafeNamespace:
            meter.tick()
            held = SafeNamespace(*args, **kwargs)
            return held if not args and LEAVES.issuperset(map(type, kwargs.values())) else meter.fresh(held)
        if obj is safe_range:
            return safe_range(*args, **kwargs)
        if kind in METHOD_TYPES and obj.__name__ in guards.METHODS:
            args = guards.run_guard(guards.METHODS[obj.__name__], meter, obj.__self__, args, kwargs)
        if kind is BuiltinMethodType and (owner := obj.__self__.__class__) in SAFE:
            made = obj(*args, **kwargs)
            return meter.fresh(made) if owner is str or obj.__name__ == "copy" else made
        made = super().call(context, obj, *args, **kwargs, _loop_vars=_loop_vars, _block_vars=_block_vars)
        return meter.fresh(made)

    def call_macro(self, context: Context, macro: Macro, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call a macro; what it does not name goes into a tuple and a dict, which can nest as lists do."""
        if macro.catch_varargs or macro.catch_kwargs:
            meter_of(context).weigh((args, kwargs))
        answers: Answers | None = context.answers  # type: ignore[attr-defined]
        try:
            # Another macro may have the same name inside of one.
            if answers is None or macro.name not in answers.reads or context.vars.get(macro.name) is not macro:
                return macro(context.eval_ctx, *args, **kwargs)
            return answers.of(macro, context, args, kwargs)
        except StopIteration:
            return self.undefined("a macro ended an iteration that is not its own")

    def call_filter(self, *args: Any, **kwargs: Any) -> Any:
        """Count each turn of `map` and its like, which loop without a loop."""
        context = kwargs.get("context")
        if context is not None:
            meter_of(context).tick()
        return super().call_filter(*args, **kwargs)

    def call_test(
        self, name: str, value: Any, args: Any = None, kwargs: Any = None, context: Any = None, eval_ctx: Any = None
    ) -> Any:
        """Count each turn of `select` and its like, too."""
        if context is not None:
            meter_of(context).tick()
        return super().call_test(name, value, args, kwargs, context, eval_ctx)

    def wrap_str_format(self, value: Any) -> Any:
        """Return a `format` method that keeps to the sandbox, and to the limits."""
        safe = super().wrap_str_format(value)
        if safe is None:
            return None

        def measured(*args: Any, **kwargs: Any) -> str:
            options = args[0] if value.__name__ == "format_map" and args else kwargs
            arguments = args if value.__name__ == "format" else ()
            with suppress(TypeError, ValueError, AttributeError):  # which the method itself will raise
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
