"""Tables over Parquet files, with the columns that their folders and names stand for."""

from __future__ import annotations

from collections.abc import Sequence

from ...physical.parquet_meta import FileId
from ...physical.tables import ParquetTable, parquet_table
from .file_options import FileOptions, file_columns


def parquet_source(name: str, files: Sequence[FileId], options: FileOptions, below: str = "") -> ParquetTable:
    """The table over files. IoError names the first that does not fit and how."""
    table = parquet_table(name, tuple(files), union_by_name=options.union_by_name)
    extra = file_columns(files, options, (c.name for c in table.columns), below)
    return table.with_file_columns([(c.name, c.type, c.values) for c in extra]) if extra else table
