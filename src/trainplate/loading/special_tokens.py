"""The special tokens a template may print, as they stand in configuration files and on tokenizers."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from trainplate.loading.text_file import read_json
from trainplate.template import SPECIAL_TOKENS

TOKENIZER_FILES = ("tokenizer_config.json", "special_tokens_map.json")


def special_tokens_in(values: Mapping[str, Any]) -> dict[str, str]:
    """Return the named tokens as text, whether given as text, as an added token or as its JSON object."""
    found = ((name, token_text(values.get(name))) for name in SPECIAL_TOKENS)
    return {name: text for name, text in found if text is not None}


def token_text(value: Any) -> str | None:
    """Return the text of one token, or None where there is no token."""
    if isinstance(value, Mapping):
        value = value.get("content")
    if value is None or isinstance(value, str):
        return value
    return getattr(value, "content", None)


def special_tokens_beside(folder: Path, shown: str) -> dict[str, str] | None:
    """Return the special tokens of a model folder, read from the files that transformers reads; None without those.

    `special_tokens_map.json` is older than `added_tokens_decoder`: transformers heeds it only where the
    configuration lacks the latter, and then it wins.
    """
    if not any((folder / name).is_file() for name in TOKENIZER_FILES):
        return None
    config = read_if_there(folder, "tokenizer_config.json", shown)
    tokens = special_tokens_in(config)
    if "added_tokens_decoder" not in config:
        tokens |= special_tokens_in(read_if_there(folder, "special_tokens_map.json", shown))
    return tokens


def read_if_there(folder: Path, name: str, shown: str) -> dict[str, Any]:
    """Return the JSON object of a folder's file, empty where the file is missing."""
    return read_json(folder / name, f"{shown}/{name}") if (folder / name).is_file() else {}
