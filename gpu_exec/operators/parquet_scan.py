"""Parquet scan: row groups that statistics cannot rule out, decoded on the device."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ...physical.batch import Batch
from ...physical.context import QueryContext, Task
from ...physical.parquet_meta import ColumnMeta, ParquetMeta, reading
from ...physical.pipeline import Morsel, ScanSource
from ...physical.row_groups import ScannedColumns
from ...physical.stored import may_be_wide
from ...planner.types import SQLType
from ..ops import Ops
from ..storage import data_type, named_type
from .base import device_batch, ops_of
from .filtered_scan import FilteredScan

# Row groups of a file are read together up to this many rows: the device wants large batches.
ROWS_AT_ONCE = 1 << 23


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
            if not count or not self.stored.may_match(meta, group, count):
                continue
            if groups and rows + count > min(ROWS_AT_ONCE, 8 * q.batch_size):
                yield _Piece(index, tuple(groups), rows)
                groups, rows = [], 0
            groups.append(group)
            rows += count
        if groups:
            yield _Piece(index, tuple(groups), rows)

    def read(self, morsel: Morsel, task: Task) -> Iterator[Batch]:
        """The row groups' wanted rows in one batch."""
        ops = ops_of(task)
        piece: _Piece = morsel.payload
        meta = self.table.metas[piece.file]
        found = {c.id: self.stored.find(meta, c.id) for c in self.columns}
        decoded = self._decode(meta, piece, [c for c in found.values() if c is not None], ops)
        columns = []
        for column in self.columns:
            stored = found[column.id]
            if stored is None:
                empty = ops.plc.column_factories.make_empty_column
                like = empty(data_type(column.type), stream=ops.stream)
                columns.append(ops.plc.Column.all_null_like(like, piece.rows, stream=ops.stream))
            else:
                columns.append(in_storage(decoded[stored.place], column.type, ops))
        batch = self.wanted(
            device_batch(
                self.columns, columns, piece.rows, self.stored.bounds(meta, piece.groups, self.columns)
            ),
            ops,
        )
        if batch is not None:
            yield batch

    def _decode(
        self, meta: ParquetMeta, piece: _Piece, columns: list[ColumnMeta], ops: Ops
    ) -> dict[int, Any]:
        """The values of columns, by their place in the file."""
        if not columns:
            return {}
        io = ops.plc.io
        path = meta.file.path
        with reading(path):
            source = io.types.SourceInfo([path])
            builder = io.parquet.ParquetReaderOptions.builder(source)
            options = builder.column_indices([c.place for c in columns]).build()
            options.set_row_groups([list(piece.groups)])
            table = io.parquet.read_parquet(options, stream=ops.stream).tbl
        return {c.place: column for c, column in zip(columns, table.columns(), strict=True)}


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
