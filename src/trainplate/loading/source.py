"""Decides how what a user names is loaded: a file, a folder, the installed `trl`, the Hub, or a live tokenizer."""

from pathlib import Path
from typing import Any

from trainplate.loading.chat_template_json import load_chat_template_json
from trainplate.loading.gguf import load_gguf
from trainplate.loading.hub import load_from_hub
from trainplate.loading.jinja_file import load_jinja_file
from trainplate.loading.live_tokenizer import load_tokenizer
from trainplate.loading.model_folder import load_model_folder
from trainplate.loading.text_file import failure
from trainplate.loading.tokenizer_config import load_tokenizer_config
from trainplate.loading.trl_package import load_from_trl
from trainplate.template import Template

WAY_OUT = "name a file, a folder, trl:NAME or a Hub id"
TEMPLATE_FILES = (".jinja", ".jinja2", ".j2", ".json", ".txt", ".gguf")


def load(source: Any) -> tuple[Template, ...]:
    """Return the templates that a path, a `trl:NAME`, a Hub id or a tokenizer object holds: one, or several named."""
    if not isinstance(source, str | Path):
        return load_tokenizer(source)
    shown = str(source)
    if not shown.strip():
        raise failure("SOURCE", "empty", WAY_OUT)
    if shown.startswith("trl:"):
        return load_from_trl(shown.removeprefix("trl:"), shown)
    try:
        path = Path(shown)
        if path.is_dir():
            return load_model_folder(path, shown.rstrip("/") or "/")
        if path.exists() or looks_like_a_path(shown):
            return load_file(path, shown)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise failure(shown[:200], f"cannot be read: {reason}", WAY_OUT) from None
    return load_from_hub(shown)


def load_file(path: Path, shown: str) -> tuple[Template, ...]:
    """Return the templates of one file, read as its name says."""
    if path.name == "tokenizer_config.json":
        return load_tokenizer_config(path, shown)
    if path.suffix == ".gguf":
        return load_gguf(path, shown)
    if path.suffix == ".json":
        return load_chat_template_json(path, shown)
    return load_jinja_file(path, shown)


def looks_like_a_path(shown: str) -> bool:
    """Say whether a name that does not exist can only be meant as a path: a Hub id is `model` or `owner/model`."""
    return shown.endswith(TEMPLATE_FILES) or shown.startswith(("/", "./", "../", "~")) or shown.count("/") > 1
