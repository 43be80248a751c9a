"""Formats of our own writing for models that have no chat template: data, compiled to training templates."""

from trainplate.formats.files import (
    format_from_json,
    format_from_toml,
    format_names,
    format_to_json,
    load_format,
)
from trainplate.formats.format import VERSION, Format, FormatError
from trainplate.formats.parts import Part

__all__ = [
    "VERSION",
    "Format",
    "FormatError",
    "Part",
    "format_from_json",
    "format_from_toml",
    "format_names",
    "format_to_json",
    "load_format",
]
