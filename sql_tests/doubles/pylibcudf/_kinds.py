"""A column's full type: its DataType and those of its children; and the way to Arrow and back."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pyarrow as pa

from ..errors import data_type_error, logic_error
from ..kernels import storage
from .types import ARROW, DECIMALS, DataType, TypeId


class Kind(NamedTuple):
    """The children of a list are its elements, of a struct its fields, of a dictionary its keys."""

    dtype: DataType
    children: tuple[Kind, ...] = ()


def plain(name: str, scale: int = 0) -> Kind:
    return Kind(DataType(TypeId[name], scale))


def kind_of(of: pa.DataType) -> Kind:
    """The kind that an Arrow array gets; TypeError where libcudf has none."""
    if pa.types.is_dictionary(of):
        return Kind(DataType(TypeId.DICTIONARY32), (kind_of(of.value_type),))
    try:
        found = DataType.from_arrow(of)
    except TypeError:
        raise data_type_error(f"Unsupported type in copy of Arrow data: {of}") from None
    if pa.types.is_list(of):
        return Kind(found, (kind_of(of.value_type),))
    if pa.types.is_struct(of):
        return Kind(found, tuple(kind_of(field.type) for field in of))
    return Kind(found)


def storage_type(kind: Kind) -> pa.DataType:
    """The Arrow type that the double keeps such a column in."""
    found = kind.dtype.id()
    if found is TypeId.LIST:
        return pa.list_(storage_type(kind.children[0]))
    if found is TypeId.STRUCT:
        return pa.struct([(str(i), storage_type(child)) for i, child in enumerate(kind.children)])
    if found is TypeId.DICTIONARY32:
        return pa.dictionary(pa.int32(), storage_type(kind.children[0]))
    if found is TypeId.DECIMAL128:
        return storage.INT128
    if found in (TypeId.DECIMAL32, TypeId.TIMESTAMP_DAYS, TypeId.DURATION_DAYS):
        return pa.int32()
    if found is TypeId.DECIMAL64 or found.name.startswith(("TIMESTAMP_", "DURATION_")):
        return pa.int64()
    if found is TypeId.NUM_TYPE_IDS:
        raise logic_error("Invalid type_id.")
    return ARROW[found]


def stored(array: pa.Array, kind: Kind) -> pa.Array:
    """An Arrow array as the double keeps it."""
    target = storage_type(kind)
    found = array.type
    if found == target:
        return array
    if pa.types.is_decimal(found):
        return _as_fixed(array, target)
    if pa.types.is_temporal(found):
        return array.view(target)
    if pa.types.is_large_string(found) or pa.types.is_string_view(found):
        return array.cast(pa.string())
    if pa.types.is_dictionary(found):
        keys = stored(array.dictionary, kind.children[0])
        return pa.DictionaryArray.from_arrays(array.indices.cast(pa.int32()), keys)
    keep = storage.valid(array)
    if pa.types.is_list(found):
        array = storage.compact(array)
        inner = stored(array.values, kind.children[0])
        made = pa.Array.from_buffers(
            target, len(array), [None, array.buffers()[1]], children=[inner], offset=array.offset
        )
        return storage.with_validity(made, keep)
    parts = [stored(array.field(i), child) for i, child in enumerate(kind.children)]
    made = pa.Array.from_buffers(target, len(array), [None], children=[storage.compact(p) for p in parts])
    return storage.with_validity(made, keep)


def _as_fixed(array: pa.Array, target: pa.DataType) -> pa.Array:
    """The same bytes under another type of the same width."""
    return pa.Array.from_buffers(target, len(array), array.buffers(), offset=array.offset)


def arrow(array: pa.Array, kind: Kind, precision: int | None = None) -> pa.Array:
    """A column as an Arrow array; decimals get the largest precision where none is given."""
    dtype = kind.dtype
    found = dtype.id()
    if found in DECIMALS:
        make = {9: pa.decimal32, 18: pa.decimal64, 38: pa.decimal128}[DECIMALS[found]]
        return _as_fixed(array, make(precision or DECIMALS[found], -dtype.scale()))
    if found is TypeId.DURATION_DAYS:
        raise logic_error("Unsupported type_id conversion to arrow type")
    if found is TypeId.LIST:
        array = storage.compact(array)
        inner = arrow(array.values, kind.children[0])
        made = pa.Array.from_buffers(
            pa.list_(pa.field("", inner.type)), len(array), [None, array.buffers()[1]], children=[inner]
        )
        return storage.with_validity(made, storage.valid(array))
    if found is TypeId.STRUCT:
        parts = [storage.compact(arrow(array.field(i), c)) for i, c in enumerate(kind.children)]
        target = pa.struct([pa.field("", p.type) for p in parts])
        made = pa.Array.from_buffers(target, len(array), [None], children=parts)
        return storage.with_validity(made, storage.valid(array))
    if found is TypeId.DICTIONARY32:
        return pa.DictionaryArray.from_arrays(array.indices, arrow(array.dictionary, kind.children[0]))
    return array if array.type == ARROW[found] else array.view(ARROW[found])


def nothing(kind: Kind) -> pa.Array:
    """No rows."""
    return pa.array([], storage_type(kind))


def nulls(kind: Kind, count: int) -> pa.Array:
    return pa.nulls(count, storage_type(kind))


def raw(array: pa.Array) -> np.ndarray:
    """The bytes of the values from the first row on, as libcudf lays them out: a byte a boolean."""
    kind = array.type
    if pa.types.is_boolean(kind):
        return storage.values(array).view(np.uint8)
    if pa.types.is_nested(kind) or pa.types.is_null(kind) or pa.types.is_dictionary(kind):
        return np.zeros(0, np.uint8)
    if pa.types.is_string(kind):
        array = storage.compact(array)
        return np.frombuffer(array.buffers()[2] or b"", np.uint8)
    width = kind.bit_width // 8
    data = np.frombuffer(array.buffers()[1] or b"", np.uint8)
    return data[width * array.offset : width * (array.offset + len(array))]
