"""Methods of texts and numbers that make much of little, measured before they run."""

from typing import Any

from trainplate.errors import LimitExceeded
from trainplate.rendering.guards.guard import Arguments, Guard, Options, first, second, size
from trainplate.rendering.guards.operators import check_bits
from trainplate.rendering.limits import CHARACTERS_AN_ITEM, Meter

PLAIN_ENCODINGS = {"utf-8", "utf8", "ascii", "latin-1", "latin1", "iso-8859-1", "utf-16", "utf-32"}
PLAIN_HANDLERS = {"strict", "ignore", "replace", "backslashreplace", "xmlcharrefreplace", "surrogatepass"}
"""What Python does itself; for anything else it loads a module."""


def padded(meter: Meter, owner: Any, arguments: Arguments, options: Options) -> None:
    """Measure `center`, `ljust`, `rjust`, `zfill` and `to_bytes`, which fill up to a width."""
    meter.check_size(first(arguments, options, "length", 0))


def expanded(meter: Meter, owner: Any, arguments: Arguments, options: Options) -> None:
    """Measure `expandtabs`, which makes spaces of each tab."""
    meter.check_size(len(owner) + owner.count("\t") * first(arguments, options, "tabsize", 8))


def replaced(meter: Meter, owner: Any, arguments: Arguments, options: Options) -> None:
    """Measure `replace`."""
    old, new = arguments[:2]
    growth = len(new) - len(old)
    if growth > 0 and len(owner) * growth > meter.small:
        meter.check_size(len(owner) + owner.count(old) * growth)


def translated(meter: Meter, owner: Any, arguments: Arguments, options: Options) -> None:
    """Measure `translate`, whose table may make a text of each character."""
    if isinstance(arguments[0], dict):
        meter.check_size(len(owner) * max(map(size, arguments[0].values()), default=1))


def joined(meter: Meter, owner: Any, arguments: Arguments, options: Options) -> Arguments:
    """Measure `join`, on a list made of what it is given: a generator can be read but once."""
    if isinstance(arguments[0], str | bytes):
        meter.check_size(len(arguments[0]) * CHARACTERS_AN_ITEM)
    parts = list(arguments[0])
    meter.check_size(sum(map(size, parts)) + len(owner) * len(parts))
    return (parts,)


def cut(meter: Meter, owner: Any, arguments: Arguments, options: Options) -> None:
    """Measure `split` and its like: every piece takes far more memory than its characters."""
    if len(owner) > meter.small:
        separator = first(arguments, options, "sep")
        pieces = owner.count(separator) if separator else len(owner) // 2
        meter.check_size(pieces * CHARACTERS_AN_ITEM)


def encoded(meter: Meter, owner: Any, arguments: Arguments, options: Options) -> None:
    """Leave texts to plain encodings: others are read from a module, and some take the square of the length."""
    encoding = str(first(arguments, options, "encoding", "utf-8")).lower().replace("_", "-")
    handler = second(arguments, options, "errors", "strict")
    if encoding not in PLAIN_ENCODINGS or handler not in PLAIN_HANDLERS:
        raise LimitExceeded("the template encodes a text in a costly way")


def stripped(meter: Meter, owner: Any, arguments: Arguments, options: Options) -> None:
    """Measure `strip` and its like, which look for each character among those that are to go."""
    if arguments and arguments[0] is not None:
        meter.check_work(len(owner) * len(arguments[0]))


def sought_backwards(meter: Meter, owner: Any, arguments: Arguments, options: Options) -> None:
    """Measure a search from the end, which may compare all of a text at every place."""
    text = arguments[0]
    meter.check_work(max(len(owner) - len(text), 0) * len(text))


def cut_backwards(meter: Meter, owner: Any, arguments: Arguments, options: Options) -> None:
    """Measure `rsplit`: its search and its pieces."""
    cut(meter, owner, arguments, options)
    if separator := first(arguments, options, "sep"):
        sought_backwards(meter, owner, (separator,), options)


def compared(meter: Meter, owner: Any, arguments: Arguments, options: Options) -> None:
    """Measure `startswith` and `endswith` with many beginnings."""
    if isinstance(arguments[0], tuple):
        meter.check_work(sum(min(size(one), len(owner)) for one in arguments[0]))


def sought(meter: Meter, owner: Any, arguments: Arguments, options: Options) -> None:
    """Weigh a list before it is compared with a value, item by item."""
    meter.weighed(owner)


def read_as_number(meter: Meter, owner: Any, arguments: Arguments, options: Options) -> None:
    """Measure `from_bytes`, which makes a number of any size."""
    check_bits(8 * len(first(arguments, options, "bytes", b"")))


METHODS: dict[str, Guard] = {
    "count": sought,
    "index": sought,
    "from_bytes": read_as_number,
    "center": padded,
    "ljust": padded,
    "rjust": padded,
    "zfill": padded,
    "to_bytes": padded,
    "expandtabs": expanded,
    "replace": replaced,
    "translate": translated,
    "join": joined,
    "split": cut,
    "rsplit": cut_backwards,
    **dict.fromkeys(("strip", "lstrip", "rstrip"), stripped),
    **dict.fromkeys(("rfind", "rindex", "rpartition"), sought_backwards),
    **dict.fromkeys(("startswith", "endswith"), compared),
    "splitlines": cut,
    "encode": encoded,
    "decode": encoded,
}
