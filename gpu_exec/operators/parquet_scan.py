"""Parquet scan: row groups that statistics cannot rule out, decoded on the device. What of the predicate the
reader evaluates as SQL does, it does itself; the rest is evaluated over the rows that it gives.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...physical.batch import Batch
from ...physical.context import QueryContext, Task
from ...physical.parquet_meta import ColumnMeta, ParquetMeta
from ...physical.pipeline import Morsel, ScanSource
from ...physical.row_groups import ScannedColumns
from ...physical.stored import may_be_wide
from ...planner.expr import Column, references
from ...planner.types import SQLType
from ..library import Expression
from ..ops import Ops
from ..storage import data_type, named_type
from .base import batch_rows, device_batch, ops_of
from .chunks import ChunkReader
from .filtered_scan import FilteredScan
from .reader_filter import divided, reader_tree


@dataclass(frozen=True)
class _Piece:
    """Consecutive wanted row groups of a file, and their rows."""

    file: int
    groups: tuple[int, ...]
    rows: int


class ParquetScan(FilteredScan):
    """Rows of a ParquetTable that satisfy the node's predicate."""

    def __init__(self, spec: ScanSource) -> None:
        super().__init__(spec)
        self.stored = ScannedColumns(spec.node)
        self.table = self.stored.table

    def morsels(self, q: QueryContext) -> Iterator[Morsel]:
        """The row groups that may hold a wanted row, in file order, some at a time."""
        seq = 0
        for index, meta in enumerate(self.table.metas):
            for piece in self._pieces(index, meta, q):
                yield Morsel(seq, piece)
                seq += 1

    def _pieces(self, index: int, meta: ParquetMeta, q: QueryContext) -> Iterator[_Piece]:
        groups: list[int] = []
        rows = 0
        for group, count in enumerate(meta.group_rows):
            if not count or not self._may_match(meta, group, count, q):
                continue
            if groups and rows + count > batch_rows(q):
                yield _Piece(index, tuple(groups), rows)
                groups, rows = [], 0
            groups.append(group)
            rows += count
        if groups:
            yield _Piece(index, tuple(groups), rows)

    def _may_match(self, meta: ParquetMeta, group: int, count: int, q: QueryContext) -> bool:
        return self.stored.may_match(meta, group, count) and all(
            self.filters.may_match(q, number, self.stored.stats(meta, group, count, number))
            for number in self.filters.column_ids
        )

    def read(self, morsel: Morsel, task: Task) -> Iterator[Batch]:
        """The row groups' wanted rows, chunk by chunk."""
        ops = ops_of(task)
        piece: _Piece = morsel.payload
        meta = self.table.metas[piece.file]
        first, second = self.conditions(task, self.stored.bounds(meta, piece.groups, self.schema))
        given, rest = divided(first, self.stored, meta, piece.groups)
        found = {c.id: self.stored.find(meta, c.id) for c in self.columns}
        places = list(dict.fromkeys(c.place for c in found.values() if c is not None))
        # What only the reader's filter reads is not looked at again.
        needed = {c.id for c in self.schema} | (set() if rest is None else references(rest))
        kept = [c for c in self.columns if c.id in needed]
        bounds = self.stored.bounds(meta, piece.groups, kept)

        def condition() -> Expression:
            at = {number: places.index(c.place) for number, c in found.items() if c is not None}
            return reader_tree(given, at, ops)

        def wanted(decoded: Sequence[Any], start: int, stop: int) -> Batch | None:
            whole = dict(zip(places, ops.sliced(decoded, start, stop), strict=True))
            columns = [self._column(c, found[c.id], whole, stop - start, ops) for c in kept]
            return self.satisfying(rest, second, device_batch(kept, columns, stop - start, bounds), ops)

        path, groups = meta.file.path, piece.groups
        chunks: Iterator[Sequence[Any]] = iter([()])  # one of none where there are no columns
        if places:
            reader = ChunkReader(path, groups, places, ops, condition if given else None)
            chunks = reader.tables(piece.rows, task)
        for decoded in chunks:
            rows = decoded[0].size() if decoded else piece.rows
            for batch in ops.memory.each(rows, functools.partial(wanted, decoded), task.check):
                if batch is not None:
                    yield batch

    def _column(
        self, column: Column, stored: ColumnMeta | None, decoded: Mapping[int, Any], rows: int, ops: Ops
    ) -> Any:
        if stored is None:
            return ops.nulls(column.type, rows)
        return in_storage(decoded[stored.place], column.type, ops)


def in_storage(column: Any, type_: SQLType, ops: Ops) -> Any:
    """What the reader gives in the backend's storage: decimals of up to 18 digits are INT64."""
    kinds = ops.plc.TypeId
    kind = column.type().id()
    if kind in (kinds.DECIMAL32, kinds.DECIMAL64):
        narrow = named_type("INT32" if kind == kinds.DECIMAL32 else "INT64")
        return ops.cast(ops.bits_as(column, narrow), named_type("INT64"))
    if kind == kinds.DECIMAL128:
        if may_be_wide(type_):
            return column
        return ops.cast(ops.bits_as(column, named_type("DECIMAL128", 0)), named_type("INT64"))
    return ops.cast(column, data_type(type_))
