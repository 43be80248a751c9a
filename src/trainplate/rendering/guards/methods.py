"""Methods of texts and numbers that make much of little, measured before they run."""

from typing import Any

from trainplate.errors import LimitExceeded
from trainplate.rendering.guards.guard import Arguments, Guard, Options, first, size
from trainplate.rendering.guards.operators import check_bits
from trainplate.rendering.limits import CHARACTERS_AN_ITEM, Meter

PLAIN_ENCODINGS = {"utf-8", "utf8", "ascii", "latin-1", "latin1", "iso-8859-1", "utf-16", "utf-32"}


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
    """Leave large texts to plain encodings: for others Python's work grows with the square of the length."""
    if len(owner) > meter.small and str(first(arguments, options, "encoding", "utf-8")).lower() not in PLAIN_ENCODINGS:
        raise LimitExceeded("the template encodes a large text in a costly way")


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
    "rsplit": cut,
    "splitlines": cut,
    "encode": encoded,
    "decode": encoded,
}
