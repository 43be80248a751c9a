"""The work on one batch: Arrow in, Arrow out, the same wherever it runs."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from trainplate.conversations import fields_held, untold_fields
from trainplate.datasets.columns import UnreadableRow, rows_of, said_in
from trainplate.datasets.problems import (
    CONTROL_TOKENS,
    CUT,
    DROPPED,
    FAILED,
    REASONING_DROPPED,
    UNTOLD_FIELDS,
    UNTRAINED,
    ControlTokens,
    Problem,
    control_tokens,
    dropped_reasoning,
)
from trainplate.datasets.summary import Summary
from trainplate.errors import TrainplateError
from trainplate.masks.backend import backend_of
from trainplate.masks.fast_encoding import OtherIds
from trainplate.masks.loss_policy import LossPolicy
from trainplate.masks.masker import Masker, Rendered, Said
from trainplate.masks.processors import media_parts
from trainplate.masks.rows import Row
from trainplate.masks.training_template import compiled, training_template
from trainplate.masks.wants import wants_of

UNLABELLED = -100
"""What losses skip."""

log = logging.getLogger("trainplate")


@dataclass(frozen=True)
class Preparation:
    """Turns batches of conversations into batches of tokens; it can be pickled, and called wherever the data is.

    It takes and returns an Arrow table or record batch, or an iterator of record batches.
    """

    tokenizer: Any
    template: str
    """A template with generation markers."""
    options: Mapping[str, Any] = field(default_factory=dict)
    policy: LossPolicy = field(default_factory=LossPolicy)
    max_length: int | None = None
    truncation_side: str = "right"
    labels: bool = True
    """Whether `labels` come out, or else `assistant_masks`."""
    loss_weights: bool = False
    drop: frozenset[str] = frozenset(DROPPED)
    normalise: bool = True
    fast: bool = True
    original: str | None = None
    """The template that will ask for turns, where each turn is to stand behind its very prompt."""

    def __getstate__(self) -> dict[str, Any]:
        made = ("masker", "control", "untold")
        return {name: value for name, value in self.__dict__.items() if name not in made}

    @cached_property
    def masker(self) -> Masker:
        """What renders and encodes; it is made where it is used, as compiled templates do not pickle."""
        template = training_template(self.tokenizer, self.template)
        original = None
        if self.original is not None:
            tokens = frozenset(template.special_tokens.items())
            original = compiled(self.original, tokens, template.handling)
        return Masker(
            template=template,
            backend=backend_of(self.tokenizer),
            policy=self.policy,
            max_length=self.max_length,
            truncation_side=self.truncation_side,
            weighted=self.loss_weights,
            wants=wants_of(template) if self.normalise else None,
            original=original,
            fast=self.fast,
        )

    @cached_property
    def control(self) -> ControlTokens | None:
        """What finds control tokens in texts."""
        return control_tokens(self.masker.backend.encoder)

    @cached_property
    def untold(self) -> tuple[str, ...]:
        """The fields of answers that the training template reads and is not proven for."""
        return untold_fields(self.masker.template)

    @property
    def schema(self) -> pa.Schema:
        """The columns that come out."""
        names = {"input_ids": pa.int32(), "labels" if self.labels else "assistant_masks": self.mask_type}
        if self.loss_weights:
            names["loss_weights"] = pa.float32()
        return pa.schema([(name, pa.list_(kind)) for name, kind in names.items()])

    @property
    def mask_type(self) -> pa.DataType:
        """The type of a label or of a mask's value."""
        return pa.int32() if self.labels else pa.uint8()

    def __call__(self, batch: Any) -> Any:
        """Prepare a table, a record batch, or one record batch after the other; problems are logged."""
        if isinstance(batch, pa.Table):
            return self.logged(batch)
        if isinstance(batch, pa.RecordBatch):
            return as_batch(self.logged(pa.Table.from_batches([batch])))
        return (self(one) for one in batch)

    def logged(self, table: pa.Table) -> pa.Table:
        """Prepare a table, and write to the log what is wrong with its rows."""
        try:
            prepared, summary = self.prepared(table)
        except OtherIds:
            prepared, summary = self.prepared(table)
        for label, text in summary.problem_lines():
            log.warning("%s %s", f"{label}:" if label else "    of this batch,", text)
        return prepared

    def prepared(self, table: pa.Table, first_row: int = 0) -> tuple[pa.Table, Summary]:
        """Prepare a table whose first row has that number, and count what happens.

        Raises OtherIds where a fast encoder is found to differ, which is not used again.
        """
        summary = Summary()
        texts: list[Rendered] = []
        numbers: list[int] = []
        for number, row in enumerate(rows_of(table), first_row):
            summary.rows += 1
            try:
                said = readable(said_in(row, self.options))
                rendered = self.masker.rendered_rows(said)
            except (TrainplateError, TypeError, ValueError, AttributeError, KeyError) as error:
                summary.note(number, Problem(FAILED, str(error)), dropped=True)
                continue
            summary.normalised.update(rendered[0].changes)
            if self.is_kept(summary, number, self.text_problems(said, rendered)):
                texts += rendered
                numbers += [number] * len(rendered)
        rows = zip(numbers, self.masker.rows(texts), strict=True)
        kept = [row for number, row in rows if self.is_kept(summary, number, row_problems(row))]
        summary.encoder = self.masker.backend.fast.name if self.fast else "tokenizers"
        return self.table(kept, summary)

    def text_problems(self, said: Said, rendered: Sequence[Rendered]) -> Iterator[Problem]:
        """Yield what is wrong with a conversation once it is text."""
        reasoning = dropped_reasoning(said.messages, [one.text for one in rendered])
        if reasoning is not None:
            yield Problem(REASONING_DROPPED, reasoning)
        field = next(fields_held(said.messages, self.untold), None)
        if field is not None:
            yield Problem(UNTOLD_FIELDS, field)
        token = self.control and self.control.found_in(said.messages)
        if token:
            yield Problem(CONTROL_TOKENS, token)

    def is_kept(self, summary: Summary, number: int, problems: Iterator[Problem]) -> bool:
        """Count the problems of a row, and say whether it stays; it is dropped for the first reason alone."""
        kept = True
        for problem in problems:
            drops = kept and problem.kind in self.drop
            summary.note(number, problem, dropped=drops)
            kept = kept and not drops
        return kept

    def table(self, rows: Sequence[Row], summary: Summary) -> tuple[pa.Table, Summary]:
        """Lay rows out as Arrow columns, without going through Python's numbers, and count them."""
        bounds = np.zeros(len(rows) + 1, dtype=np.int32)
        np.cumsum([len(row.ids) for row in rows], out=bounds[1:])
        ids = end_to_end([row.ids for row in rows], np.int32)
        mask = end_to_end([row.mask for row in rows], np.uint8)
        values = [ids, np.where(mask == 1, ids, UNLABELLED).astype(np.int32) if self.labels else mask]
        if self.loss_weights:
            values.append(end_to_end([row.weights for row in rows], np.float32))
        columns = [pa.ListArray.from_arrays(pa.array(bounds), pa.array(value)) for value in values]
        summary.kept += len(rows)
        summary.tokens += len(ids)
        summary.trained += int(mask.sum())
        summary.merged_with_prompt += sum(row.merged for row in rows)
        summary.torn_at_end += sum(row.torn for row in rows)
        summary.by_offsets += sum(row.by_offsets for row in rows)
        summary.lengths.update(len(row.ids) for row in rows)
        return pa.Table.from_arrays(columns, schema=self.schema), summary


def readable(said: Said) -> Said:
    """Return a conversation of text alone; raises UnreadableRow where it has pictures, sounds or films."""
    if any(media_parts(said.messages)):
        way_out = "let the trainer's own collator tokenise it, or call assistant_masks with the processor"
        raise UnreadableRow(
            f"the row has pictures or sounds, which become tokens with a processor\n    way out   {way_out}"
        )
    return said


def row_problems(row: Row) -> Iterator[Problem]:
    """Yield what is wrong with a conversation once it is tokens."""
    if row.lost:
        stop = "its stop token among them" if row.stop_lost else "whole turns"
        yield Problem(CUT, f"{row.lost:,} trained tokens are cut off, {stop}")
    if not row.mask.any():
        yield Problem(UNTRAINED, "all of them are cut off" if row.lost else "no token is sampled text")


def end_to_end(values: Sequence[Any], kind: Any) -> Any:
    """Return arrays as one, also where there are none."""
    return np.concatenate(values) if values else np.zeros(0, dtype=kind)


def as_batch(table: pa.Table) -> pa.RecordBatch:
    """Return a table as one record batch."""
    batches = table.combine_chunks().to_batches()
    return batches[0] if batches else pa.RecordBatch.from_pylist([], schema=table.schema)
