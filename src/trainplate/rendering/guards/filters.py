"""Filters that print, copy or multiply what they are given, measured before they run."""

from collections.abc import Callable, Mapping
from functools import wraps
from operator import attrgetter
from typing import Any

from jinja2 import pass_context

from trainplate.rendering.guards.guard import Arguments, Guard, Options, first, run_guard, second, size
from trainplate.rendering.guards.methods import replaced, stripped
from trainplate.rendering.guards.operators import MOST_BITS, check_bits, check_percent, check_power
from trainplate.rendering.limits import CHARACTERS_AN_ITEM, Meter

COPIES_A_WORD = 2500
"""What `urlize` and `wordwrap` do for a character of short words takes as long as copying so many."""
COPIES_A_LINE = 500
"""The same for `indent` and a line."""


def centered_filter(meter: Meter, value: Any, arguments: Arguments, options: Options) -> None:
    """Measure `center`."""
    meter.check_size(first(arguments, options, "width", 80))


def indented_filter(meter: Meter, value: Any, arguments: Arguments, options: Options) -> None:
    """Measure `indent`, by a width or by a text."""
    width = first(arguments, options, "width", 4)
    step = len(width) if isinstance(width, str) else width
    lines = value.count("\n")
    meter.check_size(len(value) + step * (2 + lines) + CHARACTERS_AN_ITEM * lines)
    meter.check_work(lines * COPIES_A_LINE)


def replaced_filter(meter: Meter, value: Any, arguments: Arguments, options: Options) -> None:
    """Measure `replace`."""
    old, new = first(arguments, options, "old", ""), second(arguments, options, "new", "")
    replaced(meter, meter.text(value), (meter.text(old), meter.text(new)), {})


def formatted_filter(meter: Meter, value: Any, arguments: Arguments, options: Options) -> None:
    """Measure `format`."""
    check_percent(meter, meter.text(value), arguments or tuple(options.values()))


def joined_filter(meter: Meter, value: Any, arguments: Arguments, options: Options) -> None:
    """Measure `join`, of a list or of the characters of a text."""
    separator = size(first(arguments, options, "d", ""))
    meter.check_size(len(value) * separator)
    listed_filter(meter, value, arguments, options)


