"""A `tokenizer_config.json`: templates and special tokens in one file."""

from pathlib import Path

from trainplate.loading.named_templates import templates_in
from trainplate.loading.special_tokens import special_tokens_beside, special_tokens_in
from trainplate.loading.text_file import failure, read_json
from trainplate.template import Template


def load_tokenizer_config(path: Path, shown: str) -> tuple[Template, ...]:
    """Return the file's own templates, also where a `chat_template.jinja` beside it would win."""
    config = read_json(path, shown)
    if config.get("chat_template") is None:
        raise failure(shown, "has no chat_template", "name the folder, or the .jinja file beside it")
    beside = special_tokens_beside(path.parent, str(Path(shown).parent)) or {}
    tokens = beside | special_tokens_in(config)
    return templates_in(config["chat_template"], tokens, f"{shown}#chat_template")
