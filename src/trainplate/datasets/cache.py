"""Prepared data on the disk: found again by what it was made from, and there whole or not at all."""

import hashlib
import json
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow as pa

from trainplate.datasets.preparation import Preparation
from trainplate.datasets.summary import Summary

FORMAT = 1
"""Changes with what is written, so that older files are not taken for it."""
DATA, SUMMARY = "data.arrow", "summary.json"


def fingerprint(data: str, preparation: Preparation) -> str:
    """Return what names the result of a preparation: data, template, tokenizer and every option go in."""
    template = preparation.masker.template
    said = {
        "format": FORMAT,
        "data": data,
        "template": preparation.template,
        "day": date.today().isoformat() if "strftime_now" in preparation.template else "",
        "special_tokens": dict(template.special_tokens),
        "handling": repr(template.handling),
        "options": preparation.options,
        "policy": [sorted(preparation.policy.train_on), preparation.policy.stop_white_space],
        "cut": [preparation.max_length, preparation.truncation_side],
        "columns": preparation.schema.names,
        "drop": sorted(preparation.drop),
        "normalise": preparation.normalise,
        "original": preparation.original,
    }
    digest = hashlib.sha256(json.dumps(said, sort_keys=True, default=repr).encode())
    digest.update(preparation.masker.backend.encoder.to_str().encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:32]


@dataclass(frozen=True)
class Folder:
    """Where the result of one preparation is, or will be."""

    path: Path

    @property
    def data(self) -> Path:
        """The prepared rows, as an Arrow stream."""
        return self.path / DATA

    def summary(self) -> Summary | None:
        """Return what is told of the result; None where there is no whole result."""
        try:
            return Summary.from_json((self.path / SUMMARY).read_text(encoding="utf-8")) if self.data.is_file() else None
        except (OSError, ValueError, KeyError, TypeError):
            return None


def cache_folder(name: str, chosen: Path | None) -> Folder:
    """Return the folder of a fingerprint, in the chosen place or where `datasets` caches."""
    if chosen is None:
        from datasets import config

        chosen = Path(config.HF_DATASETS_CACHE) / "trainplate"
    return Folder(Path(chosen) / name)


@contextmanager
def written(folder: Folder, schema: pa.Schema) -> Iterator["Writing"]:
    """Write a result beside its place and move it there at the end; whatever stops it leaves nothing behind."""
    folder.path.parent.mkdir(parents=True, exist_ok=True)
    beside = Folder(folder.path.parent / f".{folder.path.name}.{secrets.token_hex(6)}")
    beside.path.mkdir()
    try:
        with pa.OSFile(str(beside.data), "wb") as file, pa.ipc.new_stream(file, schema) as stream:
            writing = Writing(stream, Summary())
            yield writing
        (beside.path / SUMMARY).write_text(writing.summary.to_json(), encoding="utf-8")
        if folder.path.exists():
            shutil.rmtree(folder.path)
        beside.path.rename(folder.path)
    except BaseException:
        shutil.rmtree(beside.path, ignore_errors=True)
        raise


@dataclass
class Writing:
    """A result that is being written."""

    stream: Any
    summary: Summary

    def add(self, table: pa.Table, summary: Summary) -> None:
        """Write the rows of a batch, and add its counts."""
        self.stream.write_table(table)
        self.summary.add(summary)
