"""How the doubles keep columns: pyarrow arrays whose types say no more than libcudf's memory does.

Dates, times and 32 and 64-bit decimals are plain integers, decimal128 has scale 0, booleans and strings are
Arrow's own, lists and structs are made of these. What an integer means is in the column's DataType.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from . import i128
from .i128 import I128

INT128 = pa.decimal128(38, 0)
NUMPY_TYPES: dict[pa.DataType, np.dtype[Any]] = {
    pa.int8(): np.dtype(np.int8),
    pa.int16(): np.dtype(np.int16),
    pa.int32(): np.dtype(np.int32),
    pa.int64(): np.dtype(np.int64),
    pa.uint8(): np.dtype(np.uint8),
    pa.uint16(): np.dtype(np.uint16),
    pa.uint32(): np.dtype(np.uint32),
    pa.uint64(): np.dtype(np.uint64),
    pa.float32(): np.dtype(np.float32),
    pa.float64(): np.dtype(np.float64),
    pa.bool_(): np.dtype(np.bool_),
}
ARROW_TYPES = {numpy_type: arrow for arrow, numpy_type in NUMPY_TYPES.items()}


def values(array: pa.Array) -> Any:
    """The values of a column of fixed width, as numpy array or I128; those of NULLs are unspecified."""
    kind = array.type
    if pa.types.is_decimal128(kind):
        return i128.of_array(array)
    data = array.buffers()[1]
    if pa.types.is_boolean(kind):
        if data is None:
            return np.zeros(len(array), np.bool_)
        bits = np.unpackbits(np.frombuffer(data, np.uint8), bitorder="little")
        return bits[array.offset : array.offset + len(array)].astype(np.bool_)
    found = NUMPY_TYPES[kind]
    if data is None or not len(array):
        return np.zeros(len(array), found)
    return np.frombuffer(data, found, count=len(array), offset=found.itemsize * array.offset)


def valid(array: pa.Array) -> np.ndarray | None:
    """Which rows are not NULL; None where all are."""
    if not array.null_count:
        return None
    if pa.types.is_null(array.type):
        return np.zeros(len(array), np.bool_)
    bits = np.unpackbits(np.frombuffer(array.buffers()[0], np.uint8), bitorder="little")
    return bits[array.offset : array.offset + len(array)].astype(np.bool_)


def validity(array: pa.Array) -> np.ndarray:
    """Which rows are not NULL."""
    found = valid(array)
    return np.ones(len(array), np.bool_) if found is None else found


def both(a: np.ndarray | None, b: np.ndarray | None) -> np.ndarray | None:
    """Where both are valid."""
    return b if a is None else a if b is None else a & b


def build(found: Any, keep: np.ndarray | None = None) -> pa.Array:
    """An array of numpy values or an I128, NULL where `keep` is false."""
    mask = None if keep is None or bool(keep.all()) else pa.py_buffer(np.packbits(keep, bitorder="little"))
    if isinstance(found, I128):
        return pa.Array.from_buffers(INT128, len(found), [mask, i128.to_buffer(found)])
    found = np.ascontiguousarray(found)
    if found.dtype == np.bool_:
        data = pa.py_buffer(np.packbits(found, bitorder="little"))
        return pa.Array.from_buffers(pa.bool_(), len(found), [mask, data])
    return pa.Array.from_buffers(ARROW_TYPES[found.dtype], len(found), [mask, pa.py_buffer(found)])


def with_validity(array: pa.Array, keep: np.ndarray | None) -> pa.Array:
    """The same values with other NULLs."""
    if keep is None and not array.null_count:
        return array
    array = compact(array)
    mask = None if keep is None or bool(keep.all()) else pa.py_buffer(np.packbits(keep, bitorder="little"))
    buffers = array.buffers()
    if pa.types.is_list(array.type):
        return pa.Array.from_buffers(array.type, len(array), [mask, buffers[1]], children=[array.values])
    if pa.types.is_struct(array.type):
        children = [array.field(i) for i in range(array.type.num_fields)]
        return pa.Array.from_buffers(array.type, len(array), [mask], children=children)
    return pa.Array.from_buffers(array.type, len(array), [mask, *buffers[1:]])


def remasked(array: pa.Array, keep: np.ndarray | None) -> pa.Array:
    """The same memory with other NULLs, and the same offset into it."""
    if not array.offset or pa.types.is_nested(array.type) or pa.types.is_dictionary(array.type):
        return with_validity(array, keep)
    bits = None
    if keep is not None and not keep.all():
        bits = pa.py_buffer(np.packbits(np.append(np.ones(array.offset, np.bool_), keep), bitorder="little"))
    return pa.Array.from_buffers(array.type, len(array), [bits, *array.buffers()[1:]], offset=array.offset)


def from_the_start(array: pa.Array) -> pa.Array:
    """The same memory from its first value on."""
    kind = array.type
    if not array.offset or pa.types.is_nested(kind) or pa.types.is_null(kind) or pa.types.is_dictionary(kind):
        return array
    return pa.Array.from_buffers(kind, array.offset + len(array), [None, *array.buffers()[1:]])


def poisoned(array: pa.Array) -> pa.Array:
    """The same rows with odd values under the NULLs, where nothing may look."""
    keep = valid(array)
    kind = array.type
    plain = kind in NUMPY_TYPES or pa.types.is_decimal128(kind)
    if keep is None or not plain:
        return array
    found = values(array)
    if isinstance(found, I128):
        return build(i128.where(keep, found, i128.of_ints([-(10**37) - 7] * len(array))), keep)
    odd = np.full(len(array), 0x5A, np.uint8).astype(found.dtype)
    return build(np.where(keep, found, odd), keep)


def compact(array: pa.Array) -> pa.Array:
    """The same rows with an offset of 0."""
    if array.offset == 0:
        return array
    return array.take(pa.array(np.arange(len(array)), pa.int64()))


def take(array: pa.Array, at: np.ndarray, keep: np.ndarray | None = None) -> pa.Array:
    """The rows at some places, NULL where `keep` is false (the place is then ignored)."""
    if keep is not None:
        return array.take(pa.array(np.where(keep, at, 0), pa.int64(), mask=~keep))
    return array.take(pa.array(at, pa.int64()))


def concatenate(arrays: list[pa.Array]) -> pa.Array:
    return pa.concat_arrays(arrays)


def data_bytes(array: pa.Array) -> int:
    """Bytes of a column's values and of its children, without its own NULL mask."""
    kind, count = array.type, len(array)
    if pa.types.is_boolean(kind):
        return count
    if pa.types.is_string(kind) or pa.types.is_binary(kind):
        ends = np.frombuffer(array.buffers()[1] or b"\0\0\0\0", np.int32)
        first, last = array.offset, array.offset + count
        characters = int(ends[last] - ends[first]) if count else 0
        return characters + (4 * (count + 1) if count else 0)
    if pa.types.is_list(kind):
        inner = array.flatten() if count else array.values[:0]
        return 4 * (count + 1) + data_bytes(inner) + mask_bytes(inner)
    if pa.types.is_struct(kind):
        parts = [array.field(i) for i in range(kind.num_fields)]
        return sum(data_bytes(part) + mask_bytes(part) for part in parts)
    if pa.types.is_dictionary(kind):
        return data_bytes(array.indices) + data_bytes(array.dictionary) + mask_bytes(array.dictionary)
    if pa.types.is_null(kind):
        return 0
    return count * kind.bit_width // 8


def mask_bytes(array: pa.Array) -> int:
    """Bytes of a NULL mask: none without a NULL, else whole blocks of 64 bytes."""
    return bitmask_bytes(len(array)) if array.null_count else 0


def bitmask_bytes(rows: int) -> int:
    """
    >>> bitmask_bytes(1), bitmask_bytes(513), bitmask_bytes(0)
    (64, 128, 0)
    """
    return -(-rows // 512) * 64


def repeated(row: pa.Array, count: int) -> pa.Array:
    """An array of one row, several times."""
    return row.take(pa.array(np.zeros(count, np.int64)))
