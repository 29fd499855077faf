"""Table scans: rows in memory, number ranges, and Parquet; `make_scan` chooses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from ...physical.batch import Batch
from ...physical.context import QueryContext, Task
from ...physical.pipeline import Morsel, ScanSource, Source
from ...physical.tables import MemoryTable, ParquetTable, RangeTable
from ..ops import Ops
from .base import batch_rows, device_batch, ops_of
from .filtered_scan import FilteredScan
from .registry import implements
from .transfer import uploaded


@implements(ScanSource)
def make_scan(spec: ScanSource, backend: Any) -> Source:
    """The source that reads the node's table."""
    table = spec.node.table
    if isinstance(table, ParquetTable):
        from .parquet_scan import ParquetScan

        return ParquetScan(spec)
    return RangeScan(spec) if isinstance(table, RangeTable) else MemoryScan(spec)


class MemoryScan(FilteredScan):
    """Rows of a MemoryTable."""

    def __init__(self, spec: ScanSource) -> None:
        super().__init__(spec)
        table: Any = spec.node.table
        place = {c.name: i for i, c in enumerate(table.columns)}
        self.table: MemoryTable = table
        self.positions = tuple(place[name] for name in self.names)

    def morsels(self, q: QueryContext) -> Iterator[Morsel]:
        """One morsel a stored batch or piece of one."""
        seq = 0
        for index, batch in enumerate(self.table.batches):
            for start in range(0, batch.num_rows, batch_rows(q)):
                yield Morsel(seq, (index, start))
                seq += 1

    def read(self, morsel: Morsel, task: Task) -> Iterator[Batch]:
        """The piece's wanted rows."""
        ops = ops_of(task)
        index, start = morsel.payload
        stored = self.table.batches[index]
        piece = stored.renamed(self.columns, self.positions).slice(start, batch_rows(task.query))
        for batch in uploaded(piece, ops, task):
            yield from self.filtered(batch, ops, task)


class RangeScan(FilteredScan):
    """Numbers of a RangeTable."""

    def __init__(self, spec: ScanSource) -> None:
        super().__init__(spec)
        table: Any = spec.node.table
        self.values = range(table.start, table.stop, table.step)

    def morsels(self, q: QueryContext) -> Iterator[Morsel]:
        """Pieces of so many numbers as a batch may have."""
        for seq, start in enumerate(range(0, len(self.values), batch_rows(q))):
            yield Morsel(seq, start)

    def read(self, morsel: Morsel, task: Task) -> Iterator[Batch]:
        """The piece's wanted numbers."""
        ops = ops_of(task)
        piece = self.values[morsel.payload : morsel.payload + batch_rows(task.query)]

        def made(start: int, stop: int) -> Batch | None:
            return self.wanted(self._numbers(piece[start:stop], ops), ops)

        for found in ops.memory.each(len(piece), made, task.check):
            if found is not None:
                yield found

    def _numbers(self, piece: range, ops: Ops) -> Batch:
        first, step = (ops.scalar(pa.scalar(value, pa.int64())) for value in (piece[0], piece.step))
        numbers = ops.plc.filling.sequence(len(piece), first, step, stream=ops.stream)
        ends = (min(piece[0], piece[-1]), max(piece[0], piece[-1]))
        bounds = {c.id: ends for c in self.columns}
        return device_batch(self.columns, [numbers] * len(self.columns), len(piece), bounds)
