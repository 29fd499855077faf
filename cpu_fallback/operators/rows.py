"""Choosing rows of a batch by number."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ...physical.batch import Batch
from ...planner.expr import Column

Rows = npt.NDArray[np.integer]


def take(batch: Batch, rows: Rows) -> Batch:
    """The given rows, in that order; bounds still hold."""
    columns = take_columns(batch, batch.schema, rows)
    return Batch(batch.schema, columns, len(rows), bounds=batch.bounds)


def take_columns(batch: Batch, schema: Sequence[Column], rows: Rows) -> list[pa.Array]:
    """The given rows of some columns; the result is never large_string."""
    return [take_array(batch.column(c.id), rows) for c in schema]


def take_array(array: pa.Array, rows: Rows) -> pa.Array:
    """The given rows of an array; row -1 is NULL."""
    from ..kernels import gather

    taken = gather.take(array, rows)
    return taken.cast(pa.string()) if pa.types.is_large_string(taken.type) else taken


def keep(batch: Batch, mask: npt.NDArray[np.bool_]) -> Batch | None:
    """The rows at which `mask` holds: None for no row, the batch itself for all of them."""
    count = int(np.count_nonzero(mask))
    if count == 0:
        return None
    if count == batch.num_rows:
        return batch
    return take(batch, np.flatnonzero(mask).astype(np.int32))


