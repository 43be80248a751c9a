"""What a changed file holds: chat templates, or nothing that is any business of ours."""

import re
from collections.abc import Iterator
from pathlib import Path

from trainplate.loading.chat_template_json import load_chat_template_json
from trainplate.loading.jinja_file import load_jinja_file
from trainplate.loading.text_file import BYTE_ORDER_MARKS, failure, read_bytes, read_text
from trainplate.loading.tokenizer_config import load_tokenizer_config
from trainplate.template import Template

JINJA_ENDINGS = (".jinja", ".jinja2", ".j2")
JSON_LOADERS = {
    "tokenizer_config.json": load_tokenizer_config,
    "chat_template.json": load_chat_template_json,
    "processor_config.json": load_chat_template_json,
}
"""The JSON files in which transformers keeps templates."""
TRAINING = "_training"
"""What the name of a training template has behind that of its original."""
MESSAGES = re.compile(r"\bmessages\b")
OF_A_MESSAGE = re.compile(r"\b(?:role|content)\b")
MARKER = re.compile(r"\{%[-+]?\s*generation\b")


def templates_touched(path: Path, shown: str) -> tuple[Template, ...]:
    """Return the chat templates in a file, none where it is a file of another kind.

    A Jinja file is one where it speaks of `messages` and of their roles or contents, or has the name of a training
    template whose original lies beside it; a JSON file that transformers reads is one where it has a `chat_template`.
    Raises LoadingError for a file that is missing or cannot be read.
    """
    if path.suffix in JINJA_ENDINGS:
        concerned = speaks_of_messages(read_loosely(path, shown)) or original_beside(path, shown) is not None
        return load_jinja_file(path, shown) if concerned else ()
    load = JSON_LOADERS.get(path.name)
    if load is not None:
        return load(path, shown) if has_template(read_loosely(path, shown)) else ()
    if not path.exists():
        raise failure(shown, "no such file", "check the path; it is taken from the current folder")
    if path.is_dir():
        raise failure(shown, "a folder", f"name the files in it: git ls-files {shown} | xargs trainplate check")
    return ()


def read_loosely(path: Path, shown: str) -> str:
    """Return a file's text for a first look; what is UTF-16, which no template is read as, raises LoadingError."""
    data = read_bytes(path, shown)
    return read_text(path, shown) if data.startswith(BYTE_ORDER_MARKS) else data.decode("utf-8", "replace")


def speaks_of_messages(text: str) -> bool:
    """Say whether a Jinja text, its comments aside, reads messages with a role or content."""
    said = without_comments(text)
    return bool(MESSAGES.search(said)) and bool(OF_A_MESSAGE.search(said))


def has_template(text: str) -> bool:
    """Say whether the text of a JSON file has an entry for a template that is not null."""
    return bool(re.search(r'"chat_template"\s*:\s*(?!\s|null\b)', text))


def has_markers(source: str) -> bool:
    """Say whether a template has generation markers that stand in no comment."""
    return bool(MARKER.search(without_comments(source)))


def without_comments(text: str) -> str:
    """Return a Jinja text without its comments, in one pass however many of them are open."""
    kept, position = [], 0
    while (start := text.find("{#", position)) >= 0:
        kept.append(text[position:start])
        end = text.find("#}", start + 2)
        if end < 0:
            return "".join(kept)
        position = end + 2
    return "".join([*kept, text[position:]])


def training_file(path: Path, variant: str | None) -> Path:
    """Return where the training template of an original lies: `NAME_training.jinja` beside it."""
    named = "" if variant in (None, "default") else f"_{variant}"
    return path.with_name(f"{path.stem}{named}{TRAINING}.jinja")


def original_beside(path: Path, shown: str) -> tuple[Path, Template] | None:
    """Return the original of a training template, None where none lies beside it or it is no training template."""
    if not path.stem.endswith(TRAINING):
        return None
    for candidate in candidates(path):
        for template in templates_touched(candidate, str(Path(shown).with_name(candidate.name))):
            if training_file(candidate, template.variant).name == path.name:
                return candidate, template
    return None


def candidates(path: Path) -> Iterator[Path]:
    """Yield the files beside a training template that could hold its original."""
    name = path.stem.removesuffix(TRAINING)
    yield from (found for ending in JINJA_ENDINGS if (found := path.with_name(name + ending)).is_file())
    for known in JSON_LOADERS:
        if name.startswith(Path(known).stem) and (found := path.with_name(known)).is_file():
            yield found
