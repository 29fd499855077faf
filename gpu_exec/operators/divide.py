"""Dividing rows: by numbers that they have, or by the hash of keys."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from ...physical.batch import Batch
from ..held import HeldBatch
from ..ops import Ops
from .base import gathered

# Columns and their number of rows; None for no rows.
Part = tuple[list[Any], int] | None


def by_number(batch: Batch, numbers: Any, count: int, ops: Ops) -> list[HeldBatch | None]:
    """The rows of each number 0 .. count - 1 (INT32), in input order; None for no rows. Waits."""
    order = ops.order([numbers], [False], [True])
    (ascending,) = ops.gathered([numbers], order)
    ends = ops.places([ascending], [ops.row_numbers(count)], [False], [True], after=True)
    found: list[HeldBatch | None] = []
    for start, stop in itertools.pairwise([0, *ends.to_arrow(stream=ops.stream).to_pylist()]):
        part = None
        if stop > start:
            # Gathered part by part: none is a view that keeps all of them on the device.
            (rows,) = ops.sliced([order], start, stop)
            part = HeldBatch(gathered(batch, rows, ops), ops)
        found.append(part)
    return found


def by_hash(columns: Sequence[Any], keys: Sequence[Any], count: int, seed: int, ops: Ops) -> list[Part]:
    """The rows in `count` parts, each in memory of its own and rows of equal keys in one; within a part in
    any order. Waits for the device.
    """
    table = ops.table([*columns, *keys])
    places = list(range(len(columns), len(columns) + len(keys)))
    found, ends = ops.plc.partitioning.hash_partition(table, places, count, seed=seed, stream=ops.stream)
    kept = found.columns()[: len(columns)]
    return [
        (ops.packed(ops.sliced(kept, start, stop)), stop - start) if stop > start else None
        for start, stop in itertools.pairwise(ends)
    ]
