"""Decoded Parquet columns to the storage of their SQL types."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyarrow as pa

from ...physical.arrow_types import storage_type
from ...physical.batch import Batch
from ...physical.parquet_meta import ColumnMeta
from ...planner import messages_files as messages
from ...planner.coercion import can_cast
from ...planner.errors import SqlError
from ...planner.expr import Cast, Column, ref
from ...planner.types import SQLType, TypeId
from .. import compute
from ..arrow_storage import to_storage
from ..expressions import compile_expression
from .csv_values import with_validity

Convert = Callable[[pa.Array], pa.Array]
_MICROSECONDS = (TypeId.TIME, TypeId.TIMESTAMPTZ)


def converter(column: ColumnMeta, wanted: SQLType, path: str) -> Convert:
    """From what pyarrow decodes for a column of the file at `path` (under the plain footer) to the storage of
    `wanted`, to which the column's values are cast.
    """

    nanoseconds = column.type.id in _MICROSECONDS and getattr(column.arrow, "unit", "us") == "ns"

    def convert(array: pa.Array) -> pa.Array:
        if isinstance(array, pa.ExtensionArray):
            array = _without_extension(array)
        if nanoseconds:
            return recast_finer(array, column, wanted, path)
        array = to_storage(array, column.type)
        return array if wanted == column.type else recast(array, column, wanted, path)

    return convert


_HEX = np.frombuffer(b"".join(b"%02x" % byte for byte in range(256)), np.uint8).reshape(256, 2)
# Where the 32 digits of a UUID stand in its 36 characters.
_DIGITS = np.flatnonzero([character == "x" for character in "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"])


def _without_extension(array: pa.ExtensionArray) -> pa.Array:
    """UUIDs as their texts; other extensions as what they are stored as."""
    stored = array.storage
    if not isinstance(array.type, pa.UuidType):
        return stored
    count = len(stored)
    stored = compute.fill_null(stored, bytes(16)) if stored.null_count else stored
    data = np.frombuffer(stored.buffers()[1] or b"", np.uint8)
    data = data[16 * stored.offset : 16 * (stored.offset + count)].reshape(count, 16)
    texts = np.full((count, 36), ord("-"), np.uint8)
    texts[:, _DIGITS] = _HEX[data].reshape(count, 32)
    offsets = np.arange(0, 36 * (count + 1), 36, dtype=np.int32)
    made = pa.StringArray.from_buffers(count, pa.py_buffer(offsets), pa.py_buffer(texts))
    valid = array.is_valid().to_numpy(zero_copy_only=False)
    return made if valid.all() else with_validity(made, valid)


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
    if not can_cast(own, wanted) or own.is_nested != wanted.is_nested:
        raise messages.column_not_cast(path, column.name, own, wanted, "there is no such cast")
    value = Column(0, column.name, own)
    cast = compile_expression(Cast(wanted, ref(value)))
    try:
        return cast(Batch((value,), [array], len(array))).to_array(len(array))
    except SqlError as error:
        raise messages.column_not_cast(path, column.name, own, wanted, error.message) from error
