"""A `.jinja` file: the template's text, with the special tokens of the model folder it may lie in."""

from pathlib import Path

from trainplate.loading.named_templates import templates_in
from trainplate.loading.special_tokens import special_tokens_beside
from trainplate.loading.text_file import read_text
from trainplate.template import Template


def load_jinja_file(path: Path, shown: str) -> tuple[Template, ...]:
    """Return the file as one template."""
    text = read_text(path, shown)
    return templates_in(text, special_tokens_beside(path.parent, str(Path(shown).parent)), shown)
