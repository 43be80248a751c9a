"""A processor's `chat_template.json` or `processor_config.json`: the template without its special tokens."""

from pathlib import Path

from trainplate.loading.named_templates import templates_in
from trainplate.loading.special_tokens import special_tokens_beside
from trainplate.loading.text_file import failure, read_json
from trainplate.template import Template


def load_chat_template_json(path: Path, shown: str) -> tuple[Template, ...]:
    """Return the file's templates, with the special tokens of the tokenizer beside it."""
    entry = read_json(path, shown).get("chat_template")
    if entry is None:
        raise failure(shown, "has no chat_template", "name a JSON file with that key, or a .jinja file")
    tokens = special_tokens_beside(path.parent, str(Path(shown).parent))
    return templates_in(entry, tokens, f"{shown}#chat_template")
