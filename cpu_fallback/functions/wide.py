"""128-bit integers: DECIMAL and HUGEINT whose values are not known to fit int64, held as decimal128.

Few rows are computed with Python's integers, which are exact and need no compiled code; many with the numba
kernels.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa

from ...physical.stored import INT64_HIGH, INT64_LOW, physical_name, values_range
from ...planner import messages_values as messages
from ...planner.types import SQLType
from ..kernels import arrays
from ..storage import arrow_type
from ..vector import Valid, Vector, combined_valid, null_constant

# Importing and loading compiled kernels costs more than this many rows in Python (about 0.5 microseconds
# each).
PYTHON_ROWS = 8192
_LOW_WORD = (1 << 64) - 1

_PYTHON: dict[str, Callable[[int, int], int]] = {"+": operator.add, "-": operator.sub, "*": operator.mul}
NAMES = {"+": "addition", "-": "subtraction", "*": "multiplication"}


def widened(vector: Vector, n: int) -> Vector:
    """The same rows stored as decimal128, not constant."""
    if vector.is_null:
        return Vector.of_array(vector.type, pa.nulls(n, arrow_type(vector.type, wide=True)))
    if vector.is_wide:
        return vector.expand(n)
    vector = vector.expand(n)
    array = arrays.scaled_to_decimal128(vector.values, _bytes(vector.valid), 38, vector.type.scale)
    return Vector.of_array(vector.type, array, vector.bounds)


def narrowed(vector: Vector) -> Vector | None:
    """The same rows stored as int64, or None where one of them does not fit."""
    if not vector.is_wide:
        return vector
    if vector.is_constant:
        return None
    words = arrays.decimal_words(vector.array)
    fits = (words[:, 0] >> 63) == words[:, 1]
    valid = vector.valid
    if not (fits if valid is None else fits | ~valid).all():
        return None
    return Vector.of_values(vector.type, np.ascontiguousarray(words[:, 0]), valid, vector.bounds)


def to_ints(vector: Vector) -> list[int]:
    """Stored integers of the rows as Python ints; arbitrary at NULL rows."""
    if not vector.is_wide:
        return vector.values.tolist()
    words = arrays.decimal_words(vector.array)
    low, high = words[:, 0].tolist(), words[:, 1].tolist()
    return [(h << 64) | (w & _LOW_WORD) for w, h in zip(low, high, strict=True)]


def of_ints(type_: SQLType, values: list[int], valid: Valid) -> Vector:
    """Rows of DECIMAL or HUGEINT from exact integers: int64 where all fit, else decimal128."""
    if valid is not None:
        values = [value if ok else 0 for value, ok in zip(values, valid.tolist(), strict=True)]
    low, high = min(values, default=0), max(values, default=0)
    if low >= INT64_LOW and high <= INT64_HIGH:
        return Vector.of_values(type_, np.array(values, dtype=np.int64), valid, (low, high))
    words = np.empty((len(values), 2), dtype=np.int64)
    words[:, 0] = np.array([value & _LOW_WORD for value in values], dtype=np.uint64).view(np.int64)
    words[:, 1] = [value >> 64 for value in values]
    return of_words(type_, words, valid, (low, high))


def of_words(type_: SQLType, words: Any, valid: Valid, bounds: tuple[int, int] | None = None) -> Vector:
    """Rows from 128-bit words, `int64[n, 2]`, low word first."""
    return Vector.of_array(type_, arrays.make_decimal128(words, _bytes(valid), 38, type_.scale), bounds)


def wide_operation(op: str, left: Vector, right: Vector, type_: SQLType, n: int) -> Vector:
    """`left op right` (+ - *) in 128 bits; a result that `type_` cannot hold is an error."""
    left, right = left.expand(n), right.expand(n)
    valid = combined_valid(left, right)
    if n > PYTHON_ROWS:
        return _by_kernel(op, left, right, valid, type_, n)
    low, high = values_range(type_)
    apply = _PYTHON[op]
    a, b = to_ints(left), to_ints(right)
    values = [apply(x, y) for x, y in zip(a, b, strict=True)]
    for row, value in enumerate(values):
        if not low <= value <= high and (valid is None or valid[row]):
            raise messages.overflow(NAMES[op], physical_name(type_), op, a[row], b[row])
    return of_ints(type_, values, valid)


def _by_kernel(op: str, left: Vector, right: Vector, valid: Valid, type_: SQLType, n: int) -> Vector:
    from ..kernels import arith128 as arith

    kernel = {"+": arith.add_words, "-": arith.sub_words, "*": arith.mul_words}[op]
    mask = _bytes(valid)
    a, b = (arrays.decimal_words(widened(vector, n).array) for vector in (left, right))
    words, row = kernel(a, b, mask)
    if row < 0:
        row = arith.check_digits(words, 38 if not type_.is_decimal else type_.width, mask)
    if row >= 0:
        one = np.array([row])
        x, y = to_ints(left.take(one))[0], to_ints(right.take(one))[0]
        raise messages.overflow(NAMES[op], physical_name(type_), op, x, y)
    return of_words(type_, words, valid)


def wide_function(type_: SQLType, function: Callable[..., int], vectors: list[Vector], n: int) -> Vector:
    """An exact function of integers row by row, NULL where an argument is; results must be in the range of
    `type_` or an error is raised.
    """
    if any(vector.is_null for vector in vectors):
        return null_constant(type_)
    vectors = [vector.expand(n) for vector in vectors]
    valid = combined_valid(*vectors)
    columns = [to_ints(vector) for vector in vectors]
    rows = zip(*columns, strict=True)
    if valid is None:
        values = [function(*row) for row in rows]
    else:
        values = [function(*row) if ok else 0 for row, ok in zip(rows, valid.tolist(), strict=True)]
    return of_ints(type_, values, valid)


def _bytes(valid: Valid) -> arrays.Valid:
    return None if valid is None else valid.view(np.uint8)
