"""LIST and STRUCT values as bytes that are equal and ordered as the values are.

Every part is preceded by a byte that says whether it is NULL (which comes last); a list ends with a byte that
is less than the one before another element; texts end with a byte that no text contains unescaped. Values are
encoded one by one in Python: nested keys are rare and short.
"""

from __future__ import annotations

import struct
from typing import Any

import pyarrow as pa

from ...planner.types import SQLType, TypeId
from ..scalars import literal_value

_NULL, _VALUE = b"\x01", b"\x00"
_MORE, _END = b"\x01", b"\x00"
_OFFSET = 1 << 127  # makes 128-bit integers positive
_SIGN = 1 << 63


def encoded(type_: SQLType, column: pa.Array) -> pa.Array:
    """A binary array; NULL where the column is."""
    values = (literal_value(type_, column, row) for row in range(len(column)))
    return pa.array([None if value is None else encode(type_, value) for value in values], pa.binary())


def encode(type_: SQLType, value: Any) -> bytes:
    """A value in literal form, not NULL, as bytes.

    >>> from ...planner.types import INTEGER, list_of
    >>> encode(list_of(INTEGER), (1,)) < encode(list_of(INTEGER), (1, 2)) < encode(list_of(INTEGER), (2,))
    True
    """
    kind = type_.id
    if kind is TypeId.LIST:
        element = type_.fields[0][1]
        return b"".join(_MORE + _part(element, item) for item in value) + _END
    if kind is TypeId.STRUCT:
        return b"".join(_part(field, item) for (_, field), item in zip(type_.fields, value, strict=True))
    if type_.is_float:
        return _float_bytes(value)
    if kind in (TypeId.VARCHAR, TypeId.BLOB):
        data = value.encode() if isinstance(value, str) else value
        return data.replace(b"\x00", b"\x00\xff") + b"\x00\x00"
    if kind is TypeId.INTERVAL:
        from .intervals import length

        value = length(value)
    return (int(value) + _OFFSET).to_bytes(16, "big")


def _part(type_: SQLType, value: Any) -> bytes:
    return _NULL if value is None else _VALUE + encode(type_, value)


def _float_bytes(value: float) -> bytes:
    """-0.0 as 0.0, NaN above every number."""
    if value != value:
        return b"\xff" * 8
    (bits,) = struct.unpack(">Q", struct.pack(">d", value + 0.0))
    return (bits ^ (_SIGN if bits < _SIGN else 2 * _SIGN - 1)).to_bytes(8, "big")
