"""From what a user names as a data set to a Dataset: JSONL and Parquet files, folders, the Hub."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from trainplate.datasets.columns import READ
from trainplate.loading.text_file import failure

LINES, TABLES = (".jsonl", ".json", ".ndjson"), (".parquet",)
SAVED = ("state.json", "dataset_dict.json")
"""What `save_to_disk` puts into a folder."""
WAY_OUT = "name a .jsonl or .parquet file, a folder of such files, or a Hub id"


def dataset_of(source: str, split: str) -> Any:
    """Return a data set; raises LoadingError, with the line where there is one, if it cannot be read."""
    path = Path(source)
    if path.is_dir():
        return from_folder(path, source, split)
    if path.is_file():
        return from_files([path], source)
    if source.endswith(LINES + TABLES) or source.startswith(("/", "./", "../", "~")) or source.count("/") > 1:
        raise failure(source, "no such file", WAY_OUT)
    return from_hub(source, split)


def from_folder(folder: Path, shown: str, split: str) -> Any:
    """Read a folder that `save_to_disk` wrote, or its files; those that begin with the split's name, if any do."""
    if any((folder / name).is_file() for name in SAVED):
        from datasets import load_from_disk

        found: Any = load_from_disk(str(folder))
        return found if hasattr(found, "select_columns") and not isinstance(found, dict) else found[split]
    files = sorted(path for path in folder.rglob("*") if path.suffix in LINES + TABLES)
    chosen = [path for path in files if path.name.startswith(split)] or files
    if not chosen:
        raise failure(shown, "no data in it", WAY_OUT)
    return from_files(chosen, shown)


def from_files(files: Sequence[Path], shown: str) -> Any:
    """Read files of one kind."""
    from datasets import Dataset

    kinds = {path.suffix in TABLES for path in files}
    if len(kinds) > 1:
        raise failure(shown, "holds files of several kinds", "name one of them")
    if kinds == {True}:
        import pyarrow.parquet

        try:
            tables = [pyarrow.parquet.read_table(path) for path in files]
            return Dataset(pyarrow.concat_tables(tables, promote_options="default"))
        except (OSError, ValueError, pyarrow.ArrowException) as error:
            raise failure(shown, f"cannot be read: {error}", "check the file") from None
    return Dataset.from_list([row for path in files for row in lines_of(path, shown)])


def lines_of(path: Path, shown: str) -> Iterator[dict[str, str | None]]:
    """Yield the rows of a JSONL file, or of a JSON list, each column as JSON text: so no row gives keys to another."""
    text = path.read_text(encoding="utf-8")
    if text.lstrip().startswith("["):
        entries = enumerate([checked(text, f"{shown}")], 1)
        rows = ((number, row) for number, found in entries for row in found)
    else:
        lines = ((number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip())
        rows = ((number, checked(line, f"{shown}:{number}")) for number, line in lines)
    for number, row in rows:
        if not isinstance(row, dict):
            raise failure(f"{shown}:{number}", "a row that is no JSON object", WAY_OUT)
        yield {
            name: None if row.get(name) is None else json.dumps(row[name], ensure_ascii=False)
            for name in READ
            if name in row
        }


def checked(text: str, where: str) -> Any:
    """Return what JSON text says, or say where it is none."""
    try:
        return json.loads(text)
    except ValueError as error:
        raise failure(where, f"not JSON: {error}", "mend the line, or take it out") from None


def from_hub(name: str, split: str) -> Any:
    """Load a data set from the Hub, or from the cache."""
    from datasets import load_dataset

    try:
        return load_dataset(name, split=split)
    except Exception as error:
        said = (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
        raise failure(name, f"cannot be loaded: {said}", WAY_OUT) from error
