"""Tables as plain data: Parquet files, rows in memory, number ranges. They implement
planner.catalog.Table.
"""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import pyarrow as pa

from ..planner import types as t
from ..planner.catalog import NO_CONSTRAINTS, Constraints, TableColumn
from ..planner.expr import Column
from ..planner.statistics import ColumnStats, TableStats
from ..planner.types import SQLType
from .batch import Batch
from .parquet_meta import FileId, ParquetMeta, RowGroupStats, read_meta
from .parquet_names import folded, visible
from .sampling import estimate_distinct, sample_parquet_column


@dataclass(frozen=True)
class ParquetTable:
    """A table over one or more Parquet files with one schema: column i is found in each file by the name
    `stored_names[i]` (in any case; `columns[i].name` differs where that is empty).

    A column's type may differ from a file's own, whose values are then cast; a column a file lacks is NULL
    there.
    """

    name: str
    files: tuple[FileId, ...]
    columns: tuple[TableColumn, ...]
    stored_names: tuple[str, ...]
    # Columns that files do not hold but have, such as the values of their folders: by name the value in each
    # file, in literal form.
    constants: tuple[tuple[str, tuple[Any, ...]], ...] = ()

    def with_file_columns(self, columns: Sequence[tuple[str, SQLType, tuple[Any, ...]]]) -> ParquetTable:
        """The table with columns that have one value a file; one of a name takes the place of the files'
        own column.
        """
        taken = {folded(name) for name, _, _ in columns}
        kept = [i for i, column in enumerate(self.columns) if folded(column.name) not in taken]
        added = tuple(TableColumn(name, kind) for name, kind, _ in columns)
        return replace(
            self,
            columns=(*(self.columns[i] for i in kept), *added),
            stored_names=(*(self.stored_names[i] for i in kept), *("" for _ in added)),
            constants=tuple((name, values) for name, _, values in columns),
        )

    @cached_property
    def constant(self) -> dict[str, dict[FileId, Any]]:
        """By a column's name its value in each file, of the columns that have one value a file."""
        return {name: dict(zip(self.files, values, strict=True)) for name, values in self.constants}

    @property
    def identity(self) -> Hashable:
        return (self.files, self.constants) if self.constants else self.files

    @cached_property
    def metas(self) -> tuple[ParquetMeta, ...]:
        """Footers of all files, in order."""
        return tuple(read_meta(file) for file in self.files)

    @cached_property
    def stored_name(self) -> dict[str, str]:
        """By a column's name the name it has in the files."""
        return {c.name: stored for c, stored in zip(self.columns, self.stored_names, strict=True)}

    def stats(self) -> TableStats:
        return TableStats(float(sum(meta.rows for meta in self.metas)), exact=True)

    def column_stats(self, name: str) -> ColumnStats | None:
        cached = self._column_stats.get(name)
        if cached is None:
            cached = self._column_stats[name] = _parquet_stats(self, name)
        return cached

    @cached_property
    def _column_stats(self) -> dict[str, ColumnStats]:
        return {}


@lru_cache(maxsize=4096)
def _parquet_stats(table: ParquetTable, name: str) -> ColumnStats:
    """Statistics from the footers and a sample; remembered by the files' identity, as every statement
    makes its own table object.
    """
    rows = table.stats().rows
    kind = next(c.type for c in table.columns if c.name == name)
    groups: list[RowGroupStats] = []
    same_type = []
    values = table.constant.get(name)
    for meta in table.metas:
        column = None if values is not None else meta.find(table.stored_name[name])
        counts = [n for n in meta.group_rows if n]
        if values is not None and values[meta.file] is not None:
            value = values[meta.file]
            groups.extend(RowGroupStats(value, value, 0) for _ in counts)
            continue
        if column is None:
            groups.extend(RowGroupStats(None, None, n) for n in counts)
        elif column.type != kind:
            # Bounds and distinct values of what will be cast say nothing sure about the results.
            groups.extend(RowGroupStats(None, None, None) for _ in counts)
        else:
            groups.extend(g for g, n in zip(meta.stats(column), meta.group_rows, strict=True) if n)
            same_type.append((meta, column))
    lows = [g.low for g in groups if g.low is not None]
    highs = [g.high for g in groups if g.high is not None]
    all_known = len(lows) == len(groups) and len(highs) == len(groups)
    nulls = [g.nulls for g in groups]
    null_count = float(sum(n for n in nulls if n is not None)) if None not in nulls else None
    low, high = (min(lows), max(highs)) if lows and highs else (None, None)
    sample = sample_parquet_column(same_type)
    ndv = None if values is None else float(len(set(values.values())))
    if sample is not None:
        sorted_groups = len(groups) > 1 and all(
            a.high is not None and b.low is not None and a.high <= b.low
            for a, b in itertools.pairwise(groups)
        )
        ndv = estimate_distinct(sample, rows, clustered=sorted_groups)
        if isinstance(low, int) and isinstance(high, int) and not isinstance(low, bool):
            ndv = min(ndv, high - low + 1)
    # Text bounds may be cut by the writer, so they steer costs only.
    exact = all_known and null_count is not None and not isinstance(low, str)
    return ColumnStats(rows, null_count, ndv, low, high, exact, "parquet", 0.9)


