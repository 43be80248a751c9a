"""Where a tokenizer or processor keeps the templates that a trainer will render with."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from trainplate.errors import LoadingError
from trainplate.loading.named_templates import NONE_YET, template_of
from trainplate.loading.text_file import failure
from trainplate.masks.training_template import special_tokens
from trainplate.template import Template

USED = ("default", "tool_use")
"""Of named templates, transformers takes `tool_use` where it is given tools, else `default`."""


@dataclass(frozen=True)
class Place:
    """One template on an object, and its name there where the object has several."""

    holder: Any
    name: str | None
    template: Template

    @property
    def text(self) -> str | None:
        """The template that is there now."""
        return text_at(self.holder, self.name)


def holders(tokenizer: Any) -> tuple[Any, ...]:
    """Return what can carry templates: the tokenizer, or the processor and the tokenizer inside it."""
    inner = getattr(tokenizer, "tokenizer", None)
    return (tokenizer, inner) if inner is not None and hasattr(inner, "chat_template") else (tokenizer,)


def places_of(tokenizer: Any, name: str | None = None, *, every: bool = False) -> tuple[Place, ...]:
    """Return the templates that will be used, or `every` one, the processor's own first.

    Raises LoadingError, with the choices there are, where there is no template or none of that name.
    """
    found = [place for holder in holders(tokenizer) for place in places_on(holder, tokenizer, name, every)]
    if not found:
        raise failure(shown_as(tokenizer), "has no chat template", NONE_YET)
    return tuple(found)


def places_on(holder: Any, tokenizer: Any, name: str | None, every: bool) -> Iterator[Place]:
    """Yield the templates of one object that will be used, or every one."""
    entry, tokens = getattr(holder, "chat_template", None), special_tokens(getattr(tokenizer, "tokenizer", tokenizer))
    shown = shown_as(holder)
    if entry is None:
        return
    if not isinstance(entry, Mapping):
        yield Place(holder, None, template_of(entry, tokens, shown))
        return
    for chosen in list(entry) if every else names_used(entry, name, shown):
        yield Place(holder, chosen, template_of(entry[chosen], tokens, shown, chosen))


def names_used(entry: Mapping[str, Any], name: str | None, shown: str) -> list[str]:
    """Return the names of the templates that will be used: the one asked for, else those that transformers takes."""
    chosen = [name] if name is not None else [used for used in USED if used in entry] or list(entry)
    if (len(chosen) != 1 and not set(chosen) <= set(USED)) or not set(chosen) <= set(entry):
        wanted = "none of them is the default" if name is None else f"none is called {name!r}"
        way_out = "say which is meant: name=..."
        raise LoadingError(f"{shown}: has templates {', '.join(entry)}; {wanted}\n    way out   {way_out}")
    return chosen


def text_at(holder: Any, name: str | None) -> str | None:
    """Return the text of a template, None where there is none."""
    entry = getattr(holder, "chat_template", None)
    if isinstance(entry, Mapping):
        entry = entry.get(name)
    return entry if isinstance(entry, str) else None


def put(holder: Any, name: str | None, text: str) -> None:
    """Put a template in its place; of several, a dictionary of its own gets the one and keeps the others."""
    holder.chat_template = text if name is None else {**holder.chat_template, name: text}


def shown_as(holder: Any) -> str:
    """Name a tokenizer as messages to people do."""
    return str(getattr(holder, "name_or_path", "") or type(holder).__name__)
