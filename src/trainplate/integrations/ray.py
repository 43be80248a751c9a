"""Ray Data: the work on a data set spread over processes and machines."""

from typing import Any

from trainplate.datasets import Preparation, preparation_of
from trainplate.datasets.columns import columns_read

ROWS_AT_ONCE = 500


class Preparing:
    """Prepares batches in a worker of Ray, which makes one and keeps it: a tokenizer is loaded once for each worker."""

    def __init__(self, preparation: Preparation) -> None:
        self.preparation = preparation

    def __call__(self, table: Any) -> Any:
        """Prepare one Arrow table; what is wrong with its rows goes to the worker's log."""
        return self.preparation(table)


def prepare(
    dataset: Any, tokenizer: Any, *, workers: int | tuple[int, int] = 2, batch_rows: int = ROWS_AT_ONCE, **options: Any
) -> Any:
    """Tokenise a data set of Ray Data for training, as `trainplate.prepare` does one of the package `datasets`.

    The options are those of `trainplate.prepare` that say what comes out; `workers` is how many processes work on it,
    or from how many to how many. The rows are those of the local path, byte for byte.
    """
    columns = columns_read(dataset.columns())
    preparation = preparation_of(tokenizer, tools="tools" in columns, **options)
    return dataset.select_columns(columns).map_batches(
        Preparing,
        fn_constructor_args=(preparation,),
        batch_format="pyarrow",
        batch_size=batch_rows,
        concurrency=workers,
    )
