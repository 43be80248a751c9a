"""The value everything starts from: a chat template's text, with what belongs to it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

NO_TOKENS: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class Template:
    """A chat template as published: its Jinja source, the special tokens it may print, and where it came from."""

    source: str
    special_tokens: Mapping[str, str] = field(default_factory=lambda: NO_TOKENS)
    name: str = "<template>"
    """What messages call it: a file's path, a model's id, or `<template>`."""
    variant: str | None = None
    """The key of a named template (`tool_use`), where the tokenizer carries several."""
