"""One schema for many files."""

from __future__ import annotations

from collections.abc import Sequence

from ..planner import types as t
from ..planner.catalog import TableColumn
from ..planner.coercion import common_type
from ..planner.errors import IoError
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
                raise IoError(
                    "schema_mismatch",
                    f"'{meta.file.path}' has no column \"{name}\", which '{first.file.path}' has",
                    hint="read_parquet(..., union_by_name = true) reads files with different columns",
                )
            if other.type != column.type:
                raise IoError(
                    "schema_mismatch",
                    f"column \"{name}\" is {other.type} in '{meta.file.path}' but {column.type} in "
                    f"'{first.file.path}'",
                    hint="read_parquet(..., union_by_name = true) widens the types",
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
                raise IoError(
                    "schema_mismatch",
                    f"column \"{other.name}\" is {other.type} in '{meta.file.path}', which does not go "
                    f"together with {mine.type}",
                )
            columns[other.name] = TableColumn(mine.name, wider, True)
    for name, mine in columns.items():
        if name not in meta.by_name and not mine.nullable:
            columns[name] = TableColumn(mine.name, mine.type, True)
