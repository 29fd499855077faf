"""Views between arrow arrays and the numpy arrays that kernels take; copies only where the layouts differ.

What is shared: the values of fixed-width arrays (offsets included), the bytes of strings, the words of
decimal128. What is copied: bitmaps (to one byte a row: expanding one of 1M rows takes 0.05 ms, the loops
over bytes are simpler, 1.1 times as fast in a grouped sum, and vectorised where no group is involved),
booleans, 32-bit string offsets.

numba is not imported here.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

I32 = npt.NDArray[np.int32]
I64 = npt.NDArray[np.int64]
U8 = npt.NDArray[np.uint8]
U64 = npt.NDArray[np.uint64]
F64 = npt.NDArray[np.float64]
Words = npt.NDArray[np.int64]  # [n, 2]: low word's bits, high word
Valid = U8 | None

# The bytes of text that fit an array with 32-bit offsets; tests lower it.
TEXT_LIMIT = 2**31 - 1


class TextOverflow(OverflowError):
    """The strings of one array are more than it can hold, or than a batch should: fewer rows may do."""


NO_MASK: U8 = np.empty(0, dtype=np.uint8)
NO_NULLS: U64 = np.empty(0, dtype=np.uint64)


class StringViews(NamedTuple):
    """Row i is ``data[offsets[i]:offsets[i + 1]]``; offsets are absolute in ``data``."""

    offsets: I64
    data: U8


# ------------------------------------------------------------ arrow to numpy


def validity_bytes(arr: pa.Array) -> Valid:
    """One byte a row, 1 where the value is not NULL; None when no row is NULL.

    A dictionary array's row is NULL also where its dictionary's entry is.
    """
    n = len(arr)
    if pa.types.is_null(arr.type):
        return np.zeros(n, dtype=np.uint8) if n else None
    valid = None if arr.null_count == 0 else _bits(arr.buffers()[0], arr.offset, n)
    if pa.types.is_dictionary(arr.type):
        entries = validity_bytes(arr.dictionary)
        if entries is not None:
            codes = values_view(arr.indices.fill_null(0) if valid is not None else arr.indices)
            valid = and_valid(valid, entries[codes])
    return valid


def all_valid(valid: Valid, n: int) -> U8:
    """``valid``, or ``n`` ones in place of None."""
    return np.ones(n, dtype=np.uint8) if valid is None else valid


def and_valid(*valids: Valid) -> Valid:
    """Rows valid in every mask; None when no mask leaves a row out."""
    result: Valid = None
    for valid in valids:
        if valid is not None:
            result = valid if result is None else result & valid
    return result


def kernel_mask(valid: Valid) -> U8:
    """The form kernels take: an empty array says that every row counts."""
    if valid is None:
        return NO_MASK
    mask = valid.view(np.uint8) if valid.dtype == np.bool_ else valid
    assert mask.dtype == np.uint8, mask.dtype
    return np.ascontiguousarray(mask)


def values_view(arr: pa.Array) -> npt.NDArray[Any]:
    """The values of a fixed-width array in their own dtype, without a copy; what lies at NULL rows is
    arbitrary.

    Dates, times, timestamps and durations come as the integers they are stored as. Booleans and decimals have
    functions of their own.
    """
    return _fixed_width(arr, numpy_dtype(arr.type))


def numpy_dtype(type_: pa.DataType) -> np.dtype[Any]:
    """The numpy dtype of the values buffer of a fixed-width arrow type of at most 64 bits."""
    if pa.types.is_temporal(type_) and not pa.types.is_interval(type_):
        return np.dtype(f"int{type_.bit_width}")
    assert pa.types.is_integer(type_) or pa.types.is_floating(type_), type_
    return np.dtype(type_.to_pandas_dtype())


def int64_values(arr: pa.Array) -> I64:
    """Integers, booleans, dates, times and timestamps widened to int64; uint64 keeps its bits."""
    if pa.types.is_boolean(arr.type):
        return bool_bytes(arr).astype(np.int64)
    values = values_view(arr)
    assert values.dtype.kind in "iu", arr.type
    if values.dtype == np.uint64:
        return values.view(np.int64)
    return values.astype(np.int64, copy=False)


def float64_values(arr: pa.Array) -> F64:
    """Floats or integers as float64 (int64 beyond 2**53 is rounded)."""
    return values_view(arr).astype(np.float64, copy=False)


def bool_bytes(arr: pa.Array) -> U8:
    """One byte a row, 1 for true; arbitrary at NULL rows."""
    assert pa.types.is_boolean(arr.type), arr.type
    buffer = arr.buffers()[1]
    return _bits(buffer, arr.offset, len(arr)) if buffer is not None else np.zeros(len(arr), dtype=np.uint8)


def decimal_words(arr: pa.Array) -> Words:
    """decimal128 as ``int64[n, 2]``, without a copy."""
    assert pa.types.is_decimal128(arr.type), arr.type
    n, start = len(arr), arr.offset
    buffer = arr.buffers()[1]
    if n == 0 or buffer is None:
        return np.zeros((n, 2), dtype=np.int64)
    return _read_only(buffer, np.dtype(np.int64), 2 * n, 16 * start).reshape(n, 2)


def string_views(arr: pa.Array) -> StringViews:
    """Offsets (as int64) and bytes of a string, large_string, binary or large_binary array."""
    dtype = _offset_dtype(arr.type)
    n = len(arr)
    _, offsets, data = arr.buffers()
    if n == 0 or offsets is None:
        return StringViews(np.zeros(n + 1, dtype=np.int64), np.empty(0, dtype=np.uint8))
    view = _read_only(offsets, dtype, n + 1, dtype.itemsize * arr.offset)
    chars = (
        np.empty(0, dtype=np.uint8) if data is None else _read_only(data, np.dtype(np.uint8), data.size, 0)
    )
    return StringViews(view.astype(np.int64, copy=False), chars)


def text_bytes(arr: pa.Array) -> int:
    """Bytes of an array's strings, of a dictionary array's those of its entries; 0 for other types."""
    if pa.types.is_dictionary(arr.type):
        return text_bytes(arr.dictionary)
    if not is_string_like(arr.type) or len(arr) == 0:
        return 0
    dtype, buffer = _offset_dtype(arr.type), arr.buffers()[1]
    offsets = np.frombuffer(buffer, dtype, len(arr) + 1, dtype.itemsize * arr.offset)
    return int(offsets[-1]) - int(offsets[0])


def fitting(arr: Any) -> Any:
    """The array itself, with 32-bit offsets; TextOverflow when its strings do not fit such an array."""
    if isinstance(arr, pa.ChunkedArray):
        raise TextOverflow("strings of more than one array")
    if text_bytes(arr) > TEXT_LIMIT:
        raise TextOverflow(f"{text_bytes(arr)} bytes of strings do not fit one array")
    if not is_large(arr.type):
        return arr
    return arr.cast(pa.string() if pa.types.is_large_string(arr.type) else pa.binary())


def is_large(type_: pa.DataType) -> bool:
    """Whether the type is strings or binaries with 64-bit offsets."""
    return pa.types.is_large_string(type_) or pa.types.is_large_binary(type_)


def is_string_like(type_: pa.DataType) -> bool:
    """Whether ``string_views`` takes arrays of this type."""
    return pa.types.is_string(type_) or pa.types.is_binary(type_) or is_large(type_)


def _offset_dtype(type_: pa.DataType) -> np.dtype[Any]:
    assert is_string_like(type_), type_
    return np.dtype(np.int64 if is_large(type_) else np.int32)


def _fixed_width(arr: pa.Array, dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    n = len(arr)
    buffer = arr.buffers()[1]
    if n == 0 or buffer is None:
        return np.zeros(n, dtype=dtype)
    return _read_only(buffer, dtype, n, dtype.itemsize * arr.offset)


def _read_only(buffer: pa.Buffer, dtype: np.dtype[Any], count: int, offset: int) -> npt.NDArray[Any]:
    # Some arrow buffers count as mutable; the arrays over them must not change, so their views do not.
    view = np.frombuffer(buffer, dtype=dtype, count=count, offset=offset)
    view.flags.writeable = False
    return view


def _bits(buffer: pa.Buffer, offset: int, n: int) -> U8:
    if n == 0:
        return np.empty(0, dtype=np.uint8)
    first = offset // 8
    packed = np.frombuffer(buffer, dtype=np.uint8)[first : (offset + n + 7) // 8]
    skip = offset - 8 * first
    bits = np.unpackbits(packed, count=skip + n, bitorder="little")
    return bits[skip:] if skip else bits


# ------------------------------------------------------------ numpy to arrow


def mask_to_buffer(valid: Valid) -> pa.Buffer | None:
    """A byte mask as an arrow validity bitmap; None when every row is valid."""
    if valid is None or valid.all():
        return None
    return pa.py_buffer(np.packbits(valid, bitorder="little"))


def make_array(values: npt.NDArray[Any], valid: Valid, type_: pa.DataType) -> pa.Array:
    """A fixed-width array over ``values`` (shared when contiguous and of the type's width).

    Integers are cast to the type's width: the caller knows that they fit. Booleans: see ``make_bool``.
    """
    if pa.types.is_boolean(type_):
        return make_bool(values, valid)
    values = np.ascontiguousarray(values, dtype=numpy_dtype(type_))
    return pa.Array.from_buffers(type_, len(values), [mask_to_buffer(valid), pa.py_buffer(values)])


def make_bool(mask: npt.NDArray[Any], valid: Valid) -> pa.Array:
    """A boolean array, true where ``mask`` is not 0."""
    packed = np.packbits(mask, bitorder="little")
    return pa.Array.from_buffers(pa.bool_(), len(mask), [mask_to_buffer(valid), pa.py_buffer(packed)])


def make_decimal128(words: Words, valid: Valid, precision: int, scale: int) -> pa.Array:
    """A decimal128 array over ``int64[n, 2]`` words, without a copy; the caller knows that the digits fit."""
    words = np.ascontiguousarray(words, dtype=np.int64)
    assert words.ndim == 2
    assert words.shape[1] == 2
    buffers = [mask_to_buffer(valid), pa.py_buffer(words)]
    return pa.Array.from_buffers(pa.decimal128(precision, scale), len(words), buffers)


def scaled_to_decimal128(values: I64, valid: Valid, precision: int, scale: int) -> pa.Array:
    """A decimal128 array of scaled int64 values (``123`` with scale 2 is 1.23)."""
    return make_decimal128(sign_extended(values), valid, precision, scale)


def sign_extended(values: I64) -> Words:
    """int64 as 128-bit words."""
    words = np.empty((len(values), 2), dtype=np.int64)
    words[:, 0] = values
    np.right_shift(values, 63, out=words[:, 1])
    return words


def make_strings(
    offsets: I64, data: U8, valid: Valid, type_: pa.DataType | None = None, *, length: int | None = None
) -> pa.Array:
    """A string-like array over ``data``; TextOverflow where 32-bit offsets do not do."""
    type_ = pa.string() if type_ is None else type_
    n = len(offsets) - 1 if length is None else length
    dtype = _offset_dtype(type_)
    if dtype == np.int32 and n > 0 and int(offsets[n]) > TEXT_LIMIT:
        raise TextOverflow(f"{int(offsets[n])} bytes of strings do not fit one array of type {type_}")
    starts = np.ascontiguousarray(offsets[: n + 1], dtype=dtype)
    buffers = [mask_to_buffer(valid), pa.py_buffer(starts), pa.py_buffer(np.ascontiguousarray(data))]
    return pa.Array.from_buffers(type_, n, buffers)
