"""Values of batches as people outside get them: in the Arrow type of a result, and as Python objects."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa

from ..planner import messages_api as messages
from ..planner.date_units import MICROS_DAY
from ..planner.types import SQLType, TypeId
from .arrow_types import result_type

_DAY_END = "24:00:00"


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


def python_values(array: pa.Array, sql_type: SQLType) -> list[Any]:
    """The values of a column as Python objects, as DB-API users expect: int, float, Decimal, str, date,
    datetime, time, timedelta, bytes, bool, None. The end of a day, which datetime.time cannot hold, is the
    string '24:00:00', as from DuckDB's Python client.
    """
    converted = to_result(array, sql_type, result_type(sql_type))
    if sql_type.is_nested:
        return _nested(converted, sql_type)
    match sql_type.id:
        case TypeId.HUGEINT:
            return [None if v is None else int(v) for v in converted.to_pylist()]
        case TypeId.INTERVAL:
            values = converted.to_pylist()
            return _checked(lambda: [None if v is None else _timedelta(v) for v in values], "INTERVAL")
        case TypeId.DATE:
            return _checked(converted.to_pylist, "DATE")
        case TypeId.TIME:
            return _times(converted)
        case TypeId.TIMESTAMP_NS:
            return converted.cast(pa.timestamp("us"), safe=False).to_pylist()
        case TypeId.TIMESTAMP | TypeId.TIMESTAMP_MS | TypeId.TIMESTAMP_S | TypeId.TIMESTAMPTZ:
            return _checked(converted.to_pylist, str(sql_type))
        case _:
            return converted.to_pylist()


def _nested(array: pa.Array, sql_type: SQLType) -> list[Any]:
    """Lists as lists, structs as dicts by name (tuples where the fields have none), maps as dicts."""
    valid = array.is_valid().to_pylist()
    if sql_type.is_struct:
        names = [name for name, _ in sql_type.fields]
        columns = [python_values(array.field(i), kind) for i, (_, kind) in enumerate(sql_type.fields)]
        rows = zip(*columns, strict=True) if columns else [() for _ in valid]
        if sql_type.is_tuple or not columns:
            return [row if ok else None for row, ok in zip(rows, valid, strict=True)]
        return [
            dict(zip(names, row, strict=True)) if ok else None for row, ok in zip(rows, valid, strict=True)
        ]
    offsets = array.offsets.to_pylist()
    first, last = (offsets[0], offsets[-1]) if offsets else (0, 0)
    if sql_type.is_map:
        entries = array.values.slice(first, last - first)
        (_, key), (_, value) = sql_type.fields
        keys, values = python_values(entries.field(0), key), python_values(entries.field(1), value)
        return [
            _map(keys[a - first : b - first], values[a - first : b - first]) if ok else None
            for a, b, ok in zip(offsets, offsets[1:], valid, strict=False)
        ]
    items = python_values(array.values.slice(first, last - first), sql_type.element)
    return [
        items[a - first : b - first] if ok else None
        for a, b, ok in zip(offsets, offsets[1:], valid, strict=False)
    ]


def _map(keys: list[Any], values: list[Any]) -> dict[Any, Any]:
    """A dict; of keys that Python cannot hash, lists of keys and values under their names, as from DuckDB."""
    try:
        return dict(zip(keys, values, strict=True))
    except TypeError:
        return {"key": keys, "value": values}


def _checked(convert: Callable[[], list[Any]], name: str) -> list[Any]:
    try:
        return convert()
    except (ValueError, OverflowError):
        raise messages.no_python_value(name) from None


def _times(array: pa.Array) -> list[datetime.time | str | None]:
    # Arrow hands out 24:00:00 as 00:00:00.
    ends = array.cast(pa.int64()).to_pylist()
    return [_DAY_END if end == MICROS_DAY else v for v, end in zip(array.to_pylist(), ends, strict=True)]


def _timedelta(value: Any) -> datetime.timedelta:
    # A month counts 30 days, as DuckDB's Python client has it.
    days = value.months * 30 + value.days
    return datetime.timedelta(days=days, microseconds=value.nanoseconds // 1000)
