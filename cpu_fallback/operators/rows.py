"""Choosing rows of a batch by number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ...physical.batch import Batch
from ...planner.expr import Column
from .. import compute
from ..kernels import arrays
from ..kernels.arrays import TextOverflow

Rows = npt.NDArray[np.int32]

# Below this many rows arrow's take is as good, and the kernels need not be loaded.
_SMALL = 2048


def take(batch: Batch, rows: Rows) -> Batch:
    """The given rows, in that order; bounds still hold."""
    return Batch(batch.schema, take_columns(batch, batch.schema, rows), len(rows), bounds=batch.bounds)


def take_fitting(batch: Batch, rows: Rows) -> Iterator[Batch]:
    """The given rows in order, in as many batches as their strings need."""
    waiting = [rows]
    while waiting:
        part = waiting.pop()
        try:
            yield take(batch, part)
        except TextOverflow:
            half = len(part) // 2
            assert half, "one row always fits"
            waiting += [part[half:], part[:half]]


def take_columns(
    batch: Batch, schema: Sequence[Column], rows: Rows, *, nullable: bool = False
) -> list[pa.Array]:
    """The given rows of some columns; with `nullable`, row -1 is NULL."""
    return [take_array(batch.column(c.id), rows, nullable=nullable) for c in schema]


def take_array(array: pa.Array, rows: Rows, *, nullable: bool = False) -> pa.Array:
    """The given rows of an array, never as large_string; row -1, allowed with `nullable`, is NULL.

    TextOverflow where the strings do not fit one array.
    """
    if arrays.is_string_like(array.type) or (len(rows) < _SMALL and not nullable):
        return compute.take(array, rows, nullable=nullable)
    from ..kernels import gather

    return gather.take(array, rows, nullable)


def refer(array: pa.Array, rows: Rows, *, nullable: bool = False) -> pa.Array:
    """As `take_array`, but rows of a string column share its bytes: the column becomes their dictionary."""
    if not pa.types.is_string(array.type):
        return take_array(array, rows, nullable=nullable)
    valid = (rows >= 0).view(np.uint8) if nullable else None
    own = arrays.validity_bytes(array)
    if own is not None:
        # Row -1 reads the last entry; it is not valid anyway.
        valid = arrays.and_valid(valid, own[rows])
    return pa.DictionaryArray.from_arrays(arrays.make_array(rows, valid, pa.int32()), array, safe=False)


def used(array: pa.Array) -> pa.Array:
    """A dictionary array with more entries than rows as a plain one, for what works on all entries."""
    if pa.types.is_dictionary(array.type) and len(array.dictionary) > len(array):
        return compute.decode_dictionary(array)
    return array


def keep(batch: Batch, mask: npt.NDArray[np.bool_]) -> Batch | None:
    """The rows at which `mask` holds: None for no row, the batch itself for all of them."""
    count = int(np.count_nonzero(mask))
    if count == 0:
        return None
    if count == batch.num_rows:
        return batch
    return take(batch, np.flatnonzero(mask).astype(np.int32))
