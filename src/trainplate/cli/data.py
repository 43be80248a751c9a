"""`trainplate data`: a data set tokenised for training, and what would be lost by it."""

import os
import secrets
import shutil
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer

from trainplate.cli.terminal import errors, output, tell
from trainplate.errors import LoadingError

ALLOW = "Write what is left, and exit 0, where rows are lost."
TRAIN_ON = "assistant, last-turn, last-round, no-reasoning or tool-calls; may be repeated."
DROP = "untrained, cut, reasoning-dropped, control-tokens or untold-fields rows; may be repeated."


def data(
    dataset: Annotated[str, typer.Argument(metavar="DATASET", help="JSONL or Parquet file, folder or Hub id.")],
    model: Annotated[str, typer.Option(metavar="SOURCE", help="Model folder or Hub id: its tokenizer and template.")],
    split: Annotated[str, typer.Option(metavar="NAME", help="Of a data set with several.")] = "train",
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Write it here; FILE.parquet for Parquet.")] = None,
    max_length: Annotated[int | None, typer.Option(metavar="N", min=1, help="Cut rows to so many tokens.")] = None,
    train_on: Annotated[list[str] | None, typer.Option(metavar="WHAT", help=TRAIN_ON)] = None,
    drop: Annotated[list[str] | None, typer.Option(metavar="KIND", help=DROP)] = None,
    allow_loss: Annotated[bool, typer.Option("--allow-loss", help=ALLOW)] = False,
) -> None:
    """Tokenise a data set, and tell what becomes of its rows.

    Without --out only the table is printed. Where rows are lost, nothing is written and the exit code is 1, unless
    --allow-loss is given.
    """
    if find_spec("datasets") is None:
        raise LoadingError("the package datasets is not installed\n    way out   pip install 'trainplate[data]'")
    from trainplate.datasets import prepare, summary_of
    from trainplate.datasets.problems import DROPPED
    from trainplate.datasets.sources import dataset_of
    from trainplate.masks.tokenizer_source import tokenizer_of

    rows = dataset_of(dataset, split)
    tokenizer = tokenizer_of(model)
    with tempfile.TemporaryDirectory(prefix="trainplate-") as cache:
        prepared = prepare(
            rows,
            tokenizer,
            max_length=max_length,
            train_on=train_on or "assistant",
            drop=drop or DROPPED,
            cache_dir=cache,
            summary=False,
        )
        found = summary_of(prepared)
        tell(output(), str(found))
        if found.lost and not allow_loss:
            tell(
                errors(),
                f"{found.lost:,} of {found.rows:,} rows would be lost\n    way out   mend them, or --allow-loss",
            )
            raise typer.Exit(1)
        if out is not None:
            write(prepared, out)
            tell(errors(), f"written to {out}")


def write(prepared: Any, out: Path) -> None:
    """Write prepared rows as a Parquet file or as a folder of the package datasets, whole or not at all."""
    beside = out.parent / f".{out.name}.{secrets.token_hex(6)}"
    try:
        if out.suffix == ".parquet":
            prepared.to_parquet(str(beside))
        else:
            prepared.save_to_disk(str(beside))
        if out.is_dir():
            shutil.rmtree(out)
        os.replace(beside, out)
    except OSError as error:
        reason = error.strerror or str(error)
        raise LoadingError(
            f"{out}: cannot be written: {reason}\n    way out   name a place in a folder of yours"
        ) from None
    finally:
        shutil.rmtree(beside, ignore_errors=True) if beside.is_dir() else beside.unlink(missing_ok=True)
