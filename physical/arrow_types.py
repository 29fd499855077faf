"""Between SQL types and Arrow types: how batches store a type, and what Arrow users get at the result
edge.
"""

from __future__ import annotations

import pyarrow as pa

from ..planner import types as t
from ..planner.types import SQLType, TypeId

_STORAGE: dict[TypeId, pa.DataType] = {
    TypeId.NULL: pa.null(),
    TypeId.BOOLEAN: pa.bool_(),
    TypeId.TINYINT: pa.int8(),
    TypeId.SMALLINT: pa.int16(),
    TypeId.INTEGER: pa.int32(),
    TypeId.BIGINT: pa.int64(),
    TypeId.HUGEINT: pa.decimal128(38, 0),
    TypeId.UTINYINT: pa.uint8(),
    TypeId.USMALLINT: pa.uint16(),
    TypeId.UINTEGER: pa.uint32(),
    TypeId.UBIGINT: pa.uint64(),
    TypeId.FLOAT: pa.float32(),
    TypeId.DOUBLE: pa.float64(),
    TypeId.VARCHAR: pa.string(),
    TypeId.BLOB: pa.binary(),
    TypeId.DATE: pa.date32(),
    TypeId.TIME: pa.time64("us"),
    TypeId.TIMESTAMP: pa.timestamp("us"),
    TypeId.TIMESTAMP_S: pa.timestamp("s"),
    TypeId.TIMESTAMP_MS: pa.timestamp("ms"),
    TypeId.TIMESTAMP_NS: pa.timestamp("ns"),
    TypeId.TIMESTAMPTZ: pa.timestamp("us", tz="UTC"),
    TypeId.INTERVAL: pa.month_day_nano_interval(),
}


def storage_type(sql_type: SQLType) -> pa.DataType:
    """The plain CPU storage of a type: DECIMAL(p <= 18) is scaled int64, wider is decimal128(38, scale).
    Members of lists, structs and maps are stored as results have them.
    """
    if sql_type.id is TypeId.DECIMAL:
        return pa.int64() if sql_type.width <= t.INT64_DECIMAL_WIDTH else pa.decimal128(38, sql_type.scale)
    return result_type(sql_type) if sql_type.is_nested else _STORAGE[sql_type.id]


def result_type(sql_type: SQLType) -> pa.DataType:
    """The Arrow type of a result column: what DuckDB hands to Arrow, except that HUGEINT is decimal128(38,
    0).
    """
    if sql_type.id is TypeId.DECIMAL:
        return pa.decimal128(sql_type.width, sql_type.scale)
    if sql_type.id is TypeId.LIST:
        return pa.list_(result_type(sql_type.fields[0][1]))
    if sql_type.id is TypeId.STRUCT:
        return pa.struct([(name, result_type(kind)) for name, kind in sql_type.fields])
    if sql_type.id is TypeId.MAP:
        return pa.map_(*(result_type(kind) for _, kind in sql_type.fields))
    if sql_type.id is TypeId.NULL:
        return pa.int32()
    return _STORAGE[sql_type.id]


_SIMPLE: dict[pa.DataType, SQLType] = {
    pa.null(): t.NULL,
    pa.bool_(): t.BOOLEAN,
    pa.int8(): t.TINYINT,
    pa.int16(): t.SMALLINT,
    pa.int32(): t.INTEGER,
    pa.int64(): t.BIGINT,
    pa.uint8(): t.UTINYINT,
    pa.uint16(): t.USMALLINT,
    pa.uint32(): t.UINTEGER,
    pa.uint64(): t.UBIGINT,
    pa.float16(): t.FLOAT,
    pa.float32(): t.FLOAT,
    pa.float64(): t.DOUBLE,
    pa.string(): t.VARCHAR,
    pa.large_string(): t.VARCHAR,
    pa.string_view(): t.VARCHAR,
    pa.binary(): t.BLOB,
    pa.large_binary(): t.BLOB,
    pa.binary_view(): t.BLOB,
    pa.date32(): t.DATE,
    pa.date64(): t.DATE,
    pa.time32("s"): t.TIME,
    pa.time32("ms"): t.TIME,
    pa.time64("us"): t.TIME,
    pa.time64("ns"): t.TIME,
    pa.month_day_nano_interval(): t.INTERVAL,
}
_TIMESTAMPS = {"s": t.TIMESTAMP_S, "ms": t.TIMESTAMP_MS, "us": t.TIMESTAMP, "ns": t.TIMESTAMP_NS}


class UnknownArrowType(TypeError):
    """No SQL type stands for this Arrow type."""


def from_arrow(kind: pa.DataType) -> SQLType:
    """The SQL type of an Arrow type; UnknownArrowType when there is none."""
    found = _SIMPLE.get(kind)
    if found is not None:
        return found
    if pa.types.is_decimal(kind):
        if kind.precision <= t.MAX_DECIMAL_WIDTH and 0 <= kind.scale <= kind.precision:
            return t.decimal(kind.precision, kind.scale)
    elif pa.types.is_timestamp(kind):
        return t.TIMESTAMPTZ if kind.tz is not None else _TIMESTAMPS[kind.unit]
    elif pa.types.is_dictionary(kind):
        return from_arrow(kind.value_type)
    elif pa.types.is_fixed_size_binary(kind):
        return t.BLOB
    elif pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return t.list_of(from_arrow(kind.value_type))
    elif pa.types.is_struct(kind):
        return t.struct_of(*((f.name, from_arrow(f.type)) for f in kind))
    elif pa.types.is_map(kind):
        return t.map_of(from_arrow(kind.key_type), from_arrow(kind.item_type))
    raise UnknownArrowType(str(kind))
