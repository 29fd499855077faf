"""LIST, STRUCT and MAP values as bytes that are equal and ordered as the values are.

Every part is preceded by a byte that says whether it is NULL (which comes last); a list ends with a byte that
is less than the one before another element; texts end with bytes that no text contains unescaped. Columns
are encoded from the leaves up: the bytes of all elements first, then the lists that they are in.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from ...planner.types import SQLType, TypeId
from .. import compute
from ..kernels import arrays
from ..kernels.arrays import I64, U8, TextOverflow
from ..scalars import literal_array
from ..vector import Vector

_SIGN = np.uint64(1 << 63)
_ALL = np.uint64(2**64 - 1)


class _Bytes(NamedTuple):
    """Row i is ``data[ends[i - 1] : ends[i]]``."""

    lengths: I64
    data: U8


def encoded(type_: SQLType, column: pa.Array) -> pa.Array:
    """A binary array; NULL where the column is."""
    valid = arrays.validity_bytes(column)
    kept = column if valid is None else compute.take(column, np.flatnonzero(valid))
    found = _encode(type_, kept)
    lengths = found.lengths
    if valid is not None:
        lengths = np.zeros(len(column), dtype=np.int64)
        lengths[valid.view(np.bool_)] = found.lengths
    if len(found.data) > arrays.TEXT_LIMIT:
        raise TextOverflow(f"{len(found.data)} bytes of nested keys")
    offsets = np.zeros(len(column) + 1, dtype=np.int32)
    np.cumsum(lengths, out=offsets[1:])
    buffers = [arrays.mask_to_buffer(valid), pa.py_buffer(offsets), pa.py_buffer(found.data)]
    return pa.Array.from_buffers(pa.binary(), len(column), buffers)


def encode(type_: SQLType, value: Any) -> bytes:
    """A value in literal form, not NULL, as bytes.

    >>> from ...planner.types import INTEGER, list_of
    >>> encode(list_of(INTEGER), (1,)) < encode(list_of(INTEGER), (1, 2)) < encode(list_of(INTEGER), (2,))
    True
    """
    return encoded(type_, literal_array(type_, [value]))[0].as_py()


def ordered(vector: Vector, n: int) -> I64:
    """A number for each row of a vector of any type, equal and ordered as the values are; NULL is last and
    equal to itself.
    """
    from ..nested import to_member

    if vector.is_null:
        return np.zeros(n, dtype=np.int64)
    members = to_member(vector, n)
    valid = arrays.validity_bytes(members)
    kept = members if valid is None else compute.take(members, np.flatnonzero(valid))
    ranks = _ranks(vector.type, kept)
    if valid is None:
        return ranks
    result = np.full(n, len(members), dtype=np.int64)
    result[valid.view(np.bool_)] = ranks
    return result


def _ranks(type_: SQLType, column: pa.Array) -> I64:
    """Dense ranks of values of which none is NULL."""
    kind = type_.id
    if kind is TypeId.NULL or not len(column):
        return np.zeros(len(column), dtype=np.int64)
    if kind in _WIDE or kind is TypeId.INTERVAL or type_.is_nested or kind in (TypeId.VARCHAR, TypeId.BLOB):
        texts = column if kind in (TypeId.VARCHAR, TypeId.BLOB) else encoded_leaf(type_, column)
        codes = compute.encode_dictionary(texts.cast(pa.binary()))
        order = np.argsort(np.array(codes.dictionary.to_pylist(), dtype=object), kind="stable")
        places = np.empty(len(order), dtype=np.int64)
        places[order] = np.arange(len(order))
        return places[arrays.int64_values(codes.indices)]
    return np.unique(_words(type_, column), return_inverse=True)[1].reshape(-1).astype(np.int64)


def encoded_leaf(type_: SQLType, column: pa.Array) -> pa.Array:
    """Values of any type, none of them NULL, as a binary array."""
    found = _encode(type_, column)
    offsets = np.zeros(len(column) + 1, dtype=np.int64)
    np.cumsum(found.lengths, out=offsets[1:])
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(found.data)]
    return pa.Array.from_buffers(pa.large_binary(), len(column), buffers).cast(pa.binary())


_WIDE = (TypeId.DECIMAL, TypeId.HUGEINT)


def _encode(type_: SQLType, column: pa.Array) -> _Bytes:
    """The bytes of values of which none is NULL, in the form of members."""
    kind = type_.id
    if kind in (TypeId.LIST, TypeId.MAP):
        return _lists(type_, column)
    if kind is TypeId.STRUCT:
        fields = [_part(field, column.field(i)) for i, (_, field) in enumerate(type_.fields)]
        return _side_by_side(fields, len(column))
    if kind in (TypeId.VARCHAR, TypeId.BLOB):
        return _texts(column)
    if kind in _WIDE and pa.types.is_decimal(column.type):
        return _decimals(column)
    if kind is TypeId.INTERVAL:
        from .intervals import lengths

        return _decimals(lengths(column))
    return _fixed(_words(type_, column).astype(">u8").view(np.uint8).reshape(len(column), 8))


def _words(type_: SQLType, column: pa.Array) -> Any:
    """Values of at most 64 bits as unsigned words in order."""
    if type_.is_float:
        return float_words(arrays.float64_values(column))
    values = arrays.int64_values(column).view(np.uint64)
    return values if type_.id is TypeId.UBIGINT else values ^ _SIGN


def float_words(values: Any) -> Any:
    """-0.0 as 0.0, NaN above every number."""
    bits = (np.asarray(values, dtype=np.float64) + 0.0).view(np.uint64)
    words = bits ^ np.where(bits >= _SIGN, _ALL, _SIGN)
    return np.where(np.isnan(values), _ALL, words)


def _fixed(table: Any) -> _Bytes:
    return _Bytes(
        np.full(len(table), table.shape[1], dtype=np.int64), np.ascontiguousarray(table).reshape(-1)
    )


def _decimals(column: pa.Array) -> _Bytes:
    words = arrays.decimal_words(column).view(np.uint64)
    table = np.empty((len(column), 2), dtype=">u8")
    table[:, 0] = words[:, 1] ^ _SIGN
    table[:, 1] = words[:, 0]
    return _fixed(table.view(np.uint8).reshape(len(column), 16))


def _texts(column: pa.Array) -> _Bytes:
    offsets, data = arrays.string_views(column)
    lengths, text = np.diff(offsets), data[offsets[0] : offsets[-1]]
    zeros = np.flatnonzero(text == 0)
    if len(zeros):
        inside = np.searchsorted(np.cumsum(lengths), zeros, side="right")
        text = np.insert(text, zeros + 1, 255)
        lengths = lengths + np.bincount(inside, minlength=len(lengths))
    ends = np.cumsum(lengths + 2)
    out = np.zeros(int(ends[-1]) if len(ends) else 0, dtype=np.uint8)
    _copy(out, ends - lengths - 2, lengths, text)
    return _Bytes(lengths + 2, out)


def _copy(out: U8, starts: I64, lengths: I64, data: U8) -> None:
    """Puts the rows of `data` where they start in `out`."""
    before = np.cumsum(lengths) - lengths
    out[np.arange(len(data)) + np.repeat(starts - before, lengths)] = data


def _part(type_: SQLType, column: pa.Array) -> _Bytes:
    """Members with the byte before each that says whether it is NULL."""
    valid = arrays.validity_bytes(column)
    if type_.id is TypeId.NULL:
        valid = np.zeros(len(column), dtype=np.uint8)
    if valid is None:
        inner = _encode(type_, column)
        lengths = inner.lengths
    else:
        inner = _encode_kept(type_, column, valid)
        lengths = np.zeros(len(column), dtype=np.int64)
        lengths[valid.view(np.bool_)] = inner.lengths
    starts = np.cumsum(lengths + 1) - lengths
    out = np.zeros(len(column) + len(inner.data), dtype=np.uint8)
    if valid is not None:
        out[starts - 1] = 1 - valid
    _copy(out, starts, lengths, inner.data)
    return _Bytes(lengths + 1, out)


def _encode_kept(type_: SQLType, column: pa.Array, valid: U8) -> _Bytes:
    if not valid.any():
        return _Bytes(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.uint8))
    return _encode(type_, compute.take(column, np.flatnonzero(valid)))


def _side_by_side(fields: Sequence[_Bytes], n: int) -> _Bytes:
    total = np.zeros(n, dtype=np.int64)
    for field in fields:
        total += field.lengths
    starts = np.cumsum(total) - total
    out = np.empty(int(total.sum()), dtype=np.uint8)
    for field in fields:
        _copy(out, starts, field.lengths, field.data)
        starts = starts + field.lengths
    return _Bytes(total, out)


def _lists(type_: SQLType, column: pa.Array) -> _Bytes:
    from ..nested import lists_of

    lists = lists_of(Vector.of_array(type_, column), len(column))
    elements = compute.take(column.values, lists.places)
    parts = _part(type_.element, elements)
    rows = lists.rows
    # One byte more before each element, and one after the last.
    blocks = parts.lengths + 1
    starts = np.cumsum(blocks) - blocks + rows
    totals = np.bincount(rows, weights=blocks, minlength=len(column)).astype(np.int64) + 1
    out = np.zeros(int(totals.sum()), dtype=np.uint8)
    out[starts] = 1
    _copy(out, starts + 1, parts.lengths, parts.data)
    return _Bytes(totals, out)
