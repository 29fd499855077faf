"""The result edge: from batches in storage form to Arrow tables and Python rows, with the same types whatever
the data.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from ..physical.arrow_types import result_type
from ..physical.batch import Batch
from ..planner import messages_api as messages
from ..planner.types import SQLType, TypeId


def result_schema(names: Sequence[str], types: Sequence[SQLType]) -> pa.Schema:
    """The Arrow schema of a result."""
    return pa.schema([pa.field(name, result_type(kind)) for name, kind in zip(names, types, strict=True)])


def to_record_batch(batch: Batch, schema: pa.Schema) -> pa.RecordBatch:
    """A batch as Arrow users expect it: plain strings, decimals as decimal128 of the declared precision."""
    arrays = [
        to_result(array, column.type, field.type)
        for array, column, field in zip(batch.columns, batch.schema, schema, strict=True)
    ]
    if not arrays:
        return pa.RecordBatch.from_struct_array(pa.array([{}] * batch.num_rows, pa.struct([])))
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def to_result(array: pa.Array, sql_type: SQLType, wanted: pa.DataType) -> pa.Array:
    """One column in its result type."""
    if array.type == wanted:
        return array
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    if sql_type.id in (TypeId.DECIMAL, TypeId.HUGEINT) and pa.types.is_int64(array.type):
        return _decimal_from_int64(array, wanted)
    # A wide DECIMAL has its scale already; its digits were checked when the value was made.
    return array.cast(wanted)


def _decimal_from_int64(array: pa.Array, wanted: pa.DataType) -> pa.Array:
    """Scaled int64 as decimal128: sign-extended to 128 bits, no arithmetic."""
    count = len(array)
    words = np.empty((count, 2), dtype=np.int64)
    values = (
        np.frombuffer(array.buffers()[1] or b"", dtype=np.int64, count=count + array.offset)[array.offset :]
        if count
        else []
    )
    words[:, 0] = values
    words[:, 1] = words[:, 0] >> 63
    validity = None
    if array.null_count:
        validity = array.is_valid().buffers()[1]
    return pa.Array.from_buffers(wanted, count, [validity, pa.py_buffer(words)])


def to_table(batches: Iterable[Batch], schema: pa.Schema) -> pa.Table:
    """All batches as one Arrow table."""
    if not len(schema):
        return pa.table({})
    return pa.Table.from_batches([to_record_batch(b, schema) for b in batches], schema=schema)


def to_rows(batch: Batch) -> Iterator[tuple[Any, ...]]:
    """Python rows, as DB-API users expect: int, float, Decimal, str, date, datetime, time, timedelta, bytes,
    bool, None.
    """
    columns = [
        python_values(array, column.type) for array, column in zip(batch.columns, batch.schema, strict=True)
    ]
    return zip(*columns, strict=True) if columns else iter([()] * batch.num_rows)


def python_values(array: pa.Array, sql_type: SQLType) -> list[Any]:
    """The values of a column as Python objects, see `to_rows`."""
    converted = to_result(array, sql_type, result_type(sql_type))
    match sql_type.id:
        case TypeId.HUGEINT:
            return [None if v is None else int(v) for v in converted.to_pylist()]
        case TypeId.INTERVAL:
            return [None if v is None else _timedelta(v) for v in converted.to_pylist()]
        case TypeId.DATE:
            return _checked(converted, converted.to_pylist, "DATE")
        case TypeId.TIMESTAMP_NS:
            return converted.cast(pa.timestamp("us"), safe=False).to_pylist()
        case TypeId.TIMESTAMP | TypeId.TIMESTAMP_MS | TypeId.TIMESTAMP_S | TypeId.TIMESTAMPTZ:
            return _checked(converted, converted.to_pylist, str(sql_type))
        case _:
            return converted.to_pylist()


def _checked(array: pa.Array, convert: Callable[[], list[Any]], name: str) -> list[Any]:
    try:
        return convert()
    except (ValueError, OverflowError):
        raise messages.no_python_value(name) from None


def _timedelta(value: Any) -> datetime.timedelta:
    # A month counts 30 days, as DuckDB's Python client has it.
    days = value.months * 30 + value.days
    return datetime.timedelta(days=days, microseconds=value.nanoseconds // 1000)
