"""New versions of in-memory tables: rows with new values, rows left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ..cpu_fallback.operators.concat import concat_arrays
from ..cpu_fallback.operators.rows import keep as kept_rows
from ..cpu_fallback.operators.rows import take, take_array
from ..physical.batch import Batch
from ..physical.memory import MemoryBroker
from ..physical.tables import MemoryTable
from .table_memory import keep

RowNumbers = npt.NDArray[np.int64]
# Rows of one batch.
Rows = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Change:
    """A table's rows after a statement, what holds the bytes of each batch, the rows that went and came (of
    an UPDATE both), and the places of the columns whose values are new.
    """

    batches: tuple[Batch, ...]
    memory: tuple[object, ...]
    old_rows: tuple[Batch, ...] = ()
    new_rows: tuple[Batch, ...] = ()
    written: frozenset[int] = frozenset()


def last_of_each(numbers: RowNumbers) -> tuple[RowNumbers, RowNumbers]:
    """Where each row number comes last, and the numbers, in ascending order of the numbers."""
    where, reverse = np.unique(numbers[::-1], return_index=True)
    return len(numbers) - 1 - reverse, where


def _pieces(table: MemoryTable, where: RowNumbers) -> Iterator[tuple[int, Batch, Rows, slice]]:
    """Every batch with its place, the rows of it that `where` (ascending) names, and where they stand in
    `where`.
    """
    start = 0
    for place, batch in enumerate(table.batches):
        low, high = np.searchsorted(where, [start, start + batch.num_rows])
        yield place, batch, (where[low:high] - start).astype(np.int32), slice(int(low), int(high))
        start += batch.num_rows


def updated(
    memory: MemoryBroker,
    table: MemoryTable,
    where: RowNumbers,
    order: RowNumbers,
    places: Sequence[int],
    values: Sequence[Sequence[pa.Array]],
) -> Change:
    """The table whose rows `where` (ascending) have new values in the columns at `places`: row where[i] gets
    row order[i] of `values`, one list of arrays a column.
    """
    kinds = [table.columns[place].type for place in places]
    new = [concat_arrays(kind, parts) for kind, parts in zip(kinds, values, strict=True)]
    batches, held = list(table.batches), list(table.memory)
    old_rows, new_rows = [], []
    for at, batch, rows, piece in _pieces(table, where):
        if not len(rows):
            continue
        columns: list[Any] = list(batch.columns)
        merged = np.arange(batch.num_rows, dtype=np.int32)
        merged[rows] = batch.num_rows + np.arange(len(rows), dtype=np.int32)
        for place, kind, column in zip(places, kinds, new, strict=True):
            chosen = take_array(column, order[piece].astype(np.int32))
            if len(rows) == batch.num_rows:
                columns[place] = chosen
            else:
                columns[place] = take_array(concat_arrays(kind, [batch.columns[place], chosen]), merged)
        left = {key: bound for key, bound in batch.bounds.items() if key not in places}
        fresh = Batch(batch.schema, columns, batch.num_rows, bounds=left)
        (batches[at],), (held[at],) = keep(memory, table.name, [fresh])
        old_rows.append(take(batch, rows))
        new_rows.append(take(fresh, rows))
    return Change(tuple(batches), tuple(held), tuple(old_rows), tuple(new_rows), frozenset(places))


def deleted(memory: MemoryBroker, table: MemoryTable, where: RowNumbers) -> Change:
    """The table without the rows `where` (ascending)."""
    batches: list[Batch] = []
    held: list[object] = []
    old_rows = []
    for at, batch, rows, _ in _pieces(table, where):
        if not len(rows):
            batches.append(batch)
            held.append(table.memory[at])
            continue
        old_rows.append(take(batch, rows))
        stays = np.ones(batch.num_rows, dtype=np.bool_)
        stays[rows] = False
        left = kept_rows(batch, stays)
        if left is not None:
            (left,), more = keep(memory, table.name, [left])
            batches.append(left)
            held.extend(more)
    return Change(tuple(batches), tuple(held), tuple(old_rows))
