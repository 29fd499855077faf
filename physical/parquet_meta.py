"""What is known of a Parquet file from its footer: schema, row groups, statistics. Cached by file
identity.
"""

from __future__ import annotations

import datetime
import decimal
import errno
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ..planner import messages_files as messages
from ..planner import types as t
from ..planner.types import SQLType
from .arrow_types import UnknownArrowType, from_arrow
from .parquet_footer import INT96_UNIT, MAGIC, parquet_image, plain_file, without_arrow_schema
from .parquet_names import folded, unique
from .stored import to_scaled

_EPOCH = datetime.date(1970, 1, 1).toordinal()
_MICROS = datetime.timedelta(microseconds=1)
# Up to this many bytes a value beside the dictionary, a string column's pages hold dictionary indices only.
_INDEX_BYTES = 2.5
# An entry takes four bytes more than its text: so many bytes a value are fewer entries than values.
_DICTIONARY_BYTES = 4
# Writers give up on a dictionary that becomes larger than this, and write what comes after it plain.
_LARGEST_DICTIONARY = 1 << 20


@dataclass(frozen=True, slots=True)
class FileId:
    """Identity of a file's contents: a changed file has another one."""

    path: str
    size: int
    mtime_ns: int


@dataclass(frozen=True)
class ColumnMeta:
    """One top-level column: its name made unique, its place in the file, its SQL type, the file's own Arrow
    type for it and its leaf index (-1 for nested columns).
    """

    name: str
    place: int
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
    """A file's footer, read and rewritten (see parquet_footer). `plain` is what to read the file with: its
    column i is called "i".
    """

    def __init__(
        self, file: FileId, metadata: pq.FileMetaData, plain: pq.ParquetFile, names: Sequence[str]
    ) -> None:
        self.file = file
        self.metadata = metadata
        self.plain: pq.FileMetaData = plain.metadata
        self.rows: int = metadata.num_rows
        self.group_rows = tuple(metadata.row_group(i).num_rows for i in range(metadata.num_row_groups))
        # As the file has them: not unique.
        self.stored_names = tuple(names)
        self.columns = self._columns(plain.schema_arrow, unique(names))
        self._by_name = {folded(c.name): c for c in self.columns}
        self._stats: dict[int, tuple[RowGroupStats, ...]] = {}

    def find(self, name: str) -> ColumnMeta | None:
        """The column of this name in any case; None when there is none."""
        return self._by_name.get(folded(name))

    def _columns(self, plain: pa.Schema, names: Sequence[str]) -> tuple[ColumnMeta, ...]:
        leaves: dict[int, list[int]] = {}
        for index in range(len(self.plain.schema)):
            leaves.setdefault(int(self.plain.schema.column(index).path.split(".")[0]), []).append(index)
        result = []
        # The writer's ARROW:schema is ignored, as DuckDB does; only decimals are typed by the original
        # footer.
        original = self.metadata.schema.to_arrow_schema()
        for place, (name, stored, read) in enumerate(zip(names, original, plain, strict=True)):
            decoded = stored.type if pa.types.is_decimal(stored.type) else read.type
            own = leaves.get(place, [])
            leaf = own[0] if len(own) == 1 and not pa.types.is_nested(decoded) else -1
            dictionary = leaf >= 0 and _is_string(decoded) and self._dictionary_pages(leaf)
            if isinstance(decoded, pa.BaseExtensionType) or pa.types.is_decimal256(decoded):
                # Of no type of ours: texts, or as DuckDB a DOUBLE. Their statistics are in another order.
                kind = _stands_for(decoded)
                result.append(ColumnMeta(name, place, kind, decoded, -1, stored.nullable, False))
                continue
            sql_type = t.TIMESTAMP if decoded == pa.timestamp("ms") else from_arrow(decoded)
            result.append(ColumnMeta(name, place, sql_type, decoded, leaf, stored.nullable, dictionary))
        return tuple(result)

    def _dictionary_pages(self, leaf: int) -> bool:
        groups = range(0, self.metadata.num_row_groups, max(1, self.metadata.num_row_groups // 4))
        return bool(groups) and all(_is_indexed(self.metadata.row_group(g).column(leaf)) for g in groups)

    def stats(self, column: ColumnMeta) -> tuple[RowGroupStats, ...]:
        """Statistics of one of its columns for every row group."""
        found = self._stats.get(column.place)
        if found is None:
            groups = range(self.metadata.num_row_groups)
            found = tuple(_chunk_stats(self.metadata.row_group(i), column) for i in groups)
            self._stats[column.place] = found
        return found


def _stands_for(kind: pa.DataType) -> SQLType:
    if isinstance(kind, pa.UuidType) or (
        isinstance(kind, pa.BaseExtensionType) and _is_string(kind.storage_type)
    ):
        return t.VARCHAR
    if pa.types.is_decimal256(kind):
        return t.DOUBLE
    raise UnknownArrowType(str(kind))


def _is_string(kind: pa.DataType) -> bool:
    return pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)


def _is_indexed(chunk: pq.ColumnChunkMetaData) -> bool:
    """Whether a chunk of strings is decoded faster as a dictionary: all values are in its dictionary page, as
    far as its sizes tell, and that is small enough for the values to come again.
    """
    values, size = chunk.num_values, chunk.total_uncompressed_size
    if not chunk.has_dictionary_page:
        return False
    if size <= _INDEX_BYTES * values + 4096:
        return True
    # Where the first data page begins the dictionary ends, compressed as the rest.
    share = (chunk.data_page_offset - chunk.dictionary_page_offset) / max(chunk.total_compressed_size, 1)
    return (
        0 < share < 1
        and size * share <= _DICTIONARY_BYTES * values
        and size <= _INDEX_BYTES * values + _LARGEST_DICTIONARY
    )


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
                return to_scaled(value, sql_type.scale)
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
    with reading(file.path), open(file.path, "rb") as handle:
        check_unchanged(file)
        footer = _footer_bytes(handle, file)
    try:
        metadata = pq.read_metadata(parquet_image(without_arrow_schema(footer)))
        return ParquetMeta(file, metadata, *plain_file(footer))
    except UnknownArrowType as error:
        raise messages.unsupported_column_type(file.path, error) from error
    except (OSError, ValueError, pa.ArrowException) as error:
        raise messages.not_parquet(file.path, f"its footer cannot be read ({_first_line(error)})") from error


def open_parquet(meta: ParquetMeta, dictionaries: Sequence[ColumnMeta] = ()) -> pq.ParquetFile:
    """The file, to be read with column names "0", "1", ... and the given columns as dictionaries. IoError
    when it is no longer the file whose footer was read.
    """
    path = meta.file.path
    with reading(path):
        source = pa.OSFile(path)
        check_unchanged(meta.file)
        return pq.ParquetFile(
            source,
            metadata=meta.plain,
            read_dictionary=[str(c.place) for c in dictionaries],
            coerce_int96_timestamp_unit=INT96_UNIT,
            pre_buffer=False,
        )


def check_unchanged(file: FileId) -> None:
    """IoError when another file is at the path by now, or the file was written to."""
    stat = os.stat(file.path)
    if (stat.st_size, stat.st_mtime_ns) != (file.size, file.mtime_ns):
        raise messages.file_changed(file.path)


@contextmanager
def reading(path: str) -> Iterator[None]:
    """Tells what goes wrong inside as one IoError that names the file."""
    try:
        yield
    except MemoryError:
        raise  # Arrow's is an ArrowException too; the file is as it should be
    except FileNotFoundError as error:
        raise messages.file_removed(path) from error
    except OSError as error:
        if error.errno == errno.ENOMEM:
            raise MemoryError from error
        if error.errno in (errno.EMFILE, errno.ENFILE):
            raise messages.too_many_open_files(path) from error
        raise messages.not_parquet(path, error.strerror or _first_line(error)) from error
    except (ValueError, pa.ArrowException) as error:
        raise messages.not_parquet(path, _first_line(error)) from error


def _first_line(error: Exception) -> str:
    lines = str(error).splitlines()
    return lines[0] if lines else type(error).__name__


def _footer_bytes(handle: Any, file: FileId) -> bytes:
    size = handle.seek(0, 2)
    if size == 0:
        raise messages.not_parquet(file.path, "the file is empty")
    if size < 12:
        raise messages.not_parquet(file.path, "too small to be a Parquet file")
    handle.seek(size - 8)
    tail = handle.read(8)
    if tail[4:] == b"PARE":
        raise messages.not_parquet(file.path, "it is encrypted, which is not supported")
    if tail[4:] != MAGIC:
        handle.seek(0)
        cut = handle.read(4) == MAGIC
        raise messages.not_parquet(file.path, "it is truncated (no footer)" if cut else "not a Parquet file")
    length = int.from_bytes(tail[:4], "little")
    if length > size - 12:
        raise messages.not_parquet(file.path, "it is truncated (the footer is longer than the file)")
    handle.seek(size - 8 - length)
    return handle.read(length)
