"""Parquet files, a row group at a time."""

from __future__ import annotations

from typing import BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from ...physical.arrow_types import result_type
from ...physical.batch import Batch
from ...physical.parquet_names import unique
from ...physical.python_values import to_result
from ...planner.copy_options import ParquetForm
from ...planner.expr import Column
from ...planner.types import SQLType, TypeId


class _Writer(pq.ParquetWriter):
    """A writer that is dropped unfinished needs no footer: its file is closed and goes."""

    def __del__(self) -> None:
        self.is_open = False


class ParquetFile:
    """Writes Parquet. Rows wait until there are enough for a row group."""

    def __init__(self, file: BinaryIO, form: ParquetForm, columns: tuple[Column, ...]) -> None:
        self.form = form
        self.columns = columns
        names = unique(column.name for column in columns)
        fields = [
            pa.field(name, _file_type(c.type), c.nullable) for name, c in zip(names, columns, strict=True)
        ]
        self.schema = pa.schema(fields)
        self.writer = _Writer(
            file,
            self.schema,
            version="1.0" if form.version == "1.0" and not _needs_two(self.schema) else "2.6",
            compression=form.codec,
            compression_level=form.level if form.codec in ("gzip", "zstd", "brotli") else None,
            store_schema=False,
        )
        self.waiting: list[pa.RecordBatch] = []
        self.rows = 0
        self.bytes = 0

    def write(self, batch: Batch) -> None:
        arrays = [
            _to_file(array, own.type, field.type)
            for array, own, field in zip(batch.columns, batch.schema, self.schema, strict=True)
        ]
        made = pa.RecordBatch.from_arrays(arrays, schema=self.schema)
        while made.num_rows:
            part = made.slice(0, self.form.group_rows - self.rows)
            made = made.slice(part.num_rows)
            self.waiting.append(part)
            self.rows += part.num_rows
            self.bytes += part.nbytes
            if self.rows >= self.form.group_rows or self.bytes >= (self.form.group_bytes or 1 << 62):
                self._flush()

    def close(self) -> None:
        if self.rows:
            self._flush()
        self.writer.close()

    def _flush(self) -> None:
        table = pa.Table.from_batches(self.waiting, schema=self.schema)
        self.writer.write_table(table, row_group_size=max(self.rows, 1))
        self.waiting.clear()
        self.rows = self.bytes = 0


def _needs_two(schema: pa.Schema) -> bool:
    """Format 1.0 has no UINT_32 and no nanoseconds."""
    return any(
        f.type == pa.uint32() or (pa.types.is_timestamp(f.type) and f.type.unit == "ns") for f in schema
    )


def _file_type(kind: SQLType) -> pa.DataType:
    """The Arrow type that is written: Parquet has no whole numbers of 128 bits and no whole seconds."""
    if kind.id is TypeId.HUGEINT:
        return pa.float64()
    if kind.id is TypeId.TIMESTAMP_S:
        return pa.timestamp("us")
    return pa.null() if kind.id is TypeId.NULL else result_type(kind)


def _to_file(array: pa.Array, kind: SQLType, wanted: pa.DataType) -> pa.Array:
    if pa.types.is_null(wanted):
        return pa.nulls(len(array))
    found = to_result(array, kind, result_type(kind))
    return found if found.type == wanted else found.cast(wanted)
