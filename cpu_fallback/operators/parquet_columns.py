"""Decoded Parquet columns to the storage of their SQL types."""

from __future__ import annotations

from collections.abc import Callable

import pyarrow as pa

from ...physical.arrow_types import storage_type
from ...physical.batch import Batch
from ...physical.parquet_meta import ColumnMeta
from ...planner import messages_files as messages
from ...planner.coercion import can_cast
from ...planner.errors import SqlError
from ...planner.expr import Cast, Column, ref
from ...planner.types import INT64_DECIMAL_WIDTH, SQLType, TypeId
from .. import compute
from ..expressions import compile_expression
from ..kernels import arrays

Convert = Callable[[pa.Array], pa.Array]
_MICROSECONDS = (TypeId.TIME, TypeId.TIMESTAMPTZ)


def converter(column: ColumnMeta, wanted: SQLType, path: str) -> Convert:
    """From what pyarrow decodes for a column of the file at `path` (under the plain footer) to the storage of
    `wanted`, to which the column's values are cast.
    """

    nanoseconds = column.type.id in _MICROSECONDS and getattr(column.arrow, "unit", "us") == "ns"

    def convert(array: pa.Array) -> pa.Array:
        if nanoseconds:
            return recast_finer(array, column, wanted, path)
        array = to_storage(array, column.type)
        return array if wanted == column.type else recast(array, column, wanted, path)

    return convert


def validate(column: pa.ChunkedArray) -> None:
    """ArrowInvalid when text is not UTF-8, which decoding does not look at; numbers need no look, and of
    dictionaries the values do.
    """
    if pa.types.is_dictionary(column.type):
        for chunk in column.chunks:
            chunk.dictionary.validate(full=True)
    elif pa.types.is_string(column.type) or pa.types.is_nested(column.type):
        for chunk in column.chunks:
            chunk.validate(full=True)


def to_storage(array: pa.Array, sql_type: SQLType) -> pa.Array:
    """An array of any Arrow type that `from_arrow` maps to `sql_type`, in the type's storage."""
    kind = array.type
    if sql_type.id is TypeId.DECIMAL:
        if pa.types.is_int64(kind):
            return array
        if pa.types.is_int32(kind):
            return compute.cast(array, pa.int64())
        if sql_type.width <= INT64_DECIMAL_WIDTH:
            return unscaled(compute.cast(array, pa.decimal128(38, sql_type.scale)))
        return compute.cast(array, pa.decimal128(38, sql_type.scale))
    if pa.types.is_dictionary(kind):
        plain = pa.dictionary(pa.int32(), pa.string())
        if kind == plain or not sql_type.is_string:
            return array if kind == plain else to_storage(array.dictionary_decode(), sql_type)
        return compute.cast(array, plain)
    stored = storage_type(sql_type)
    return array if kind == stored else compute.cast(array, stored)


def unscaled(array: pa.Array) -> pa.Array:
    """decimal128 values that fit as scaled int64: the low words (every second int64 of the values buffer)."""
    words = arrays.decimal_words(array)
    return arrays.make_array(words[:, 0].copy(), arrays.validity_bytes(array), pa.int64())


def recast_finer(array: pa.Array, column: ColumnMeta, wanted: SQLType, path: str) -> pa.Array:
    """A column that its file stores in nanoseconds and whose SQL type counts microseconds: values that have
    parts of a microsecond are refused, never cut.
    """
    try:
        array = compute.cast(array, storage_type(column.type))
    except pa.ArrowInvalid:
        raise messages.nanoseconds(path, column.name, column.type) from None
    return array if wanted == column.type else recast(array, column, wanted, path)


def recast(array: pa.Array, column: ColumnMeta, wanted: SQLType, path: str) -> pa.Array:
    """A column cast to the type it has in other files of its table; the error of a value that has no such
    form names the file.
    """
    own = column.type
    if own.id is TypeId.NULL:
        return pa.nulls(len(array), storage_type(wanted))
    if not can_cast(own, wanted):
        raise messages.column_not_cast(path, column.name, own, wanted, "there is no such cast")
    value = Column(0, column.name, own)
    cast = compile_expression(Cast(wanted, ref(value)))
    try:
        return cast(Batch((value,), [array], len(array))).to_array(len(array))
    except SqlError as error:
        raise messages.column_not_cast(path, column.name, own, wanted, error.message) from error
