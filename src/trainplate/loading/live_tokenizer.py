"""A tokenizer or processor object: its templates and special tokens as it carries them now."""

from typing import Any

from trainplate.loading.named_templates import NONE_YET, templates_in
from trainplate.loading.special_tokens import special_tokens_in
from trainplate.loading.text_file import failure
from trainplate.template import SPECIAL_TOKENS, Template


def load_tokenizer(tokenizer: Any) -> tuple[Template, ...]:
    """Return the templates of anything that has a `chat_template`; a processor's tokens are its tokenizer's."""
    shown = str(getattr(tokenizer, "name_or_path", "") or type(tokenizer).__name__)
    entry = getattr(tokenizer, "chat_template", None)
    if entry is None:
        raise failure(shown, "has no chat template", NONE_YET)
    return templates_in(entry, tokens_of(getattr(tokenizer, "tokenizer", tokenizer)), shown)


def load_one(tokenizer: Any) -> Template:
    """Return the one template of a tokenizer or processor; where it has several, say which can be chosen."""
    templates = load_tokenizer(tokenizer)
    if len(templates) > 1:
        names = ", ".join(str(template.variant) for template in templates)
        way_out = "patch each: patch(tokenizer.chat_template[NAME], special_tokens=tokenizer.special_tokens_map)"
        raise failure(templates[0].name.partition("[")[0], f"has several templates: {names}", way_out)
    return templates[0]


def tokens_of(tokenizer: Any) -> dict[str, str]:
    """Return the tokens by name, from the map where there is one, else from the attributes."""
    mapping = getattr(tokenizer, "special_tokens_map", None)
    if mapping is None:
        mapping = {name: getattr(tokenizer, name, None) for name in SPECIAL_TOKENS}
    return special_tokens_in(mapping)
