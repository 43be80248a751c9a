"""A `chat_template` entry is one text, a dictionary of named texts, or a list of `{name, template}`."""

from collections.abc import Mapping
from typing import Any

from trainplate.loading.text_file import failure
from trainplate.template import Template, with_stand_ins


def templates_in(entry: Any, special_tokens: Mapping[str, str] | None, shown: str) -> tuple[Template, ...]:
    """Return the templates of one entry, each under its own name; anything else than text is a clear error.

    Where no tokenizer tells the special tokens, None for them, texts of our own stand for those that a template reads.
    """
    if isinstance(entry, str):
        return (template_of(entry, special_tokens, shown),)
    if isinstance(entry, list | tuple):
        entry = {item["name"]: item["template"] for item in checked_items(entry, shown)}
    if not isinstance(entry, Mapping) or not entry:
        found = "nothing" if entry is None or entry == {} else type(entry).__name__
        raise failure(shown, f"expected a template's text or named templates, found {found}", WAY_OUT)
    return tuple(template_of(text, special_tokens, shown, str(variant)) for variant, text in entry.items())


WAY_OUT = "name a source whose chat_template is text, e.g. the .jinja file"
NONE_YET = (
    "give it one: clone_chat_template(model, tokenizer, SOURCE) takes another model's, `trainplate formats` lists "
    "formats of ours (tokenizer.chat_template = load_format(NAME).template), or set the text of a .jinja file"
)
"""The choices where a tokenizer has no chat template."""


def checked_items(items: list[Any] | tuple[Any, ...], shown: str) -> list[Mapping[str, Any]]:
    """Return the items of a list of named templates once each has a name and a template."""
    for number, item in enumerate(items, 1):
        if not isinstance(item, Mapping) or not {"name", "template"} <= item.keys():
            raise failure(shown, f"item {number} lacks a name or a template", WAY_OUT)
    return list(items)


def template_of(
    text: Any, special_tokens: Mapping[str, str] | None, shown: str, variant: str | None = None
) -> Template:
    """Return one template; what cannot be a chat template at all is refused here, before anything parses it."""
    name = shown if variant is None else f"{shown}[{variant}]"
    if not isinstance(text, str):
        raise failure(name, f"expected a template's text, found {type(text).__name__}", WAY_OUT)
    if not text.strip():
        raise failure(f"{name}:1", "empty", WAY_OUT)
    if "{{" not in text and "{%" not in text:
        raise failure(f"{name}:1", "no {{ }} and no {% %}: text, but not a chat template", WAY_OUT)
    lone = next((at for at, character in enumerate(text) if "\ud800" <= character <= "\udfff"), None)
    if lone is not None:
        line = text.count("\n", 0, lone) + 1
        raise failure(f"{name}:{line}", f"half a surrogate pair ({text[lone]!r}), which is no character", WAY_OUT)
    template = Template(text, special_tokens or {}, name, variant)
    return with_stand_ins(template) if special_tokens is None else template
