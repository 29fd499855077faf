"""Choosing rows of a batch by number."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ...physical.batch import Batch
from ...planner.expr import Column
from .. import compute

Rows = npt.NDArray[np.int32]

# Below this many rows arrow's take is as good, and the kernels need not be loaded.
_SMALL = 2048


def take(batch: Batch, rows: Rows) -> Batch:
    """The given rows, in that order; bounds still hold."""
    return Batch(batch.schema, take_columns(batch, batch.schema, rows), len(rows), bounds=batch.bounds)


def take_columns(
    batch: Batch, schema: Sequence[Column], rows: Rows, *, nullable: bool = False
) -> list[pa.Array]:
    """The given rows of some columns; with `nullable`, row -1 is NULL."""
    return [take_array(batch.column(c.id), rows, nullable=nullable) for c in schema]


def take_array(array: pa.Array, rows: Rows, *, nullable: bool = False) -> pa.Array:
    """The given rows of an array, never as large_string; row -1, allowed with `nullable`, is NULL."""
    if len(rows) < _SMALL and not nullable:
        taken = compute.take(array, rows)
    else:
        from ..kernels import gather

        taken = gather.take(array, rows, nullable)
    return taken.cast(pa.string()) if pa.types.is_large_string(taken.type) else taken


def keep(batch: Batch, mask: npt.NDArray[np.bool_]) -> Batch | None:
    """The rows at which `mask` holds: None for no row, the batch itself for all of them."""
    count = int(np.count_nonzero(mask))
    if count == 0:
        return None
    if count == batch.num_rows:
        return batch
    return take(batch, np.flatnonzero(mask).astype(np.int32))
