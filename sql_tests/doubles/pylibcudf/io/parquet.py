"""Parquet files read onto the device."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from typing import Any

from ...arguments import check, library, resource, taking_from, wrong
from ...device import device
from ...errors import expects, logic_error, overflow_error
from ...kernels import storage
from .._kinds import Kind
from ..column import made
from ..expressions import Expression
from ..table import Table
from ..types import TypeId
from ._parquet_files import Selection, batches
from .types import CompressionType, SourceInfo, TableWithMetadata


class ParquetReaderOptions:
    """What to read of which files."""

    def __init__(self) -> None:
        raise ValueError("ParquetReaderOptions should be made by its builder")

    _selection: Selection

    @staticmethod
    def builder(source: SourceInfo) -> ParquetReaderOptionsBuilder:
        check("source", SourceInfo, source)
        made = ParquetReaderOptionsBuilder.__new__(ParquetReaderOptionsBuilder)
        made._selection = Selection(source._sources)
        return made

    def set_row_groups(self, row_groups: list[list[int]]) -> None:
        """Row groups of each file, read in the order given."""
        check("row_groups", list[list[int]], row_groups)
        self._selection.row_groups = [list(group) for group in row_groups]

    def set_num_rows(self, nrows: int) -> None:
        check("nrows", int, nrows)
        self._selection.rows = nrows

    def set_skip_rows(self, skip_rows: int) -> None:
        check("skip_rows", int, skip_rows)
        self._selection.skip = skip_rows

    def set_column_names(self, col_names: list[str]) -> None:
        check("col_names", list[str], col_names)
        self._selection.names, self._selection.indices = list(col_names), None

    def set_column_indices(self, col_indices: list[int]) -> None:
        check("col_indices", list[int], col_indices)
        self._selection.indices, self._selection.names = list(col_indices), None

    def set_filter(self, filter: Expression) -> None:
        """Only rows for which the expression is true: columns by name, or by place among those read."""
        check("filter", Expression, filter)
        self._selection.filter = weakref.ref(filter)

    def set_source(self, src: SourceInfo) -> None:
        check("src", SourceInfo, src)
        self._selection.sources = src._sources

    def enable_case_sensitive_names(self, val: bool) -> None:
        check("val", bool, val)
        self._selection.case_sensitive = val

    def is_enabled_case_sensitive_names(self) -> bool:
        return self._selection.case_sensitive


class ParquetReaderOptionsBuilder:
    """Options that are set one after another, then built."""

    def __init__(self) -> None:
        raise ValueError("use ParquetReaderOptions.builder")

    _selection: Selection

    def column_names(self, col_names: list[str]) -> ParquetReaderOptionsBuilder:
        check("col_names", list[str], col_names)
        self._selection.names = list(col_names)
        return self

    def column_indices(self, col_indices: list[int]) -> ParquetReaderOptionsBuilder:
        check("col_indices", list[int], col_indices)
        self._selection.indices = list(col_indices)
        return self

    def decimal_width(self, width: TypeId) -> ParquetReaderOptionsBuilder:
        """The type that all decimals are cast to."""
        check("width", TypeId, width)
        known = width in (TypeId.DECIMAL32, TypeId.DECIMAL64, TypeId.DECIMAL128)
        expects(known, logic_error("Only decimal types are allowed"))
        self._selection.decimal = width
        return self

    def use_pandas_metadata(self, val: bool) -> ParquetReaderOptionsBuilder:
        check("val", bool, val)
        return self

    def use_arrow_schema(self, val: bool) -> ParquetReaderOptionsBuilder:
        """Whether the writer's Arrow schema says what durations are: without it they are integers."""
        check("val", bool, val)
        self._selection.arrow_schema = val
        return self

    def ignore_missing_columns(self, val: bool) -> ParquetReaderOptionsBuilder:
        check("val", bool, val)
        self._selection.ignore_missing = val
        return self

    def allow_mismatched_pq_schemas(self, val: bool) -> ParquetReaderOptionsBuilder:
        check("val", bool, val)
        return self

    def convert_strings_to_categories(self, val: bool) -> ParquetReaderOptionsBuilder:
        check("val", bool, val)
        expects(not val, logic_error("the double reads no categories"))
        return self

    def case_sensitive_names(self, val: bool) -> ParquetReaderOptionsBuilder:
        check("val", bool, val)
        self._selection.case_sensitive = val
        return self

    def use_jit_filter(self, use_jit_filter: bool) -> ParquetReaderOptionsBuilder:
        check("use_jit_filter", bool, use_jit_filter)
        return self

    def filter(self, filter: Expression) -> ParquetReaderOptionsBuilder:
        check("filter", Expression, filter)
        self._selection.filter = weakref.ref(filter)
        return self

    def build(self) -> ParquetReaderOptions:
        made = ParquetReaderOptions.__new__(ParquetReaderOptions)
        made._selection = self._selection
        return made


