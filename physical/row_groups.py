"""Which row groups of a Parquet table a scan reads, and what their statistics say of its columns."""

from __future__ import annotations

from collections.abc import Sequence

from ..planner.expr import Column
from .nodes import TableScan
from .parquet_meta import ColumnMeta, ParquetMeta, RowGroupStats
from .pruning import compile_checks
from .stored import Bounds
from .tables import ParquetTable


class ScannedColumns:
    """The columns of a scan, by id, in the files of its table."""

    def __init__(self, node: TableScan) -> None:
        assert isinstance(node.table, ParquetTable)
        self.table = node.table
        self.checks, self.checked = compile_checks(node.predicate)
        columns = zip((*node.columns, *node.hidden), (*node.names, *node.hidden_names), strict=True)
        names = {column.id: name for column, name in columns}
        table = node.table
        types = {c.name: c.type for c in table.columns}
        self.types = {number: types[name] for number, name in names.items()}
        self.constant = {n: table.constant[name] for n, name in names.items() if name in table.constant}
        self._stored_names = {number: node.table.stored_name[name] for number, name in names.items()}

    def find(self, meta: ParquetMeta, number: int) -> ColumnMeta | None:
        """The column in a file; None where the file lacks it, and it is NULL."""
        return None if number in self.constant else meta.find(self._stored_names[number])

    def stats(self, meta: ParquetMeta, group: int, count: int, number: int) -> RowGroupStats:
        """What is known of a column in a row group of `count` rows."""
        column = self.find(meta, number)
        if number in self.constant and (value := self.constant[number][meta.file]) is not None:
            return RowGroupStats(value, value, 0)
        if column is None:
            return RowGroupStats(None, None, count)
        if column.type != self.types[number]:
            return RowGroupStats(None, None, None)
        return meta.stats(column)[group]

    def may_match(self, meta: ParquetMeta, group: int, count: int) -> bool:
        """Whether a row group may hold a row that the predicate keeps."""
        stats = {number: self.stats(meta, group, count, number) for number in self.checked}
        return all(check(stats, count) for check in self.checks)

    def bounds(
        self, meta: ParquetMeta, groups: Sequence[int], columns: Sequence[Column]
    ) -> dict[int, Bounds]:
        """Integer bounds of columns over row groups, in stored form, where all of them have some."""
        found = {}
        for column in columns:
            known = [self.stats(meta, group, 0, column.id) for group in groups]
            ends = [end for stats in known for end in (stats.low, stats.high)]
            if all(isinstance(end, int) and not isinstance(end, bool) for end in ends):
                found[column.id] = min(ends), max(ends)
        return found
