"""Arrow arrays from outside in the storage of their SQL types."""

from __future__ import annotations

import pyarrow as pa

from ..physical.arrow_types import storage_type
from ..planner.types import INT64_DECIMAL_WIDTH, SQLType, TypeId
from . import compute
from .kernels import arrays


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
