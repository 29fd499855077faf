"""One schema for many files."""

from __future__ import annotations

from collections.abc import Sequence

from ..planner import messages_files as messages
from ..planner.catalog import TableColumn
from ..planner.coercion import forced_pair
from .parquet_meta import ParquetMeta
from .parquet_names import folded


def unite_schemas(metas: Sequence[ParquetMeta], union_by_name: bool) -> tuple[TableColumn, ...]:
    """The columns of a table over these files, by the names they have there, in any case.

    As in DuckDB, without `union_by_name` the first file decides: every other file must have its columns (an
    IoError names the file and the column), whose values are cast to the first file's types, and more columns
    are ignored. With it, columns are united by name and get the type that UNION would give them.
    """
    first = metas[0]
    columns = {folded(c.name): TableColumn(c.name, c.type, c.nullable) for c in first.columns}
    for meta in metas[1:]:
        if union_by_name:
            _widen(columns, meta)
        for key, column in columns.items():
            other = meta.find(key)
            if other is None and not union_by_name:
                names = [c.name for c in meta.columns]
                raise messages.column_missing(meta.file.path, column.name, first.file.path, names)
            if not column.nullable and (other is None or other.nullable):
                columns[key] = TableColumn(column.name, column.type, True)
    return tuple(columns.values())


def _widen(columns: dict[str, TableColumn], meta: ParquetMeta) -> None:
    for other in meta.columns:
        mine = columns.get(folded(other.name))
        if mine is None:
            columns[folded(other.name)] = TableColumn(other.name, other.type, True)
        elif mine.type != other.type:
            wider = forced_pair(mine.type, other.type)
            columns[folded(other.name)] = TableColumn(mine.name, wider, mine.nullable)
