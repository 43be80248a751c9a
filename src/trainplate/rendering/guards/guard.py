"""What every guard is: it measures an operation from its arguments, before it runs."""

from collections.abc import Callable
from typing import Any

from trainplate.rendering.limits import Meter

Arguments = tuple[Any, ...]
Options = dict[str, Any]
Guard = Callable[[Meter, Any, Arguments, Options], Arguments | None]
"""Raises `LimitExceeded`, or returns the arguments to use in place of the given ones, if any."""


def size(value: Any) -> int:
    """Return about how many characters a value prints."""
    return len(value) if isinstance(value, str | bytes | list | tuple) else 32


def first(arguments: Arguments, options: Options, name: str, default: Any = None) -> Any:
    """Return an argument that is given first or by its name."""
    return arguments[0] if arguments else options.get(name, default)


def second(arguments: Arguments, options: Options, name: str, default: Any = None) -> Any:
    """Return an argument that is given second or by its name."""
    return arguments[1] if len(arguments) > 1 else options.get(name, default)


def run_guard(guard: Guard | None, meter: Meter, value: Any, arguments: Arguments, options: Options) -> Arguments:
    """Measure an operation, and return the arguments to run it with."""
    if guard is None:
        return arguments
    try:
        replacement = guard(meter, value, arguments, options)
    except (TypeError, ValueError, AttributeError, IndexError):
        return arguments
    return arguments if replacement is None else replacement
