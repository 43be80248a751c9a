"""What to audit: each source by itself, and for a folder that is no model the templates anywhere below it."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

TEMPLATES = (".jinja", ".jinja2", ".j2", ".gguf")
MODEL = ("chat_template.jinja", "chat_template.json", "additional_chat_templates")
CONFIGURATIONS = ("tokenizer_config.json", "processor_config.json")
"""Files that may hold a template, and in a model without one do not."""
KEY = b'"chat_template"'
PASSED_OVER = ("node_modules", "__pycache__", "site-packages")


def expanded(sources: Iterable[str]) -> list[str]:
    """Return the sources with each folder of several models and templates replaced by what lies in it, once each."""
    found: dict[str, str] = {}
    for source in sources:
        for one in within(source):
            found.setdefault(os.path.abspath(one) if os.path.lexists(one) else one, one)
    return list(found.values())


def within(source: str) -> Iterator[str]:
    """Yield the sources that one stands for; one in which nothing is found stands for itself, and is told so later."""
    if not os.path.isdir(source) or is_model(Path(source)):
        yield source
        return
    found = list(below(source))
    yield from found or [source]


def below(folder: str) -> Iterator[str]:
    """Yield the models and template files below a folder, sorted, its own files before those further down.

    Folders that may not be looked into come last: what reads them says so.
    """
    closed: list[str] = []
    for path, folders, files in os.walk(folder, onerror=lambda error: closed.append(error.filename)):
        if path != folder and is_model(Path(path)):
            folders.clear()
            yield path
            continue
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in PASSED_OVER)
        yield from (os.path.join(path, name) for name in sorted(files) if name.endswith(TEMPLATES))
    yield from sorted(closed)


def is_model(folder: Path) -> bool:
    """Say whether a folder holds the template of one model."""
    if any(os.path.exists(folder / name) for name in MODEL):
        return True
    return any(mentions_template(folder / name) for name in CONFIGURATIONS)


def mentions_template(path: Path) -> bool:
    """Say whether a configuration has the key of a template; a file that cannot be read has none."""
    try:
        return path.is_file() and KEY in path.read_bytes()
    except OSError:
        return False