@dataclass(frozen=True, eq=False)
class MemoryTable:
    """Rows in memory: an immutable version of a table. `batches` have one column a table column, in storage
    form; `memory` is what must be kept as long as they are (see engine/table_memory), one a batch.
    """

    name: str
    columns: tuple[TableColumn, ...]
    uid: int
    version: int
    batches: tuple[Batch, ...] = ()
    memory: tuple[object, ...] = field(default=(), repr=False)
    constraints: Constraints = NO_CONSTRAINTS
    _cache: dict[str, ColumnStats] = field(default_factory=dict, compare=False, repr=False)

    @property
    def identity(self) -> Hashable:
        return ("memory", self.uid, self.version)

    @cached_property
    def rows(self) -> int:
        """Number of rows."""
        return sum(batch.num_rows for batch in self.batches)

    def numbered(self) -> MemoryTable:
        """The same rows with one more column, the last: their numbers from 0 on."""
        # A name that nobody writes: DuckDB's rowid is another number where rows were deleted.
        name = "(row number)"
        column = Column(len(self.columns), name, t.BIGINT, nullable=False)
        batches, start = [], 0
        for batch in self.batches:
            numbers = pa.array(np.arange(start, start + batch.num_rows, dtype=np.int64))
            start += batch.num_rows
            wider = (*batch.schema, column), (*batch.columns, numbers)
            batches.append(Batch(*wider, batch.num_rows, bounds=batch.bounds))
        columns = (*self.columns, TableColumn(name, t.BIGINT, nullable=False))
        return replace(self, columns=columns, uid=-self.uid, batches=tuple(batches), _cache={})

    def stats(self) -> TableStats:
        return TableStats(float(self.rows), exact=True)

    def column_stats(self, name: str) -> ColumnStats | None:
        if name not in self._cache:
            self._cache[name] = self._measure(name)
        return self._cache[name]

    def _measure(self, name: str) -> ColumnStats:
        index = next(i for i, c in enumerate(self.columns) if c.name == name)
        arrays = [b.columns[index] for b in self.batches]
        nulls = float(sum(a.null_count for a in arrays))
        sql_type = self.columns[index].type
        low = high = ndv = None
        if arrays and not sql_type.is_nested and sql_type.id not in (t.TypeId.INTERVAL, t.TypeId.NULL):
            ndv = estimate_distinct(_first_rows(arrays[0]), float(self.rows))
            if (
                sql_type.is_integer
                or sql_type.is_decimal
                or sql_type.id in (t.TypeId.DATE, t.TypeId.TIMESTAMP)
            ):
                low, high = _integer_bounds(arrays)
                if low is not None and high is not None:
                    ndv = min(ndv, float(high - low + 1))
        exact = low is not None or nulls == self.rows
        return ColumnStats(float(self.rows), nulls, ndv, low, high, exact, "memory", 0.9)


def _first_rows(array: pa.Array, count: int = 20_000) -> pa.Array:
    head = array.slice(0, count)
    return head.dictionary_decode() if pa.types.is_dictionary(head.type) else head


def _integer_bounds(arrays: list[pa.Array]) -> tuple[int | None, int | None]:
    """Least and greatest stored value; unknown when a wide column is in decimal128."""
    lows: list[int] = []
    highs: list[int] = []
    for array in arrays:
        if pa.types.is_decimal(array.type):
            return None, None
        if pa.types.is_date32(array.type):
            array = array.view(pa.int32())
        elif pa.types.is_timestamp(array.type):
            array = array.view(pa.int64())
        values = array.drop_null().to_numpy()
        if len(values):
            lows.append(int(values.min()))
            highs.append(int(values.max()))
    return (min(lows), max(highs)) if lows else (None, None)


@dataclass(frozen=True)
class RangeTable:
    """Numbers start, start + step, ... up to `stop` (exclusive), as one BIGINT column."""

    name: str
    start: int
    stop: int
    step: int
    column: str

    @property
    def columns(self) -> tuple[TableColumn, ...]:
        return (TableColumn(self.column, t.BIGINT, nullable=False),)

    @property
    def identity(self) -> Hashable:
        return ("range", self.start, self.stop, self.step)

    @property
    def rows(self) -> int:
        """Number of rows, which may be more than a C integer holds: len() would fail."""
        return max(0, -((self.start - self.stop) // self.step))

    def stats(self) -> TableStats:
        return TableStats(float(self.rows), exact=True)

    def column_stats(self, name: str) -> ColumnStats | None:
        if not self.rows:
            return ColumnStats(0.0, 0.0, 0.0, None, None, True, "derived", 1.0)
        last = self.start + (self.rows - 1) * self.step
        low, high = min(self.start, last), max(self.start, last)
        return ColumnStats(float(self.rows), 0.0, float(self.rows), low, high, True, "derived", 1.0)


def parquet_table(name: str, files: tuple[FileId, ...], *, union_by_name: bool = False) -> ParquetTable:
    """A table over files that have the columns of the first one in any order, or, with `union_by_name`, any
    columns.

    Raises IoError that names the first file that does not fit and how.
    """
    from .schema_union import unite_schemas

    columns = unite_schemas([read_meta(file) for file in files], union_by_name)
    stored = tuple(c.name for c in columns)
    shown = tuple(replace(c, name=n) for c, n in zip(columns, visible(stored), strict=True))
    return ParquetTable(name, files, shown, stored)
