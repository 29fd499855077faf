"""Table scans other than Parquet: rows in memory and number ranges; `make_scan` chooses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa

from ...physical.batch import Batch
from ...physical.context import QueryContext, Task
from ...physical.file_tables import CsvTable, JsonTable, WholeFiles
from ...physical.pipeline import Morsel, ScanSource, Source
from ...physical.tables import MemoryTable, ParquetTable, RangeTable
from ...planner.expr import Column
from ..expressions import compile_predicate
from . import rows as row
from .scan_filters import ScanFilters


def make_scan(spec: ScanSource) -> Source:
    """The source that reads the node's table."""
    table = spec.node.table
    if isinstance(table, ParquetTable):
        from .parquet_scan import ParquetScan

        return ParquetScan(spec)
    if isinstance(table, CsvTable):
        from .csv_scan import CsvScan

        return CsvScan(spec)
    if isinstance(table, WholeFiles):
        from .whole_files import WholeFilesScan

        return WholeFilesScan(spec)
    if isinstance(table, JsonTable):
        from .json_scan import JsonScan

        return JsonScan(spec)
    if isinstance(table, RangeTable):
        return RangeScan(spec)
    assert isinstance(table, MemoryTable), type(table)
    return MemoryScan(spec)


class FilteredScan:
    """What scans share that have all columns at hand: predicate and runtime filters over whole batches."""

    def __init__(self, spec: ScanSource) -> None:
        node = spec.node
        self.op_id = node.op_id
        self.schema = node.columns
        self.columns: tuple[Column, ...] = (*node.columns, *node.hidden)
        self.names = (*node.names, *node.hidden_names)
        self.filters = ScanFilters(node.runtime_filters, spec.filters)
        self.predicate = None if node.predicate is None else compile_predicate(node.predicate)

    def wanted(self, batch: Batch, task: Task) -> Batch | None:
        """The batch's rows that satisfy everything, under the scan's schema; None when there are none."""
        mask = None if self.predicate is None else self.predicate(batch, task.check).mask
        mask = self.filters.apply(batch, mask, task)
        result = batch.select(self.schema)
        return result if mask is None else row.keep(result, mask)


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
            for start in range(0, batch.num_rows, q.batch_size):
                yield Morsel(seq, (index, start))
                seq += 1

    def read(self, morsel: Morsel, task: Task) -> Iterator[Batch]:
        """The piece's wanted rows."""
        index, start = morsel.payload
        stored = self.table.batches[index]
        piece = stored.renamed(self.columns, self.positions).slice(start, task.query.batch_size)
        found = self.wanted(piece, task)
        if found is not None:
            yield found


class RangeScan(FilteredScan):
    """Numbers of a RangeTable."""

    def __init__(self, spec: ScanSource) -> None:
        super().__init__(spec)
        table: Any = spec.node.table
        self.rows = table.rows
        self.values = range(table.start, table.stop, table.step)

    def morsels(self, q: QueryContext) -> Iterator[Morsel]:
        """Pieces of batch_size numbers."""
        for seq, start in enumerate(range(0, self.rows, q.batch_size)):
            yield Morsel(seq, start)

    def read(self, morsel: Morsel, task: Task) -> Iterator[Batch]:
        """The piece's wanted numbers."""
        piece = self.values[morsel.payload : morsel.payload + task.query.batch_size]
        count = len(piece)
        numbers = pa.array(piece[0] + np.arange(count, dtype=np.int64) * piece.step)
        ends = (min(piece[0], piece[-1]), max(piece[0], piece[-1]))
        bounds = {c.id: ends for c in self.columns}
        found = self.wanted(Batch(self.columns, [numbers] * len(self.columns), count, bounds=bounds), task)
        if found is not None:
            yield found
