"""Products, powers and formatting, measured before they are made."""

import re
from collections.abc import Iterator, Sequence
from string import Formatter
from typing import Any

from trainplate.errors import LimitExceeded
from trainplate.rendering.guards.guard import Arguments, Options, size
from trainplate.rendering.limits import Meter, bytes_a_character, extent

SPECIFICATION = re.compile(r"[^%a-zA-Z]*")
PARENTHESIS = re.compile(r"[()]")
ESCAPED = 10
"""How many characters `!r` may make of one: `\\U0001f600`."""
MOST_BITS = 65_536
"""Larger numbers than this no template needs, and Python prints none of more than 4,300 digits."""


def check_operator(meter: Meter, operator: str, left: Any, right: Any) -> None:
    """Stop a product, power or formatting whose result would be too large."""
    if operator == "*":
        check_product(meter, left, right)
    elif operator == "**":
        check_power(left, right)
    elif isinstance(left, str | bytes):
        check_percent(meter, left, right if isinstance(right, tuple) else (right,))


def check_product(meter: Meter, left: Any, right: Any) -> None:
    """Stop the repetition of a text or list, and the product of huge numbers."""
    if isinstance(left, int) and isinstance(right, int):
        check_bits(left.bit_length() + right.bit_length())
        return
    repeated, times = (right, left) if isinstance(left, int) else (left, right)
    if isinstance(times, int) and isinstance(repeated, str | bytes | list | tuple):
        weight = extent(repeated) if isinstance(repeated, str | bytes) else meter.weigh(repeated)
        meter.check_size(max(extent(repeated), weight) * times)
        meter.charge(extent(repeated) * max(times, 0), bytes_a_character(repeated))


def check_power(left: Any, right: Any) -> None:
    """Stop a power of huge size."""
    if isinstance(left, int) and isinstance(right, int) and right > 0:
        check_bits(left.bit_length() * right)


def check_bits(bits: int) -> None:
    """Stop before a number becomes huge."""
    if bits > MOST_BITS:
        raise LimitExceeded(f"the template makes a number of more than {MOST_BITS:,} bits")


def check_percent(meter: Meter, pattern: str | bytes, values: Sequence[Any]) -> None:
    """Stop `pattern % values` where the widths it names, or its parts together, are too large."""
    text = pattern if isinstance(pattern, str) else pattern.decode("latin-1")
    held = [meter.weighed(value) for value in values]
    widths = sum(map(width_in, specifications(text)))
    given = sum(abs(value) for value in held if isinstance(value, int)) if "*" in text else 0
    largest = max(map(size, held), default=0) * (ESCAPED if "r" in text or "a" in text else 1)
    meter.check_size(len(text) + widths + given + text.count("%") * largest)


def specifications(text: str) -> Iterator[str]:
    """Yield what stands between each `%`, with the key in parentheses behind it, and the letter of its conversion."""
    position = 0
    while (position := text.find("%", position) + 1) > 0:
        if text.startswith("(", position):
            position = behind_key(text, position)
        found = SPECIFICATION.match(text, position)
        yield found.group() if found else ""
        position = max(position, found.end() if found else position)


def behind_key(text: str, position: int) -> int:
    """Return where a key ends, which may have parentheses within; the end of the text where it does not."""
    depth = 0
    for parenthesis in PARENTHESIS.finditer(text, position):
        depth += 1 if parenthesis.group() == "(" else -1
        if depth == 0:
            return parenthesis.end()
    return len(text)


def check_format(meter: Meter, pattern: str, arguments: Arguments, options: Options) -> None:
    """Stop `pattern.format(...)` where the widths it names, or its parts together, are too large."""
    values = [meter.weighed(value) for value in (*arguments, *options.values())]
    fields = [spec or "" for _, name, spec, _ in Formatter().parse(pattern) if name is not None]
    widths = sum(map(width_in, fields))
    if any("{" in spec for spec in fields):
        widths += sum(width_in(str(value)) for value in values if isinstance(value, int | str))
    escaped = ESCAPED if "!" in pattern else 1
    meter.check_size(len(pattern) + widths + len(fields) * escaped * max(map(size, values), default=0))


def width_in(specification: str) -> int:
    """Return the numbers in a format's specification, added up: its width and its precision."""
    return sum(int(digits[:20]) for digits in re.findall(r"\d+", specification))
