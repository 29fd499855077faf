"""hash: DuckDB's hash of one value, or of several put together.

Numbers are mixed as in MurmurHash3's last step with one multiplier (D. Lemire's blog, 2018, compares such
mixers); texts are taken in eight bytes at a time. The values are those of DuckDB 2.0.1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ...planner.date_units import MICROS_DAY
from ...planner.expr import Call
from ...planner.types import UBIGINT, SQLType, TypeId
from ..vector import Vector
from .registry import Evaluate, scalar
from .rowwise import rowwise
from .wide import to_ints

Words = npt.NDArray[np.uint64]
_MASK = (1 << 64) - 1
_FACTOR = 0xD6E8FEB86659FD93
_SEED, _LENGTH = 0xE17A1465, 0xC6A4A7935BD1E995
_NULL = 0xBF58476D1CE4E5B9
_SHORT = 12
_DAYS_A_MONTH = 30


def _mixed(words: Words) -> Words:
    factor, half = np.uint64(_FACTOR), np.uint64(32)
    with np.errstate(over="ignore"):
        words = (words ^ (words >> half)) * factor
        words = (words ^ (words >> half)) * factor
    return words ^ (words >> half)


def _mixed_one(word: int) -> int:
    return int(_mixed(np.array([word & _MASK], dtype=np.uint64))[0])


def _text_hash(value: str | bytes) -> int:
    """Eight bytes at a time; up to twelve bytes the last four by themselves, of others what is left."""
    data = value.encode() if isinstance(value, str) else value
    found = (_SEED ^ (len(data) * _LENGTH)) & _MASK
    for at in range(0, len(data), 8):
        found = (found ^ int.from_bytes(data[at : at + 8], "little")) * _FACTOR & _MASK
    return _mixed_one(found)


def _wide_hash(value: int) -> int:
    return _mixed_one(value) ^ _mixed_one(value >> 64)


def _interval_hash(value: tuple[int, int, int]) -> int:
    """Equal intervals have one hash: months of thirty days, days of 24 hours."""
    total = (value[0] * _DAYS_A_MONTH + value[1]) * MICROS_DAY + value[2]
    days, micros = divmod(total, MICROS_DAY)
    months, days = divmod(days, _DAYS_A_MONTH)
    return _mixed_one(months) ^ _mixed_one(days) ^ _mixed_one(micros)


_ROW_HASHES: dict[TypeId, Any] = {
    TypeId.VARCHAR: _text_hash,
    TypeId.BLOB: _text_hash,
    TypeId.INTERVAL: _interval_hash,
}


def _is_wide(kind: SQLType) -> bool:
    return kind.id is TypeId.HUGEINT or (kind.is_decimal and kind.width > 18)


def _words(kind: SQLType, values: Any) -> Words:
    """Stored values as DuckDB's: what has up to 32 bits as such, signed, then without a sign."""
    if kind.is_float:
        values = np.where(values == 0, 0, np.where(np.isnan(values), np.nan, values)).astype(values.dtype)
        return values.view(np.uint32 if values.dtype.itemsize == 4 else np.uint64).astype(np.uint64)
    small = values.dtype.itemsize < 8 or (kind.is_decimal and kind.width <= 9)
    if values.dtype.kind == "i" and small:
        return values.astype(np.int32).view(np.uint32).astype(np.uint64)
    return values.astype(np.int64).view(np.uint64) if values.dtype.kind == "i" else values.astype(np.uint64)


def _hashed(vector: Vector, n: int) -> Words:
    kind = vector.type
    if vector.is_null or kind.id is TypeId.NULL:
        return np.full(n, _NULL, dtype=np.uint64)
    vector = vector.expand(n)
    valid = vector.valid
    if kind.id in _ROW_HASHES:
        made = rowwise(_ROW_HASHES[kind.id], UBIGINT)([vector], n).expand(n).values.astype(np.uint64)
    elif _is_wide(kind):
        made = np.array([_wide_hash(value) for value in to_ints(vector)], dtype=np.uint64)
    else:
        made = _mixed(_words(kind, vector.values))
    return made if valid is None else np.where(valid, made, np.uint64(_NULL))


@scalar("hash")
def hash_(call: Call) -> Evaluate:
    """The hash of the first value, and each further one put into it."""

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        found = _hashed(args[0], n)
        for arg in args[1:]:
            with np.errstate(over="ignore"):
                found = (found ^ (found >> np.uint64(32))) * np.uint64(_FACTOR)
            found ^= _hashed(arg, n)
        return Vector.of_values(UBIGINT, found)

    return evaluate
