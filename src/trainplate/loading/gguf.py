"""A `.gguf` file: the templates and special tokens in its metadata; tensors stay on the disk."""

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from trainplate.loading.named_templates import templates_in
from trainplate.loading.text_file import failure
from trainplate.template import Template

TEMPLATE = "tokenizer.chat_template"
NAMES = "tokenizer.chat_templates"
TOKENS = "tokenizer.ggml.tokens"
IDS = {
    "bos_token": "tokenizer.ggml.bos_token_id",
    "eos_token": "tokenizer.ggml.eos_token_id",
    "unk_token": "tokenizer.ggml.unknown_token_id",
    "sep_token": "tokenizer.ggml.seperator_token_id",  # spelled so in the format
    "pad_token": "tokenizer.ggml.padding_token_id",
    "cls_token": "tokenizer.ggml.cls_token_id",
    "mask_token": "tokenizer.ggml.mask_token_id",
}
MAGIC = b"GGUF"
OTHER_BYTE_ORDER = 2**16
"""Versions from here on are those of files that put the greater byte first, which are read as well."""
WAY_OUT = "name the model folder or Hub id that it was made from"


def load_gguf(path: Path, shown: str) -> tuple[Template, ...]:
    """Return the templates of a file's metadata with its special tokens; raises LoadingError where it has none."""
    if not path.is_file():
        what = "not a file" if path.exists() else "no such file"
        raise failure(shown, what, "check the path; it is taken from the current folder")
    if find_spec("gguf") is None:
        raise failure(shown, "the package gguf, which reads it, is not installed", "pip install 'trainplate[gguf]'")
    fields = fields_of(path, shown)
    try:
        texts, tokens = dict(templates_of(fields)), dict(special_tokens_of(fields))
    except Exception:  # numpy and the package raise whatever a broken file leads them to
        raise unreadable(path, shown) from None
    if not texts:
        raise failure(shown, "has no chat template in its metadata", WAY_OUT)
    alone = texts.get("default") if len(texts) == 1 else None
    return templates_in(texts if alone is None else alone, tokens, f"{shown}#{TEMPLATE}")


def fields_of(path: Path, shown: str) -> Any:
    """Return the metadata by name; the file is mapped, not read, so that its size does not matter."""
    from gguf import GGUFReader

    try:
        return GGUFReader(path).fields
    except Exception:
        raise unreadable(path, shown) from None


def unreadable(path: Path, shown: str) -> Exception:
    """Return the error for a file that cannot be opened, is of another kind, broken, or cut off."""
    try:
        with path.open("rb") as file:
            begins, version = file.read(len(MAGIC)), int.from_bytes(file.read(4), "little")
    except OSError as error:
        return failure(shown, f"cannot be read: {error.strerror}", "check the path and its permissions")
    if not begins:
        return failure(shown, "an empty file", "fetch the file again, whole")
    if begins != MAGIC:
        return failure(shown, f"not a GGUF file, as it does not begin with {MAGIC.decode()}", "check what was fetched")
    if is_unknown(version):
        return failure(shown, f"a GGUF file of version {version}, which the package gguf cannot read", WAY_OUT)
    return failure(shown, "a GGUF file that is cut off or broken", "fetch the file again, whole")


def is_unknown(version: int) -> bool:
    """Say whether a file is of a version that the package does not read; what is no small number is no version."""
    from gguf.gguf_reader import READER_SUPPORTED_VERSIONS

    return 0 < version < OTHER_BYTE_ORDER and version not in READER_SUPPORTED_VERSIONS


def templates_of(fields: Any) -> Iterator[tuple[str, Any]]:
    """Yield each template under its name; that without a name is the default."""
    if TEMPLATE in fields:
        yield "default", fields[TEMPLATE].contents()
    for name in fields[NAMES].contents() if NAMES in fields else ():
        if f"{TEMPLATE}.{name}" in fields:
            yield name, fields[f"{TEMPLATE}.{name}"].contents()


def special_tokens_of(fields: Any) -> Iterator[tuple[str, str]]:
    """Yield each special token as text, by the name that templates know; one that is none of the tokens is left out."""
    count = len(fields[TOKENS].data) if TOKENS in fields else 0
    for name, key in IDS.items():
        number = int(fields[key].contents()) if key in fields else -1
        if 0 <= number < count:
            yield name, fields[TOKENS].contents(number)
