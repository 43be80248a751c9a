"""What transformers lets a chat template call, beside what Jinja itself offers."""

import json
from datetime import datetime
from typing import Any

from jinja2 import pass_context
from jinja2.exceptions import SecurityError, TemplateError
from jinja2.runtime import Context
from jinja2.utils import Namespace, generate_lorem_ipsum

from trainplate.errors import LimitExceeded
from trainplate.rendering.indented_json import indented_json, plain_json
from trainplate.rendering.limits import CONTAINERS, Meter

DEEPEST = 1000
"""Python's own limit on lists within lists that it can print."""
LONGEST_DATE_FORMAT = 10_000
MOST_LOREM_WORDS = 100_000


class RaisedByTemplate(TemplateError):
    """Raised where a template calls `raise_exception`: it turns the conversation down on purpose."""


def raise_exception(message: Any) -> None:
    """Turn the conversation down in the template's own words."""
    raise RaisedByTemplate(message)


@pass_context
def tojson(
    context: Context,
    x: Any,
    ensure_ascii: bool = False,
    indent: int | str | None = None,
    separators: tuple[str, str] | None = None,
    sort_keys: bool = False,
) -> str:
    """Print a value as JSON without escaping HTML, as transformers does and Jinja does not."""
    meter: Meter = context.meter  # type: ignore[attr-defined]
    weight = meter.weigh(x) if isinstance(x, CONTAINERS) else 0
    if not ensure_ascii and indent is None and separators is None and not sort_keys:
        return meter.grown(plain_json.encode(x))  # type: ignore[no-any-return]
    encoder = json.JSONEncoder(ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)
    if weight * widest_gap(indent, separators) > meter.most:
        return streamed(encoder, x, meter)
    if type(indent) is int and indent >= 0 and not ensure_ascii and separators is None and not sort_keys:
        return meter.grown(indented_json(x, indent))  # type: ignore[no-any-return]
    return meter.grown(encoder.encode(x))  # type: ignore[no-any-return]


def widest_gap(indent: int | str | None, separators: tuple[str, str] | None) -> int:
    """Return the most characters that stand between two items, with the indent as deep as Python can nest."""
    step = len(indent) if isinstance(indent, str) else indent or 0
    return 1 + step * DEEPEST + sum(len(part) for part in separators or () if isinstance(part, str))


def streamed(encoder: json.JSONEncoder, value: Any, meter: Meter) -> str:
    """Encode piece by piece, where the indent and the separators could make a text too large."""
    indent = encoder.indent
    meter.check_size(DEEPEST * (len(indent) if isinstance(indent, str) else indent or 0))
    return meter.concat(meter.measured(encoder.iterencode(value)))


def strftime_now(pattern: str, *, clock: datetime | None) -> str:
    """Print the fixed moment, or the present one where none is fixed."""
    if isinstance(pattern, str) and len(pattern) > LONGEST_DATE_FORMAT:
        raise LimitExceeded(f"the template prints a date with a format of {len(pattern):,} characters")
    return (clock or datetime.now()).strftime(pattern)


def lipsum(n: int = 5, html: bool = True, min: int = 20, max: int = 100) -> str:
    """Make as much filler text as Jinja does, within reason."""
    if n * max > MOST_LOREM_WORDS:
        raise LimitExceeded(f"the template makes more than {MOST_LOREM_WORDS:,} words of filler text")
    return generate_lorem_ipsum(n, html, min, max)


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
        # `self` is not named, so that a template can write `namespace(self=...)`.
        attributes = dict(*args[1:], **kwargs) if len(args) > 1 else kwargs
        for name in attributes:
            if name.__class__ is not str or name[:1] == "_":
                refuse_underscore(name)
        args[0]._Namespace__attrs = attributes

    # Jinja's own is written in Python, and runs whenever anything asks for the type of a namespace.
    __getattribute__ = object.__getattribute__

    def __getattr__(self, name: str) -> Any:
        try:
            return object.__getattribute__(self, "_Namespace__attrs")[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setitem__(self, name: str, value: Any) -> None:
        if name.__class__ is not str or name[:1] == "_":
            refuse_underscore(name)
        self._Namespace__attrs[name] = value


def refuse_underscore(name: object) -> None:
    """Refuse an attribute name that could reach into Python."""
    if isinstance(name, str) and name.startswith("_"):
        raise SecurityError(f"a namespace stores no name with a leading underscore, but got {name!r}")
