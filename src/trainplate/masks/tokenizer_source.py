"""From what a user names as a model to its tokenizer."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from trainplate.errors import LoadingError
from trainplate.loading.source import load
from trainplate.loading.special_tokens import read_if_there
from trainplate.loading.text_file import failure

FILE = "tokenizer.json"


@dataclass(frozen=True, eq=False)
class FileTokenizer:
    """A tokenizer read from its files alone, for where transformers is not installed."""

    backend_tokenizer: Any
    chat_template: str | Mapping[str, str]
    special_tokens_map: Mapping[str, str] = field(default_factory=dict)
    truncation_side: str = "right"
    padding_side: str = "right"
    name_or_path: str = ""

    @property
    def pad_token_id(self) -> int | None:
        """The id of the padding token, where there is one."""
        token = self.special_tokens_map.get("pad_token")
        found: int | None = None if token is None else self.backend_tokenizer.token_to_id(token)
        return found


def tokenizer_of(source: str) -> Any:
    """Return the tokenizer of a model folder or a Hub id, as transformers loads it where that is installed.

    Raises LoadingError where there is none.
    """
    path = Path(source)
    if path.exists() and not (path / FILE).is_file():
        raise failure(source, f"no {FILE} in it", "name the folder of a model, or a Hub id")
    if find_spec("transformers") is None:
        return from_files(source)
    from transformers import AutoTokenizer, PreTrainedTokenizerFast

    try:
        return AutoTokenizer.from_pretrained(source)
    except Exception as error:
        if path.is_dir():  # a class that transformers does not know, or that has no files but these
            return PreTrainedTokenizerFast.from_pretrained(source)
        raise failure(source, f"no tokenizer: {first_line(error)}", "check the name, and the network") from error


def from_files(source: str) -> FileTokenizer:
    """Read a tokenizer from a folder, fetched first where it is a Hub id."""
    from tokenizers import Tokenizer

    folder = Path(source)
    if not folder.is_dir():
        from huggingface_hub import snapshot_download

        try:
            folder = Path(snapshot_download(source, allow_patterns=["*.json", "*.jinja", "*/*.jinja"]))
        except Exception as error:
            raise failure(source, f"no tokenizer: {first_line(error)}", "check the name, and the network") from error
    try:
        backend = Tokenizer.from_file(str(folder / FILE))
    except Exception as error:
        raise LoadingError(f"{source}/{FILE}: cannot be read: {first_line(error)}") from error
    templates = load(str(folder))
    named = {str(template.variant): template.source for template in templates}
    config = read_if_there(folder, "tokenizer_config.json", source)
    sides = {name: str(config[name]) for name in ("truncation_side", "padding_side") if name in config}
    chat = templates[0].source if len(templates) == 1 else named
    return FileTokenizer(backend, chat, dict(templates[0].special_tokens), name_or_path=source, **sides)


def first_line(error: Exception) -> str:
    """Return what an error says in one line."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
