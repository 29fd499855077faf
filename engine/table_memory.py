"""In-memory tables count against the memory budget for as long as their rows are held."""

from __future__ import annotations

import weakref
from collections.abc import Iterable
from typing import Any

import pyarrow as pa

from ..physical.batch import Batch
from ..physical.memory import MemoryBroker


class StoredBytes:
    """Bytes reserved for rows of a table. Whoever holds the rows holds this; when the last one lets go, the
    bytes go back to the budget.
    """

    __slots__ = ("__weakref__",)

    def __init__(self, memory: MemoryBroker, size: int) -> None:
        weakref.finalize(self, memory.give_back, size).atexit = False


def keep(
    memory: MemoryBroker, table: str, batches: Iterable[Batch]
) -> tuple[tuple[Batch, ...], tuple[StoredBytes, ...]]:
    """All batches and what holds the bytes of each, reserved as it comes, so that a table beyond the budget
    stops while it is made.

    OutOfMemoryError names the table; nothing stays reserved then.
    """
    kept: list[Batch] = []
    held: list[StoredBytes] = []
    seen: set[int] = set()
    try:
        for batch in batches:
            size = sum(_bytes(column, seen) for column in batch.columns)
            memory.reserve(size, f'table "{table}"')
            held.append(StoredBytes(memory, size))
            kept.append(batch)
    except BaseException:
        held.clear()  # whoever keeps the error does not keep the bytes
        raise
    return tuple(kept), tuple(held)


def _bytes(column: Any, seen: set[int]) -> int:
    """Bytes of a column's values; a dictionary that batches share counts once."""
    if not pa.types.is_dictionary(column.type):
        return column.nbytes
    words = column.dictionary
    buffer = words.buffers()[-1]
    place = 0 if buffer is None else buffer.address
    if place in seen:
        return column.indices.nbytes
    seen.add(place)
    return column.indices.nbytes + words.nbytes