def _table(found: list[tuple[Kind, Any]], rows: int) -> Table:
    expects(rows <= device.row_limit, overflow_error("Total number of rows exceeds the column size limit"))
    return Table([made(kind, array) for kind, array in found], rows)


@library
def read_parquet(
    options: ParquetReaderOptions, stream: Any = None, mr: Any = None, parquet_metadatas: Any = None
) -> TableWithMetadata:
    """All that the options choose, as one table."""
    names, kinds, parts = batches(options._selection)
    whole = [(kind, storage.concatenate([part[i] for part in parts])) for i, kind in enumerate(kinds)]
    rows = len(whole[0][1]) if whole else 0
    return TableWithMetadata(_table(whole, rows), names)


class ChunkedParquetReader:
    """The same table piece by piece, each of about `chunk_read_limit` bytes; 0 is no limit."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(
        self,
        options: ParquetReaderOptions,
        stream: Any = None,
        mr: Any = None,
        chunk_read_limit: int = 0,
        pass_read_limit: int = 1024000000,
        parquet_metadatas: Any = None,
    ) -> None:
        check("options", ParquetReaderOptions, options)
        for name, limit in (("chunk_read_limit", chunk_read_limit), ("pass_read_limit", pass_read_limit)):
            if not isinstance(limit, int):
                raise wrong(name, "int", limit)
        device.called("io.parquet.ChunkedParquetReader")
        with taking_from(mr):
            self._mr = resource()
        self._selection = options._selection
        self._names, self._kinds, parts = batches(options._selection)
        self._chunks = self._cut(parts, chunk_read_limit)
        self._next: list[Any] | None = next(self._chunks, None)
        self._first = True

    def _cut(self, parts: list[list[Any]], limit: int) -> Iterator[list[Any]]:
        """Pieces of whole rows: at least one row, whatever its size."""
        if not limit:
            yield [storage.concatenate([part[i] for part in parts]) for i in range(len(self._kinds))]
            return
        for part in parts:
            rows = len(part[0]) if part else 0
            size = sum(storage.data_bytes(column) + storage.mask_bytes(column) for column in part)
            step = max(int(rows * limit / size), 1) if size > limit else max(rows, 1)
            # What a filter leaves nothing of is a piece all the same.
            for begin in range(0, max(rows, 1), step):
                yield [column[begin : begin + step] for column in part]

    def has_next(self) -> bool:
        """Whether there is more; of no rows at all there is one piece. The device decodes for the answer."""
        device.called("io.parquet.ChunkedParquetReader.has_next")
        self._selection.tree()
        return self._next is not None or self._first

    def read_chunk(self, mr: Any = None) -> TableWithMetadata:
        device.called("io.parquet.ChunkedParquetReader.read_chunk")
        self._selection.tree()
        found = self._next
        if found is None:
            from .._kinds import nothing

            found = [nothing(kind) for kind in self._kinds]
        self._first = False
        with taking_from(self._mr):
            rows = len(found[0]) if found else 0
            table = _table(list(zip(self._kinds, found, strict=True)), rows)
        self._next = next(self._chunks, None)
        return TableWithMetadata(table, self._names)


def is_supported_read_parquet(compression: CompressionType) -> bool:
    check("compression", CompressionType, compression)
    return compression.name in ("AUTO", "NONE", "SNAPPY", "GZIP", "BROTLI", "ZSTD", "LZ4")
