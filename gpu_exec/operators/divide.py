"""Dividing rows: by numbers that they have, or by the hash of keys."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from ...physical.batch import Batch
from ..held import HeldBatch
from ..ops import Ops
from .base import device_batch

# Columns and their number of rows; None for no rows.
Part = tuple[list[Any], int] | None


def by_number(batch: Batch, numbers: Any, count: int, ops: Ops) -> list[HeldBatch | None]:
    """The rows of each number 0 .. count - 1 (INT32), in input order; None for no rows. Waits."""
    order = ops.order([numbers], [False], [True])
    (ascending,) = ops.gathered([numbers], order)
    ends = ops.places([ascending], [ops.row_numbers(count)], [False], [True], after=True)
    cuts = [0, *ends.to_arrow(stream=ops.stream).to_pylist()]
    return [
        None if part is None else HeldBatch(device_batch(batch.schema, *part, batch.bounds), ops)
        for part in _between(ops.gathered(batch.columns, order), cuts, ops)
    ]


def by_hash(columns: Sequence[Any], keys: Sequence[Any], count: int, seed: int, ops: Ops) -> list[Part]:
    """The rows in `count` parts, rows of equal keys in one; within a part in any order. Waits for the
    device.
    """
    table = ops.table([*columns, *keys])
    places = list(range(len(columns), len(columns) + len(keys)))
    found, ends = ops.plc.partitioning.hash_partition(table, places, count, seed=seed, stream=ops.stream)
    return _between(found.columns()[: len(columns)], ends, ops)


def _between(columns: Sequence[Any], ends: Sequence[int], ops: Ops) -> list[Part]:
    return [
        (ops.sliced(columns, start, stop), stop - start) if stop > start else None
        for start, stop in itertools.pairwise(ends)
    ]
