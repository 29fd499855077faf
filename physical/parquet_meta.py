"""What is known of a Parquet file from its footer: schema, row groups, statistics. Cached by file
identity.
"""

from __future__ import annotations

import datetime
import decimal
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ..planner import types as t
from ..planner.messages_files import not_parquet
from ..planner.types import SQLType
from .arrow_types import from_arrow
from .parquet_footer import MAGIC, FooterError, plain_metadata

_EPOCH = datetime.date(1970, 1, 1).toordinal()
_MICROS = datetime.timedelta(microseconds=1)
# Below this many bytes a value in every sampled chunk, a string column's pages hold dictionary indices only.
_DICTIONARY_BYTES = 2.5


@dataclass(frozen=True, slots=True)
class FileId:
    """Identity of a file's contents: a changed file has another one."""

    path: str
    size: int
    mtime_ns: int


@dataclass(frozen=True)
class ColumnMeta:
    """One top-level column: its SQL type, the file's own Arrow type for it and its leaf index (-1 for nested
    columns).
    """

    name: str
    type: SQLType
    arrow: pa.DataType
    leaf: int
    nullable: bool
    dictionary: bool


@dataclass(frozen=True)
class RowGroupStats:
    """Bounds of a column in a row group in literal form; None where unknown. Bounds of floats never speak of
    NaN.
    """

    low: Any
    high: Any
    nulls: int | None


class ParquetMeta:
    """A file's footer, read and rewritten (see parquet_footer)."""

    def __init__(self, file: FileId, metadata: pq.FileMetaData, plain: pq.FileMetaData) -> None:
        self.file = file
        self.metadata = metadata
        self.plain = plain
        self.rows: int = metadata.num_rows
        self.group_rows = tuple(metadata.row_group(i).num_rows for i in range(metadata.num_row_groups))
        self.columns = self._columns()
        self.by_name = {c.name: c for c in self.columns}
        self._stats: dict[str, tuple[RowGroupStats, ...]] = {}

    def _columns(self) -> tuple[ColumnMeta, ...]:
        schema = self.metadata.schema
        leaves: dict[str, list[int]] = {}
        for index in range(len(schema)):
            leaves.setdefault(schema.column(index).path.split(".")[0], []).append(index)
        result = []
        # The writer's ARROW:schema is ignored, as DuckDB does; only decimals are typed by the original
        # footer.
        plain = {f.name: f.type for f in self.plain.schema.to_arrow_schema()}
        for stored in schema.to_arrow_schema():
            decoded = stored.type if pa.types.is_decimal(stored.type) else plain[stored.name]
            own = leaves.get(stored.name, [])
            leaf = own[0] if len(own) == 1 and not pa.types.is_nested(decoded) else -1
            dictionary = leaf >= 0 and _is_string(decoded) and self._dictionary_pages(leaf)
            sql_type = t.TIMESTAMP if decoded == pa.timestamp("ms") else from_arrow(decoded)
            result.append(ColumnMeta(stored.name, sql_type, decoded, leaf, stored.nullable, dictionary))
        return tuple(result)

    def _dictionary_pages(self, leaf: int) -> bool:
        groups = range(0, self.metadata.num_row_groups, max(1, self.metadata.num_row_groups // 4))
        for group in groups:
            chunk = self.metadata.row_group(group).column(leaf)
            if not chunk.has_dictionary_page:
                return False
            if (
                chunk.num_values
                and chunk.total_uncompressed_size > _DICTIONARY_BYTES * chunk.num_values + 4096
            ):
                return False
        return bool(self.metadata.num_row_groups)

    def stats(self, name: str) -> tuple[RowGroupStats, ...]:
        """Statistics of a column for every row group."""
        found = self._stats.get(name)
        if found is None:
            column = self.by_name[name]
            found = tuple(
                _chunk_stats(self.metadata.row_group(i), column) for i in range(self.metadata.num_row_groups)
            )
            self._stats[name] = found
        return found


def _is_string(kind: pa.DataType) -> bool:
    return pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)


def _chunk_stats(group: pq.RowGroupMetaData, column: ColumnMeta) -> RowGroupStats:
    unknown = RowGroupStats(None, None, None)
    if column.leaf < 0:
        return unknown
    try:
        stats = group.column(column.leaf).statistics
        if stats is None:
            return unknown
        nulls = stats.null_count if stats.has_null_count else None
        if not stats.has_min_max:
            return RowGroupStats(None, None, nulls)
        return RowGroupStats(literal(stats.min, column.type), literal(stats.max, column.type), nulls)
    except (ValueError, OverflowError, pa.ArrowException, NotImplementedError):
        # Writers exist whose statistics pyarrow cannot decode for the annotated type; such a chunk has no
        # statistics.
        return unknown


def literal(value: Any, sql_type: SQLType) -> Any:
    """A statistics value in the literal form of its SQL type (types.TYPES); None when it has none we
    can use.
    """
    if value is None:
        return None
    match sql_type.id:
        case t.TypeId.DECIMAL:
            if isinstance(value, decimal.Decimal):
                return int(value.scaleb(sql_type.scale, decimal.Context(prec=60)))
            return value if isinstance(value, int) else None
        case t.TypeId.DATE:
            return value.toordinal() - _EPOCH if isinstance(value, datetime.date) else value
        case t.TypeId.TIMESTAMP | t.TypeId.TIMESTAMPTZ:
            if isinstance(value, datetime.datetime):
                return (value.replace(tzinfo=None) - datetime.datetime(1970, 1, 1)) // _MICROS
            return None
        case t.TypeId.VARCHAR:
            return value if isinstance(value, str) else None
        case t.TypeId.FLOAT | t.TypeId.DOUBLE:
            return None if value != value else float(value)
        case t.TypeId.BOOLEAN:
            return bool(value)
        case _ if sql_type.is_integer:
            return int(value) if isinstance(value, int) else None
    return None


@lru_cache(maxsize=4096)
def read_meta(file: FileId) -> ParquetMeta:
    """Reads a file's footer; IoError names the file when it is no whole Parquet file."""
    try:
        with open(file.path, "rb") as handle:
            footer = _footer_bytes(handle, file)
        image = MAGIC + footer + len(footer).to_bytes(4, "little") + MAGIC
        metadata = pq.read_metadata(pa.BufferReader(image))
        return ParquetMeta(file, metadata, plain_metadata(footer))
    except OSError as error:
        raise not_parquet(file.path, error.strerror or str(error)) from error
    except (FooterError, pa.ArrowException) as error:
        raise not_parquet(file.path, f"its footer cannot be read ({str(error).splitlines()[0]})") from error


def _footer_bytes(handle: Any, file: FileId) -> bytes:
    size = handle.seek(0, 2)
    if size == 0:
        raise not_parquet(file.path, "the file is empty")
    if size < 12:
        raise not_parquet(file.path, "too small to be a Parquet file")
    handle.seek(size - 8)
    tail = handle.read(8)
    if tail[4:] == b"PARE":
        raise not_parquet(file.path, "it is encrypted, which is not supported")
    if tail[4:] != MAGIC:
        handle.seek(0)
        cut = handle.read(4) == MAGIC
        raise not_parquet(file.path, "it is truncated (no footer)" if cut else "not a Parquet file")
    length = int.from_bytes(tail[:4], "little")
    if length > size - 12:
        raise not_parquet(file.path, "it is truncated (the footer is longer than the file)")
    handle.seek(size - 8 - length)
    return handle.read(length)
