"""The value everything starts from: a chat template's text, with what belongs to it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

SPECIAL_TOKENS = ("bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token")
"""The variables that transformers hands to a template; it keeps other tokens to itself."""
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
    stand_ins: frozenset[str] = frozenset()
    """The special tokens whose texts are not known; `special_tokens` has texts of our own in their place."""

    @property
    def known_tokens(self) -> Mapping[str, str]:
        """The special tokens that the source tells."""
        return {name: token for name, token in self.special_tokens.items() if name not in self.stand_ins}


def with_stand_ins(template: Template) -> Template:
    """Return a template that lies beside no tokenizer with a text for every special token that its source speaks of.

    Without, a token that it prints would be taken for nothing: what is proven so would not hold once there is one.
    """
    missing = {
        name: f"<|{name}|>"
        for name in SPECIAL_TOKENS
        if name in template.source and name not in template.special_tokens
    }
    tokens = {**missing, **template.special_tokens}
    return replace(template, special_tokens=tokens, stand_ins=template.stand_ins | missing.keys())
