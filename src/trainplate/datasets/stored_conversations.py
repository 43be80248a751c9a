"""The way in for data sets: conversations in, rows that a trainer takes out."""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from trainplate.datasets.cache import Folder, cache_folder, fingerprint, written
from trainplate.datasets.choices import preparation_of
from trainplate.datasets.columns import columns_read
from trainplate.datasets.preparation import Preparation
from trainplate.datasets.problems import DROPPED
from trainplate.datasets.summary import Summary
from trainplate.errors import TrainplateError
from trainplate.masks.fast_encoding import OtherIds
from trainplate.patching.patch import Patch

ROWS_AT_ONCE = 500
NO_DATASETS = "the package datasets is not installed\n    way out   pip install 'trainplate[data]'"


def prepare(
    dataset: Any,
    tokenizer: Any,
    *,
    template: str | Patch | None = None,
    options: Mapping[str, Any] | None = None,
    max_length: int | None = None,
    train_on: str | Iterable[str] = "assistant",
    stop_white_space: bool = True,
    history: str = "kept",
    labels: bool = True,
    loss_weights: bool = False,
    drop: str | Sequence[str] = DROPPED,
    normalise: bool = True,
    fast: bool = True,
    truncation_side: str | None = None,
    cache_dir: str | Path | None = None,
    progress: bool = True,
    summary: bool = True,
) -> Any:
    """Tokenise a data set for training: what comes out has `input_ids` and `labels`, and need not be touched again.

    `dataset` is a Dataset, a DatasetDict or an IterableDataset of the package `datasets` with a column `messages`, or
    `prompt` and `completion`; the columns `tools` and `chat_template_kwargs` are heeded. The template is chosen as by
    `assistant_masks`, and the other options mean the same. A second call with the same data, template, tokenizer and
    options finds what the first has written. What is wrong with rows is counted, and told at the end; `summary_of`
    returns it. Of an IterableDataset, whose rows come later, problems go to the log.

    labels          False gives `assistant_masks` in place of `labels`, which are -100 where nothing is trained
    history         "as-inference" makes rows in which each turn stands behind the very prompt it would be asked by
    drop            the kinds of rows to leave out: "failed" (always), "untrained", "cut", "reasoning-dropped",
                    "control-tokens", "untold-fields"
    progress        whether a bar is shown on a terminal
    summary         whether the table is printed at the end
    """
    if isinstance(dataset, Mapping):
        own = {key: value for key, value in locals().items() if key not in ("dataset", "tokenizer")}
        kind: Any = type(dataset)
        return kind({name: prepare(split, tokenizer, **own) for name, split in dataset.items()})
    columns = columns_read(columns_of(dataset))
    preparation = preparation_of(
        tokenizer,
        tools="tools" in columns,
        template=template,
        options=options,
        max_length=max_length,
        train_on=train_on,
        stop_white_space=stop_white_space,
        history=history,
        labels=labels,
        loss_weights=loss_weights,
        drop=drop,
        normalise=normalise,
        fast=fast,
        truncation_side=truncation_side,
    )
    if not hasattr(dataset, "_fingerprint"):
        return streamed(dataset, preparation, columns)
    folder = cache_folder(
        fingerprint(dataset._fingerprint, preparation), None if cache_dir is None else Path(cache_dir)
    )
    found = folder.summary()
    if found is None:
        chosen = dataset.select_columns(columns)
        try:
            found = write(chosen, preparation, folder, progress)
        except OtherIds:  # the fast encoder has given itself away, and what it wrote is gone
            found = write(chosen, preparation, folder, progress)
    elif summary:
        print(f"found in the cache: {folder.path}", file=sys.stderr)
    if summary:
        print(found, file=sys.stderr)
    return type(dataset).from_file(str(folder.data))


def columns_of(dataset: Any) -> list[str]:
    """Return the names of a data set's columns, from its first row where it does not know them."""
    if not hasattr(dataset, "select_columns"):
        found = type(dataset).__name__
        raise TrainplateError(
            f"expected a data set of the package datasets, found {found}\n    way out   Dataset.from_list"
        )
    return list(dataset.column_names or next(iter(dataset), {}))


def streamed(dataset: Any, preparation: Preparation, columns: list[str]) -> Any:
    """Prepare an IterableDataset as it is read."""
    names = columns_of(dataset)
    mapped = dataset.select_columns(columns).with_format("arrow")
    mapped = mapped.map(
        preparation, batched=True, batch_size=ROWS_AT_ONCE, remove_columns=[n for n in names if n in columns]
    )
    return mapped.with_format(None)


def write(dataset: Any, preparation: Preparation, folder: Folder, progress: bool) -> Summary:
    """Prepare a data set batch by batch, into the cache."""
    tables = batches(dataset, ROWS_AT_ONCE)
    with written(folder, preparation.schema) as writing:
        for table in followed(tables, len(dataset), progress):
            writing.add(*preparation.prepared(table, writing.summary.rows))
    return writing.summary


def batches(dataset: Any, rows: int) -> Iterator[pa.Table]:
    """Yield the data set as Arrow tables of so many rows."""
    as_arrow = dataset.with_format("arrow")
    for start in range(0, len(dataset), rows):
        yield as_arrow[start : start + rows]


def followed(tables: Iterator[pa.Table], rows: int, progress: bool) -> Iterator[pa.Table]:
    """Yield tables, with a bar that follows them on a terminal."""
    if not progress or not sys.stderr.isatty():
        yield from tables
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("preparing", total=rows)
        for table in tables:
            yield table
            bar.advance(task, table.num_rows)


def summary_of(dataset: Any) -> Summary:
    """Return what was counted when a data set was prepared; raises TrainplateError where it was not prepared here."""
    files = getattr(dataset, "cache_files", None) or []
    found = Folder(Path(files[0]["filename"]).parent).summary() if files else None
    if found is None:
        raise TrainplateError("the data set has no summary\n    way out   give what trainplate.prepare returned")
    return found
