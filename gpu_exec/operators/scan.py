"""Table scans: rows in memory, number ranges, and Parquet; `make_scan` chooses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...physical.batch import Batch
from ...physical.context import QueryContext, Task
from ...physical.parquet_meta import RowGroupStats
from ...physical.pipeline import Morsel, ScanSource, Source
from ...physical.tables import MemoryTable, ParquetTable, RangeTable
from ..ops import Ops
from .base import batch_rows, device_batch, ops_of
from .concat import concat_batches
from .filtered_scan import FilteredScan
from .registry import implements
from .transfer import upload

# Fewer rows are not divided among tasks.
_ROWS_OF_A_TASK = 1 << 16


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
        """Ranges of rows: some for every task, of so many rows as a batch may have."""
        rows = sum(batch.num_rows for batch in self.table.batches)
        if not self.may_match(q, RowGroupStats(None, None, None)):
            return
        size = max(1, min(batch_rows(q), max(-(-rows // q.threads), _ROWS_OF_A_TASK)))
        for seq, start in enumerate(range(0, rows, size)):
            yield Morsel(seq, (start, min(start + size, rows)))

    def read(self, morsel: Morsel, task: Task) -> Iterator[Batch]:
        """The range's wanted rows, in one batch where the device has room for it."""
        ops = ops_of(task)
        first, last = morsel.payload
        stored = self._stored(first, last)

        def wanted(start: int, stop: int) -> Batch | None:
            parts = [upload(part, ops) for part in self._stored(first + start, first + stop)]
            return self.wanted(concat_batches(self.columns, parts, ops), task, ops)

        most = ops.memory.rows_of(last - first, sum(batch.nbytes for batch in stored))
        for found in ops.memory.each(last - first, wanted, task.check, most):
            if found is not None:
                yield found

    def _stored(self, start: int, stop: int) -> list[Batch]:
        """Rows start .. stop of the table, as they are stored."""
        found, place = [], 0
        for batch in self.table.batches:
            begin, end = max(start - place, 0), min(stop - place, batch.num_rows)
            if begin < end:
                found.append(batch.renamed(self.columns, self.positions).slice(begin, end - begin))
            place += batch.num_rows
        return found


class RangeScan(FilteredScan):
    """Numbers of a RangeTable."""

    def __init__(self, spec: ScanSource) -> None:
        super().__init__(spec)
        table: Any = spec.node.table
        self.rows = table.rows
        self.values = range(table.start, table.stop, table.step)

    def morsels(self, q: QueryContext) -> Iterator[Morsel]:
        """Pieces of so many numbers as a batch may have, where they may hold a match."""
        for seq, start in enumerate(range(0, self.rows, batch_rows(q))):
            piece = self.values[start : start + batch_rows(q)]
            if self.may_match(q, RowGroupStats(min(piece[0], piece[-1]), max(piece[0], piece[-1]), 0)):
                yield Morsel(seq, start)

    def read(self, morsel: Morsel, task: Task) -> Iterator[Batch]:
        """The piece's wanted numbers."""
        ops = ops_of(task)
        piece = self.values[morsel.payload : morsel.payload + batch_rows(task.query)]

        def made(start: int, stop: int) -> Batch | None:
            return self.wanted(self._numbers(piece[start:stop], ops), task, ops)

        for found in ops.memory.each(len(piece), made, task.check):
            if found is not None:
                yield found

    def _numbers(self, piece: range, ops: Ops) -> Batch:
        numbers = ops.numbers(piece)
        ends = (min(piece[0], piece[-1]), max(piece[0], piece[-1]))
        bounds = {c.id: ends for c in self.columns}
        return device_batch(self.columns, [numbers] * len(self.columns), len(piece), bounds)
