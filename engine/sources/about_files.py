"""Table functions about files: which there are, what is in them as a whole, what Parquet footers say."""

from __future__ import annotations

import glob as globs
import itertools
import os
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ...physical.arrow_types import storage_type
from ...physical.batch import Batch
from ...physical.file_tables import WholeFiles
from ...physical.parquet_meta import FileId, read_meta
from ...physical.tables import MemoryTable
from ...planner.catalog import Table, TableColumn
from ...planner.expr import Column
from ...planner.messages_query import table_function_usage
from ...planner.types import BIGINT, BLOB, BOOLEAN, TIMESTAMPTZ, UBIGINT, VARCHAR, SQLType
from .file_options import Options, listed_files
from .filesystem import file_id, is_glob

_numbers = itertools.count(1)


def glob(args: Sequence[Any], named: Mapping[str, Any]) -> Table:
    """glob(pattern or list of patterns): the files that match."""
    Options("glob", named).end()
    rows = [(path,) for pattern in _patterns("glob", args) for path in _matches(pattern)]
    return _rows("glob", (("file", VARCHAR),), rows)


def read_text(args: Sequence[Any], named: Mapping[str, Any]) -> Table:
    """read_text(pattern or list of patterns): files as texts."""
    return _whole("read_text", args, named, VARCHAR)


def read_blob(args: Sequence[Any], named: Mapping[str, Any]) -> Table:
    """read_blob(pattern or list of patterns): files as bytes."""
    return _whole("read_blob", args, named, BLOB)


def _whole(name: str, args: Sequence[Any], named: Mapping[str, Any], kind: SQLType) -> Table:
    Options(name, named).end()
    kinds = (("filename", VARCHAR), ("content", kind), ("size", BIGINT), ("last_modified", TIMESTAMPTZ))
    files = [file_id(path) for pattern in _patterns(name, args) for path in _matches(pattern)]
    return WholeFiles(name, tuple(TableColumn(n, k) for n, k in kinds), tuple(files))


def _patterns(name: str, args: Sequence[Any]) -> list[str]:
    given = args[0] if len(args) == 1 else None
    patterns = [given] if isinstance(given, str) else given
    if not isinstance(patterns, list) or not all(isinstance(p, str) for p in patterns):
        raise table_function_usage(name, f"{name}('pattern' or ['pattern', ...])")
    return patterns


def _matches(pattern: str) -> list[str]:
    """The files that a pattern stands for, those of a folder before those of its subfolders."""
    if not is_glob(pattern):
        return [pattern] if os.path.isfile(pattern) else []
    found = {p for p in globs.glob(pattern, recursive=True, include_hidden=True) if os.path.isfile(p)}
    return sorted(found, key=lambda path: (path.count(os.sep), path))


def _rows(name: str, kinds: Sequence[tuple[str, SQLType]], rows: Sequence[tuple[Any, ...]]) -> MemoryTable:
    """A table of these rows, whose values are in the form in which Arrow takes them."""
    columns = tuple(TableColumn(column, kind) for column, kind in kinds)
    schema = [Column(i, column.name, column.type) for i, column in enumerate(columns)]
    arrays = [pa.array([row[i] for row in rows], storage_type(c.type)) for i, c in enumerate(columns)]
    batches = (Batch(schema, arrays, len(rows)),) if rows else ()
    return MemoryTable(name, columns, -next(_numbers), 0, batches)  # those of a catalog are positive


def _parquet_files(name: str, args: Sequence[Any], named: Mapping[str, Any]) -> tuple[FileId, ...]:
    Options(name, named).end()
    return listed_files(name, args, (".parquet",))


_FILE = (
    ("file_name", VARCHAR), ("created_by", VARCHAR), ("num_rows", BIGINT), ("num_row_groups", BIGINT),
    ("format_version", BIGINT), ("encryption_algorithm", VARCHAR), ("footer_signing_key_metadata", VARCHAR),
    ("file_size_bytes", UBIGINT), ("footer_size", UBIGINT),
)  # fmt: skip


