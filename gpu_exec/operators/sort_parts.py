"""Sorting more rows than fit on the device: divided by ranges of the keys, which are sorted one by one.

The ranges come from a sample of the rows. Every splitter is a range of its own, whose rows are equal and need
no sorting, so that one frequent key is no range too large to sort.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...physical.backend import DeviceMemoryShort
from ...physical.batch import Batch
from ...physical.context import Task
from ...planner.expr import Column, SortKey
from ..held import HeldBatch
from ..ops import Ops
from ..storage import named_type
from .base import gathered, in_pieces, sliced
from .concat import concat_batches, evenly, together
from .divide import by_number
from .sort_keys import key_columns, sorted_rows

# Rows of a batch that the sample takes, for each range that is made.
_SAMPLES = 16
# How often a range is divided again.
_MOST_DEPTH = 4


def sorted_parts(
    batches: Sequence[HeldBatch],
    keys: Sequence[SortKey],
    columns: Sequence[Column],
    ops: Ops,
    task: Task,
    depth: int = 0,
) -> list[HeldBatch]:
    """The rows of batches in the order of the keys, equal ones in input order; `columns` of them are kept."""
    size = sum(batch.nbytes for batch in batches)

    def step() -> HeldBatch:
        rows = concat_batches(batches[0].schema, [batch.batch(ops) for batch in batches], ops)
        rows = gathered(rows, sorted_rows(keys, rows, ops), ops)
        return HeldBatch(rows.select(columns), ops)

    if not batches:
        return []
    if size <= ops.memory.work_bytes or depth == _MOST_DEPTH:
        try:
            return in_pieces(ops.memory.run(step, task.check), ops.memory.batch_bytes, ops, task)
        except DeviceMemoryShort:
            if depth == _MOST_DEPTH:
                raise
    ranges = 2 + size // max(1, ops.memory.work_bytes // 2)
    found: list[HeldBatch] = []
    for number, part in enumerate(_divided(batches, keys, ranges, ops, task)):
        if number % 2:
            found += [_narrowed(batch, columns, ops, task) for batch in part]
        else:
            found += sorted_parts(part, keys, columns, ops, task, depth + 1)
    return found


def _narrowed(held: HeldBatch, columns: Sequence[Column], ops: Ops, task: Task) -> HeldBatch:
    if held.schema == tuple(columns):
        return held
    return ops.memory.run(lambda: HeldBatch(held.batch(ops).select(columns), ops), task.check)


def _divided(
    batches: Sequence[HeldBatch], keys: Sequence[SortKey], ranges: int, ops: Ops, task: Task
) -> list[list[HeldBatch]]:
    """The batches' rows by where their keys lie: before the first splitter, at it, between it and the next,
    and so on, in input order.
    """
    samples = [ops.memory.run(lambda b=b: _sample(b, keys, ranges, ops), task.check) for b in batches]
    splitters = ops.memory.run(lambda: _splitters(samples, keys, ranges, ops), task.check)
    parts: list[list[HeldBatch]] = [[] for _ in range(2 * splitters[0].size() + 1)]
    for held in batches:

        def step(start: int, stop: int, held: HeldBatch = held) -> list[HeldBatch | None]:
            return _split(sliced(held.batch(ops), start, stop, ops), keys, splitters, ops)

        for split in ops.memory.each(held.num_rows, step, task.check):
            for part, rows in zip(parts, split, strict=True):
                if rows is not None:
                    part.append(rows)
    return parts


def _sample(held: HeldBatch, keys: Sequence[SortKey], ranges: int, ops: Ops) -> list[Any]:
    rows = held.batch(ops)
    count = min(rows.num_rows, _SAMPLES * ranges)
    places = ops.row_numbers(count, step=max(1, rows.num_rows // count))
    return key_columns(keys, gathered(rows, places, ops), ops)


def _splitters(samples: Sequence[list[Any]], keys: Sequence[SortKey], ranges: int, ops: Ops) -> list[Any]:
    """Different keys, at most one less than `ranges`, at even distances in the order of the sample."""
    whole = [together([sample[i] for sample in samples], ops) for i in range(len(keys))]
    rows = whole[0].size()
    order = ops.order(whole, [key.descending for key in keys], [key.nulls_first for key in keys])
    count = min(rows, ranges - 1)
    step = max(1, rows // (count + 1))
    places = ops.binary(
        "NULL_MIN", ops.row_numbers(count, step, step), ops.int32(rows - 1), named_type("INT32")
    )
    (chosen,) = ops.gathered([order], places)
    found = ops.gathered(whole, chosen)
    nulls, nans = ops.plc.types.NullEquality.EQUAL, ops.plc.types.NanEquality.ALL_EQUAL
    keep = ops.plc.stream_compaction.DuplicateKeepOption.KEEP_FIRST
    table = ops.plc.stream_compaction.stable_distinct(
        ops.table(found), list(range(len(keys))), keep, nulls, nans, stream=ops.stream
    )
    return list(table.columns())


def _split(
    batch: Batch, keys: Sequence[SortKey], splitters: Sequence[Any], ops: Ops
) -> list[HeldBatch | None]:
    """The batch's rows for each range, in order; None for no rows."""
    pairs = [evenly(pair, ops) for pair in zip(key_columns(keys, batch, ops), splitters, strict=True)]
    found, ends = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    descending, nulls_first = [key.descending for key in keys], [key.nulls_first for key in keys]
    before = ops.places(ends, found, descending, nulls_first, after=False)
    after = ops.places(ends, found, descending, nulls_first, after=True)
    numbers = ops.binary("ADD", before, after, named_type("INT32"))
    return by_number(batch, numbers, 2 * ends[0].size() + 1, ops)
