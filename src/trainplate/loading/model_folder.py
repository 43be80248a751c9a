"""A model folder: the template that transformers would use, and the named ones beside it."""

import shlex
from pathlib import Path

from trainplate.loading.chat_template_json import load_chat_template_json
from trainplate.loading.named_templates import NONE_YET, template_of
from trainplate.loading.special_tokens import read_if_there, special_tokens_beside
from trainplate.loading.text_file import failure, read_text
from trainplate.loading.tokenizer_config import load_tokenizer_config
from trainplate.template import Template

MAIN = "chat_template.jinja"
ADDITIONAL = "additional_chat_templates"
NAMED = 3
"""Files that a message names."""


def load_model_folder(folder: Path, shown: str) -> tuple[Template, ...]:
    """Return the folder's templates in the order of precedence that transformers has: `.jinja` files, then JSON."""
    raw = raw_templates(folder, shown)
    if raw:
        return raw
    for name, load in (
        ("tokenizer_config.json", load_tokenizer_config),
        ("processor_config.json", load_chat_template_json),
        ("chat_template.json", load_chat_template_json),
    ):
        if read_if_there(folder, name, shown).get("chat_template") is not None:
            return load(folder / name, f"{shown}/{name}")
    what = f"no chat template: neither {MAIN} nor a chat_template in its JSON files"
    raise failure(shown, what, way_to_name(folder, shown) or NONE_YET)


def way_to_name(folder: Path, shown: str) -> str:
    """Tell to name one of the templates that lie in the folder under names of their own; empty where none does."""
    names = [shlex.quote(f"{shown}/{path.name}") for path in sorted(folder.glob("*.jinja"))]
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f"name one of the templates in it: {', '.join(names[:NAMED])}{more}" if names else ""


def raw_templates(folder: Path, shown: str) -> tuple[Template, ...]:
    """Return the templates kept as `.jinja` files; they are named where there is more than one."""
    main, additional = folder / MAIN, sorted((folder / ADDITIONAL).glob("*.jinja"))
    if not main.is_file() and not additional:
        return ()
    tokens = special_tokens_beside(folder, shown)
    files = [("default", main)] if main.is_file() else []
    files += [(path.stem, path) for path in additional]
    return tuple(
        template_of(
            read_text(path, f"{shown}/{path.relative_to(folder).as_posix()}"),
            tokens,
            f"{shown}/{path.relative_to(folder).as_posix()}",
            variant if additional else None,
        )
        for variant, path in files
    )