def parquet_file_metadata(args: Sequence[Any], named: Mapping[str, Any]) -> Table:
    """parquet_file_metadata(path): a row a file."""
    rows = []
    for file in _parquet_files("parquet_file_metadata", args, named):
        meta = read_meta(file).metadata
        version = 1 if meta.format_version == "1.0" else 2
        rows.append(
            (
                file.path, meta.created_by, meta.num_rows, meta.num_row_groups, version, None, None,
                file.size, meta.serialized_size,
            )
        )  # fmt: skip
    return _rows("parquet_file_metadata", _FILE, rows)


_CHUNK = (
    ("file_name", VARCHAR), ("row_group_id", BIGINT), ("row_group_num_rows", BIGINT),
    ("row_group_num_columns", BIGINT), ("row_group_bytes", BIGINT), ("column_id", BIGINT),
    ("file_offset", BIGINT), ("num_values", BIGINT), ("path_in_schema", VARCHAR), ("type", VARCHAR),
    ("stats_min", VARCHAR), ("stats_max", VARCHAR), ("stats_null_count", BIGINT),
    ("stats_distinct_count", BIGINT), ("stats_min_value", VARCHAR), ("stats_max_value", VARCHAR),
    ("compression", VARCHAR), ("encodings", VARCHAR), ("index_page_offset", BIGINT),
    ("dictionary_page_offset", BIGINT), ("data_page_offset", BIGINT), ("total_compressed_size", BIGINT),
    ("total_uncompressed_size", BIGINT), ("min_is_exact", BOOLEAN), ("max_is_exact", BOOLEAN),
)  # fmt: skip


def parquet_metadata(args: Sequence[Any], named: Mapping[str, Any]) -> Table:
    """parquet_metadata(path): a row a column of a row group."""
    rows = []
    for file in _parquet_files("parquet_metadata", args, named):
        meta = read_meta(file).metadata
        for number in range(meta.num_row_groups):
            group = meta.row_group(number)
            head = (file.path, number, group.num_rows, group.num_columns, group.total_byte_size)
            rows += [(*head, place, *_chunk(group.column(place))) for place in range(group.num_columns)]
    return _rows("parquet_metadata", _CHUNK, rows)


def _chunk(chunk: pq.ColumnChunkMetaData) -> tuple[Any, ...]:
    stats = chunk.statistics
    low = high = known = None
    if stats is not None and stats.has_min_max:
        low, high, known = str(stats.min), str(stats.max), True
    nulls = stats.null_count if stats is not None and stats.has_null_count else None
    return (
        chunk.file_offset, chunk.num_values, chunk.path_in_schema.replace(".", ", "), chunk.physical_type,
        low, high, nulls, None, low, high, chunk.compression, ", ".join(chunk.encodings), None,
        chunk.dictionary_page_offset if chunk.has_dictionary_page else None, chunk.data_page_offset,
        chunk.total_compressed_size, chunk.total_uncompressed_size, known, known,
    )  # fmt: skip


_SCHEMA = (
    ("file_name", VARCHAR), ("name", VARCHAR), ("type", VARCHAR), ("duckdb_type", VARCHAR),
    ("column_id", BIGINT),
)  # fmt: skip


def parquet_schema(args: Sequence[Any], named: Mapping[str, Any]) -> Table:
    """parquet_schema(path): a row a column."""
    rows = []
    for file in _parquet_files("parquet_schema", args, named):
        meta = read_meta(file)
        schema = meta.metadata.schema
        for column in meta.columns:
            leaf = schema.column(column.leaf) if column.leaf >= 0 else None
            physical = leaf.physical_type if leaf is not None else None
            rows.append((file.path, column.name, physical, str(column.type), column.place + 1))
    return _rows("parquet_schema", _SCHEMA, rows)
