"""Many small INSERTs make few batches: the last ones of a table are put together while they are small."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..cpu_fallback.operators.concat import concat_batches
from ..physical.batch import Batch
from ..physical.tables import MemoryTable
from .table_changes import Change

# Batches of up to this many rows are put together.
_SMALL = 65_536


def packed(
    table: MemoryTable, batches: Sequence[Batch], memory: Sequence[object]
) -> tuple[tuple[Batch, ...], tuple[object, ...]]:
    """The table's batches and the new ones, and what holds the bytes of each. A batch is put to the one
    before it unless that is much larger, so that every row is copied a number of times that grows with the
    logarithm of the rows only.
    """
    stored, held = list(table.batches), list(table.memory)
    for batch, bytes_ in zip(batches, memory, strict=True):
        stored.append(batch)
        held.append(bytes_)
        count = 1
        rows = batch.num_rows
        while count < len(stored) and stored[-count - 1].num_rows <= 2 * rows:
            if rows + stored[-count - 1].num_rows > _SMALL:
                break
            rows += stored[-count - 1].num_rows
            count += 1
        if count > 1:
            stored[-count:] = [concat_batches(batch.schema, stored[-count:])]
            held[-count:] = [tuple(held[-count:])]
    return tuple(stored), tuple(held)


def with_more(
    table: MemoryTable, change: Change, batches: Sequence[Batch], memory: Sequence[object]
) -> Change:
    """A change of a table that adds rows as well."""
    if not batches:
        return change
    changed = replace(table, batches=change.batches, memory=change.memory)
    stored, held = packed(changed, batches, memory)
    written = frozenset(range(len(table.columns)))
    return Change(stored, held, change.old_rows, (*change.new_rows, *batches), written)
