"""The template that a data set is rendered with: the caller's, or the proven one of the tokenizer's own."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from jinja2 import nodes

from trainplate.errors import LoadingError, TrainplateError
from trainplate.loading.live_tokenizer import load_tokenizer, tokens_of
from trainplate.masks.backend import text_tokenizer
from trainplate.patching.patch import Patch, patch
from trainplate.rendering import CompiledTemplate, Handling, compile_template, environment
from trainplate.rendering.compiler import is_generation, parse
from trainplate.template import Template

KEYS = "{% for m in messages %}{{ m.keys() | list | join(' ') }}{% endfor %}"
PROBE = {"role": "user", "content": "", "name": None, "reasoning": "yes"}


def training_template(tokenizer: Any, template: str | Patch | None = None, *, tools: bool = False) -> CompiledTemplate:
    """Return what conversations are rendered with, ready to render as the tokenizer's own release would.

    A template with generation markers is taken as it is. Any other, and the tokenizer's own where none is given, is
    patched; raises Refusal where nothing can be proven. `tools` chooses among named templates.
    """
    owner = text_tokenizer(tokenizer)
    tokens = special_tokens(owner)
    source = training_source(tokenizer, template, tokens, tools)
    return compiled(source, frozenset(tokens.items()), handling_of(owner))


def training_source(tokenizer: Any, template: str | Patch | None, tokens: Mapping[str, str], tools: bool) -> str:
    """Return the text of the template that conversations are rendered with."""
    if isinstance(template, Patch):
        return template.training_template
    if template is None:
        return proven(own_template(tokenizer, tools).source, frozenset(tokens.items()))
    named = getattr(tokenizer, "chat_template", None)
    given = named[template] if isinstance(named, Mapping) and template in named else template
    return given if has_markers(given) else proven(given, frozenset(tokens.items()))


def original_source(tokenizer: Any, template: str | Patch | None, tools: bool) -> str:
    """Return the text of the template that will ask for turns: the one before it was patched."""
    if isinstance(template, Patch):
        return template.original.source
    if template is None:
        return own_template(tokenizer, tools).source
    named = getattr(tokenizer, "chat_template", None)
    return str(named[template]) if isinstance(named, Mapping) and template in named else template


def own_template(tokenizer: Any, tools: bool) -> Template:
    """Return the template that transformers would take: of named ones the default, or that for tools if there are."""
    templates = {template.variant: template for template in load_tokenizer(tokenizer)}
    for variant in (None, "tool_use" if tools else "default", "default"):
        if variant in templates:
            return templates[variant]
    names = ", ".join(map(str, templates))
    way_out = "give one of them: template=tokenizer.chat_template[NAME]"
    raise LoadingError(f"the tokenizer has several templates and none is the default: {names}\n    way out   {way_out}")


def special_tokens(owner: Any) -> dict[str, str]:
    """Return the tokens that the tokenizer hands to its template, those of its model included."""
    named = getattr(owner, "special_tokens_map", None) or {}
    return {name: str(token) for name, token in named.items() if isinstance(token, str)} | tokens_of(owner)


@lru_cache(maxsize=64)
def has_markers(source: str) -> bool:
    """Say whether a template has generation blocks; a comment that speaks of them is none."""
    tree = parse(source, environment=environment(), name="<template>")
    return any(is_generation(block) for block in tree.find_all(nodes.CallBlock))


@lru_cache(maxsize=64)
def proven(source: str, tokens: frozenset[tuple[str, str]]) -> str:
    """Return the training template of an original; it is searched for once for each text."""
    return patch(source, special_tokens=dict(tokens)).training_template


@lru_cache(maxsize=64)
def compiled(source: str, tokens: frozenset[tuple[str, str]], handling: Handling) -> CompiledTemplate:
    """Compile a template once for each text."""
    return compile_template(source, special_tokens=dict(tokens), handling=handling)


def handling_of(owner: Any) -> Handling:
    """Find out what the tokenizer's release of transformers does to messages, by asking it for the keys of one."""
    if not hasattr(owner, "apply_chat_template"):
        return Handling()
    return handling_of_class(type(owner), owner)


_handlings: dict[type, Handling] = {}


def handling_of_class(kind: type, owner: Any) -> Handling:
    """Ask once for each class of tokenizers."""
    if kind not in _handlings:
        try:
            keys = str(owner.apply_chat_template([PROBE], chat_template=KEYS, tokenize=False)).split()
        except (TrainplateError, TypeError, ValueError, AttributeError):
            return Handling()
        _handlings[kind] = Handling(none_dropped="name" not in keys, reasoning_aliased="reasoning_content" in keys)
    return _handlings[kind]
