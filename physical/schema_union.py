"""One schema for many files."""

from __future__ import annotations

from collections.abc import Sequence

from ..planner import messages_files as messages
from ..planner import types as t
from ..planner.catalog import TableColumn
from ..planner.coercion import common_type
from .parquet_meta import ParquetMeta


def unite_schemas(metas: Sequence[ParquetMeta], union_by_name: bool) -> tuple[TableColumn, ...]:
    """The columns of a table over these files.

    Without `union_by_name` the first file decides and every other file must have its columns with the same
    types (an IoError names the file and the column); extra columns are ignored, as DuckDB does. With it,
    columns are united by name and widened.
    """
    first = metas[0]
    columns = {c.name: TableColumn(c.name, c.type, c.nullable) for c in first.columns}
    for meta in metas[1:]:
        if union_by_name:
            _widen(columns, meta)
            continue
        for name, column in columns.items():
            other = meta.by_name.get(name)
            if other is None:
                raise messages.column_missing(meta.file.path, name, first.file.path)
            if other.type != column.type:
                raise messages.column_type_differs(
                    meta.file.path, name, other.type, first.file.path, column.type
                )
    return tuple(columns.values())


def _widen(columns: dict[str, TableColumn], meta: ParquetMeta) -> None:
    for other in meta.columns:
        mine = columns.get(other.name)
        if mine is None:
            columns[other.name] = TableColumn(other.name, other.type, True)
        elif mine.type != other.type:
            wider = common_type((mine.type, other.type))
            if wider is None or wider.id is t.TypeId.NULL:
                raise messages.column_types_unfit(meta.file.path, other.name, other.type, mine.type)
            columns[other.name] = TableColumn(mine.name, wider, True)
    for name, mine in columns.items():
        if name not in meta.by_name and not mine.nullable:
            columns[name] = TableColumn(mine.name, mine.type, True)
