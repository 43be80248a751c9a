"""A folder of templates, as scripts and benchmarks read it: records, `.jinja` files and model folders."""

import json
from collections.abc import Iterator
from pathlib import Path

from trainplate.errors import TrainplateError
from trainplate.loading.source import load
from trainplate.template import Template

SENTINELS = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>", "unk_token": "<unk>"}
"""Stand for the special tokens that a file does not name."""


def sources(folder: Path, *, every: int = 1, only: str = "") -> list[Path]:
    """Return what can be read in a folder, or every so manieth of what has the word in its name."""
    found = (path for path in folder.iterdir() if path.suffix in (".json", ".jinja") or path.is_dir())
    return sorted(path for path in found if only in path.name)[::every]


def read(path: Path) -> Iterator[Template]:
    """Yield the templates of one file or model folder, named after it.

    Raises TrainplateError, with the file's name and what is wrong, where there is none to be read.
    """
    if path.suffix == ".json":
        yield from read_record(path)
        return
    for template in load(path):
        name = path.stem if template.variant is None else f"{path.stem}[{template.variant}]"
        yield Template(template.source, {**SENTINELS, **template.special_tokens}, name, template.variant)


def read_record(path: Path) -> Iterator[Template]:
    """Yield the template of a record: a JSON object with `template`, and `bos_token` and `eos_token` where known."""
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise TrainplateError(f"{path.name}: {error}") from None
    if not isinstance(record, dict) or not isinstance(record.get("template"), str):
        raise TrainplateError(f"{path.name}: no record, for want of a `template` that is text")
    tokens = {name: record[name] for name in SENTINELS if isinstance(record.get(name), str)}
    yield Template(record["template"], {**SENTINELS, **tokens}, path.stem)