def wrapped_filter(meter: Meter, value: Any, arguments: Arguments, options: Options) -> None:
    """Measure `wordwrap`: a long word is copied again for each line that is cut from it."""
    width = max(first(arguments, options, "width", 79), 1)
    line_end = size(options.get("wrapstring") or "\n")
    meter.check_size(len(value) + (len(value) // width + value.count("\n")) * line_end)
    longest = max(map(len, value.split()), default=0)
    meter.check_work(longest * longest / width + len(value) * COPIES_A_WORD)


def stripped_filter(meter: Meter, value: Any, arguments: Arguments, options: Options) -> None:
    """Measure `striptags`: the text is copied again for each comment and tag."""
    meter.check_work(len(value) * value.count("<"))


def linked_filter(meter: Meter, value: Any, arguments: Arguments, options: Options) -> None:
    """Measure `urlize`, which tries patterns at each word, and at each character of a word."""
    cut_filter(meter, value, arguments, options)
    longest = max(map(len, value.split()), default=0)
    meter.check_work(longest * longest + len(value) * COPIES_A_WORD)


def listed_filter(meter: Meter, value: Any, arguments: Arguments, options: Options) -> None:
    """Measure `list` and `sort` of a text, which make an item of each character."""
    if isinstance(value, str):
        meter.check_size(len(value) * CHARACTERS_AN_ITEM)


def grouped_filter(meter: Meter, value: Any, arguments: Arguments, options: Options) -> None:
    """Measure `batch` and `slice`, which make lists of a given number of items, or a given number of lists."""
    listed_filter(meter, value, arguments, options)
    meter.check_size(CHARACTERS_AN_ITEM * first(arguments, options, "linecount", options.get("slices", 0)))


def summed_filter(meter: Meter, value: Any, arguments: Arguments, options: Options) -> None:
    """Measure `sum` of lists, which are copied again for each one that is added."""
    listed_filter(meter, value, arguments, options)
    if not isinstance(second(arguments, options, "start", 0), int | float):
        total = sum(map(size, value))
        meter.check_size(total)
        meter.check_work(total * len(value))


def rounded_filter(meter: Meter, value: Any, arguments: Arguments, options: Options) -> None:
    """Measure `round`, which raises ten to its precision."""
    check_power(10, abs(first(arguments, options, "precision", 0)))


def cut_filter(meter: Meter, value: Any, arguments: Arguments, options: Options) -> None:
    """Measure what cuts a text into pieces on its way, of a character each at worst."""
    listed_filter(meter, meter.text(value), arguments, options)


def trimmed_filter(meter: Meter, value: Any, arguments: Arguments, options: Options) -> None:
    """Measure `trim` of certain characters."""
    stripped(meter, meter.text(value), (first(arguments, options, "chars"),), {})


def number_filter(meter: Meter, value: Any, arguments: Arguments, options: Options) -> None:
    """Measure `int`, which reads digits of any number to the bases 2 to 32."""
    if isinstance(value, str):
        check_bits(5 * len(value.strip()) if len(value) > MOST_BITS else 0)


FILTERS: dict[str, Guard | None] = {
    **dict.fromkeys(("e", "escape", "forceescape", "reverse", "safe", "xmlattr")),
    **dict.fromkeys(("pprint", "title", "truncate", "urlencode", "wordcount"), cut_filter),
    **dict.fromkeys(("dictsort", "groupby", "max", "min", "unique"), listed_filter),
    "int": number_filter,
    "center": centered_filter,
    "indent": indented_filter,
    "replace": replaced_filter,
    "format": formatted_filter,
    "join": joined_filter,
    "wordwrap": wrapped_filter,
    "striptags": stripped_filter,
    "urlize": linked_filter,
    "list": listed_filter,
    "sort": listed_filter,
    "batch": grouped_filter,
    "slice": grouped_filter,
    "sum": summed_filter,
    "round": rounded_filter,
}
"""Every filter that multiplies what it is given, with what must be known beforehand, if anything."""

PRINTING: dict[str, Guard | None] = {
    **dict.fromkeys(("capitalize", "lower", "string", "upper")),
    "trim": trimmed_filter,
}
"""Filters that make a text of what they are given, and no more of it; measured where they are told how."""

MATERIALIZED = {"join", "batch", "slice", "sum", "groupby", "sort", "unique"}
"""Filters that read all of their input, and so can be given a list in place of a generator."""

LEADING: dict[str, Callable[[Any], Any]] = {
    "context": lambda context: context,
    "eval_context": attrgetter("eval_ctx"),
    "environment": attrgetter("environment"),
}
"""What Jinja gives a filter in front of its value, where the filter asks for it."""


def measured_filters(originals: Mapping[str, Any]) -> dict[str, Any]:
    """Return the filters that do as the originals, and are measured where they run.

    As they ask for the context of a render, Jinja does not run them while compiling, where there is no limit.
    """
    growing = {name: measured(originals[name], guard, name in MATERIALIZED) for name, guard in FILTERS.items()}
    return {**growing, **{name: printing(originals[name], guard) for name, guard in PRINTING.items()}}


def printing(original: Callable[..., Any], guard: Guard | None) -> Callable[..., Any]:
    """Return a filter that weighs a container before it is printed."""

    @pass_context
    @wraps(original)
    def run(context: Any, value: Any, *arguments: Any, **options: Any) -> Any:
        if value.__class__ is not str:
            context.meter.weighed(value)
        if guard is not None and (arguments or options):
            run_guard(guard, context.meter, value, arguments, options)
        return context.meter.grown(original(value, *arguments, **options))

    return run


def measured(original: Callable[..., Any], guard: Guard | None, materialized: bool) -> Callable[..., Any]:
    """Return a filter that measures what it is given, what it will make, and what it made."""
    asked = getattr(original, "jinja_pass_arg", None)
    leading = LEADING[asked.name] if asked is not None else None

    @pass_context
    @wraps(original)
    def run(context: Any, value: Any, *arguments: Any, **options: Any) -> Any:
        meter: Meter = context.meter
        if value.__class__ is not str:
            value = list(value) if materialized and hasattr(value, "__next__") else value
            meter.weighed(value)
        if guard is not None:
            run_guard(guard, meter, value, arguments, options)
        if leading is None:
            return meter.grown(original(value, *arguments, **options))
        return meter.grown(original(leading(context), value, *arguments, **options))

    return run
