"""Rows that are kept for later and may leave the device meanwhile: packed, in host memory or in a file."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from ..physical.batch import Batch, Device
from ..planner.expr import Column
from .away import InFile, InMemory, place_for
from .library import plc
from .memory import tried
from .ops import Ops

_clock = itertools.count()


class Held:
    """Columns of `num_rows` rows, `nbytes` bytes on the device, where they are or have been. Thread-safe.

    `used` grows with every use: what has the least is what to move away first.
    """

    def __init__(self, columns: Sequence[Any], rows: int, ops: Ops) -> None:
        self.num_rows = rows
        self.nbytes = sum(column.device_buffer_size() for column in columns)
        self.used = next(_clock)
        self._columns: tuple[Any, ...] | None = tuple(columns)
        self._away: tuple[Any, InMemory | InFile] | None = None
        self._stream = ops.stream
        self._memory = ops.memory
        self._store = ops.store
        if columns and rows:
            self._memory.add(self)

    def columns(self, ops: Ops) -> list[Any]:
        """The columns on the device. Those that were away stay on it if it has room, else for as long as
        the caller holds them. Part of a step: memory may be short.
        """
        self.used = next(_clock)
        found = self._columns
        if found is not None:
            return list(found)
        away = self._away
        if away is None:  # another task has just brought them back
            return list(self._columns or ())
        metadata, place = away
        data = place.bring(ops)
        table = ops.plc.contiguous_split.unpack_from_memoryviews(metadata, data, stream=ops.stream)
        found = tuple(table.columns())
        if self._memory.has_room(self.nbytes):
            ops.stream.synchronize()
            self._columns, self._away = found, None
        return list(found)

    @property
    def is_here(self) -> bool:
        """Whether the columns are on the device."""
        return self._columns is not None

    def leave(self) -> bool:
        """Starts to move the columns away, which are on the device; false when memory is too short even for
        that, or no other place takes them. Called with no step at work.
        """
        columns, buffer = self._columns, self._memory.buffer()
        if columns is None or buffer is None or not self._store.may_take(self.nbytes):
            return False
        # What made the columns may still be at work, on a stream of its own.
        self._stream.synchronize()
        found = tried(lambda: self._packed(columns, buffer))
        if found is None or found[0] is None:
            return False
        self._away = found[0]
        return True

    def _packed(self, columns: Sequence[Any], buffer: Any) -> tuple[Any, InMemory | InFile] | None:
        table = plc().Table(list(columns))
        packer = plc().contiguous_split.ChunkedPack.create(table, buffer.size, stream=self._stream)
        size = packer.get_total_contiguous_size()
        place = place_for(size, self._memory.pinned, self._store, buffer.size)
        if place is None or not place.take(packer, buffer, self._stream):
            return None
        return packer.build_metadata(), place

    def left(self) -> None:
        """Waits until the columns that began to leave are away, and gives their memory on the device back.
        It is given back on the stream that made it, which need not be the one that copies: hence the wait.
        """
        self._stream.synchronize()
        self._columns = None


class HeldBatch(Held):
    """A batch whose columns are held, and `extra` columns of as many rows with them."""

    device = Device.GPU

    def __init__(self, batch: Batch, ops: Ops, extra: Sequence[Any] = ()) -> None:
        self.schema: tuple[Column, ...] = batch.schema
        self.bounds: Mapping[int, tuple[int, int]] = batch.bounds
        super().__init__([*batch.columns, *extra], batch.num_rows, ops)

    def batch(self, ops: Ops) -> Batch:
        """The batch on the device; part of a step, see `Held.columns`."""
        columns = self.columns(ops)[: len(self.schema)]
        return Batch(self.schema, columns, self.num_rows, bounds=self.bounds, device=Device.GPU)
