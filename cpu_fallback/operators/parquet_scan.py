"""Parquet scan: row groups that statistics cannot rule out, predicate columns first, the others only where a
row survives.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ...physical.arrow_types import storage_type
from ...physical.batch import Batch
from ...physical.context import QueryContext, Task
from ...physical.parquet_meta import ColumnMeta, ParquetMeta, open_parquet, reading
from ...physical.pipeline import Morsel, ScanSource
from ...physical.row_groups import ScannedColumns
from ...physical.stored import Bounds
from ...physical.tables import ParquetTable
from ...planner.expr import Column, references
from ...planner.messages_files import not_parquet
from ..expressions import compile_predicate
from . import rows as row
from .csv_values import constant_column
from .open_files import OpenFiles
from .parquet_columns import Convert, converter, validate
from .scan_filters import ScanFilters


@dataclass(frozen=True)
class _Piece:
    """A row group of a file, and how its columns are called there."""

    file: int
    group: int


class ParquetScan:
    """Rows of a ParquetTable that satisfy the node's predicate and its runtime filters."""

    def __init__(self, spec: ScanSource) -> None:
        node = spec.node
        assert isinstance(node.table, ParquetTable)
        self.op_id = node.op_id
        self.schema = node.columns
        self.table = node.table
        self.filters = ScanFilters(node.runtime_filters, spec.filters)
        self.predicate = None if node.predicate is None else compile_predicate(node.predicate)
        self.stored = ScannedColumns(node)
        early = set(self.filters.column_ids)
        if node.predicate is not None:
            early |= references(node.predicate)
        everything = (*node.columns, *node.hidden)
        self.early = tuple(c for c in everything if c.id in early)
        self.late = tuple(c for c in node.columns if c.id not in early)

    def morsels(self, q: QueryContext) -> Iterator[Morsel]:
        """The row groups that may hold a wanted row, in file order."""
        seq = 0
        for index, meta in enumerate(self.table.metas):
            for group, count in enumerate(meta.group_rows):
                if count and self._may_match(meta, group, count, q):
                    yield Morsel(seq, _Piece(index, group))
                    seq += 1

    def _may_match(self, meta: ParquetMeta, group: int, count: int, q: QueryContext) -> bool:
        return self.stored.may_match(meta, group, count) and all(
            self.filters.may_match(q, number, self.stored.stats(meta, group, count, number))
            for number in self.filters.column_ids
        )

    def read(self, morsel: Morsel, task: Task) -> Iterator[Batch]:
        """The row group's wanted rows in batches."""
        piece: _Piece = morsel.payload
        meta = self.table.metas[piece.file]
        count = meta.group_rows[piece.group]
        size = task.query.batch_size
        reader = _GroupReader(self, meta, piece.group, task)
        if self.predicate is None and not self.filters:
            whole = reader.read(self.late)
            yield from _slices(Batch(self.schema, whole, count, bounds=reader.bounds(self.late)), size)
            return
        first = Batch(self.early, reader.read(self.early), count, bounds=reader.bounds(self.early))
        task.check()
        kept: list[tuple[int, Batch, npt.NDArray[np.int32] | None]] = []
        for start in range(0, count, size):
            part = first.slice(start, size)
            chosen = self._choose(part, task)
            if chosen is None:
                kept.append((start, part, None))
            elif len(chosen):
                kept.append((start, row.take(part, chosen), chosen))
        if not kept:
            return
        rest = Batch(self.late, reader.read(self.late), count, bounds=reader.bounds(self.late))
        for start, part, chosen in kept:
            late = rest.slice(start, size)
            if chosen is not None:
                late = row.take(late, chosen)
            columns = {
                c.id: a
                for c, a in zip((*part.schema, *late.schema), (*part.columns, *late.columns), strict=True)
            }
            bounds = {**part.bounds, **late.bounds}
            yield Batch(self.schema, [columns[c.id] for c in self.schema], part.num_rows, bounds=bounds)

    def _choose(self, part: Batch, task: Task) -> npt.NDArray[np.int32] | None:
        """Numbers of the wanted rows; None means all."""
        mask = None if self.predicate is None else self.predicate(part, task.check).mask
        mask = self.filters.apply(part, mask, task)
        if mask is None or mask.all():
            return None
        return np.flatnonzero(mask).astype(np.int32)


class _GroupReader:
    """Decodes columns of one row group."""

    def __init__(self, scan: ParquetScan, meta: ParquetMeta, group: int, task: Task) -> None:
        self.task = task
        self.scan = scan
        self.meta = meta
        self.group = group

    def read(self, columns: Sequence[Column]) -> list[pa.Array]:
        """One array a column, in storage form."""
        count = self.meta.group_rows[self.group]
        found = {c.id: self.scan.stored.find(self.meta, c.id) for c in columns}
        decoded = self._decode({c.place: c for c in found.values() if c is not None})
        result = []
        for column in columns:
            stored = found[column.id]
            if column.id in self.scan.stored.constant:
                value = self.scan.stored.constant[column.id][self.meta.file]
                result.append(constant_column(value, column.type, count))
            elif stored is None:
                result.append(pa.nulls(count, storage_type(column.type)))
            else:
                path = self.meta.file.path
                convert: Convert = converter(stored, self.scan.stored.types[column.id], path)
                result.append(convert(_one_chunk(decoded[stored.place])))
        return result

    def _decode(self, columns: Mapping[int, ColumnMeta]) -> dict[int, pa.ChunkedArray]:
        """The row group's values of columns, by their place in the file."""
        if not columns:
            return {}
        names = [str(place) for place in columns]
        dictionaries = tuple(c for c in columns.values() if c.dictionary)
        path = self.meta.file.path
        files = self.task.keep(OpenFiles, OpenFiles)
        key = (path, *(c.place for c in dictionaries))
        file = files.open(key, lambda: open_parquet(self.meta, dictionaries))
        with reading(path):
            table = file.read_row_group(self.group, columns=names, use_threads=False)
            decoded = {place: table.column(str(place)) for place in columns}
            for column in decoded.values():
                validate(column)
        if table.num_rows != self.meta.group_rows[self.group]:
            raise not_parquet(path, "a row group has fewer values than the footer says")
        return decoded

    def bounds(self, columns: Sequence[Column]) -> dict[int, Bounds]:
        """Integer bounds of the columns from the row group's statistics, in stored form."""
        return self.scan.stored.bounds(self.meta, (self.group,), columns)


def _one_chunk(column: pa.ChunkedArray) -> pa.Array:
    if column.num_chunks == 1:
        return column.chunk(0)
    if pa.types.is_dictionary(column.type):
        column = column.unify_dictionaries()
    combined: Any = column.combine_chunks()
    return combined.combine_chunks() if isinstance(combined, pa.ChunkedArray) else combined


def _slices(batch: Batch, size: int) -> Iterator[Batch]:
    if batch.num_rows <= size:
        yield batch
        return
    for start in range(0, batch.num_rows, size):
        yield batch.slice(start, size)
