"""Exact + - * over integers and scaled decimals, and the division of integers.

The range of the result is computed from the ranges of the operands: from types and known bounds first, then
by a scan of the operands. Where it fits the result's storage no row is checked. Otherwise the operation is
checked row by row, in 64 bits where the type has no more, in 128 bits else.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...physical.stored import INT64_HIGH, INT64_LOW, physical_name, range_of, stored_range
from ...planner import messages_values as messages
from ...planner.types import SQLType, TypeId
from ..storage import numpy_dtype
from ..vector import Mask, Valid, Vector, combined_valid, null_constant
from .wide import NAMES, narrowed, wide_operation

_OPERATE = {"+": np.add, "-": np.subtract, "*": np.multiply}
_UINT64_HIGH = 2**64 - 1


def integer_operation(op: str, left: Vector, right: Vector, type_: SQLType, n: int) -> Vector:
    """`left op right` in exact integers; decimal operands have the scales that make the result's."""
    limits = _storage_limits(type_)
    bounds = range_of(op, left.loose_bounds(), right.loose_bounds())
    if left.is_wide or right.is_wide or not _within(bounds, limits):
        a, b = left.tight_bounds(), right.tight_bounds()
        if a is None or b is None:
            return null_constant(type_)
        bounds = range_of(op, a, b)
        x, y = narrowed(left), narrowed(right)
        if x is None or y is None:
            return wide_operation(op, left, right, type_, n)
        left, right = x, y
    if _within(bounds, limits):
        values = _OPERATE[op](left.values, right.values)
        return Vector.of_values(type_, values, combined_valid(left, right), bounds)
    implied = stored_range(type_)
    assert implied is not None
    if not _within(implied, _dtype_limits(type_)):
        return wide_operation(op, left, right, type_, n)
    return _checked(op, left, right, type_, implied)


def _storage_limits(type_: SQLType) -> tuple[int, int]:
    """What a result may be so that it needs no check: in the range of the type and of its 64-bit storage."""
    implied = stored_range(type_)
    assert implied is not None
    low, high = _dtype_limits(type_)
    return max(implied[0], low), min(implied[1], high)


def _dtype_limits(type_: SQLType) -> tuple[int, int]:
    return (0, _UINT64_HIGH) if type_.id is TypeId.UBIGINT else (INT64_LOW, INT64_HIGH)


def _within(bounds: tuple[int, int], limits: tuple[int, int]) -> bool:
    return limits[0] <= bounds[0] and bounds[1] <= limits[1]


def _checked(op: str, left: Vector, right: Vector, type_: SQLType, limits: tuple[int, int]) -> Vector:
    """Row by row, for types of at most 64 bits."""
    dtype = numpy_dtype(type_)
    valid = combined_valid(left, right)
    if dtype.itemsize < 8:
        # 32-bit products fit 64 bits, unsigned ones the unsigned.
        unsigned = dtype.kind == "u" and op != "-"
        step = np.uint64 if unsigned else np.int64
        wide = _OPERATE[op](left.values.astype(step), right.values.astype(step))
        wrong = wide > limits[1] if unsigned else (wide < limits[0]) | (wide > limits[1])
        values = wide.astype(dtype)
    else:
        values, wrong = _checked_64(op, left.values, right.values, dtype)
        if dtype.kind == "i" and type_.is_decimal:
            wrong |= (values < limits[0]) | (values > limits[1])
    row = first_row(wrong, valid)
    if row >= 0:
        x, y = _at(left, row), _at(right, row)
        raise messages.overflow(NAMES[op], physical_name(type_), op, x, y)
    return Vector.of_values(type_, values, valid)


def _checked_64(op: str, x: Any, y: Any, dtype: np.dtype[Any]) -> tuple[Any, Mask]:
    """The wrapped result and where it is not the exact one."""
    values = _OPERATE[op](x, y)
    if op == "*":
        return values, _product_overflows(x, y, dtype)
    if dtype.kind == "u":
        return values, (values < x) if op == "+" else (np.asarray(x) < y)
    if op == "+":
        return values, ((x ^ values) & (y ^ values)) < 0
    return values, ((x ^ y) & (x ^ values)) < 0


def _product_overflows(x: Any, y: Any, dtype: np.dtype[Any]) -> Mask:
    """A double product tells all but the rows within rounding of the limit, which are computed exactly."""
    info = np.iinfo(dtype)
    estimate = np.multiply(x, y, dtype=np.float64)
    limit = float(info.max)
    magnitude = np.abs(estimate)
    wrong = magnitude > limit * 1.0001
    for row in np.flatnonzero((magnitude >= limit * 0.9999) & ~wrong):
        product = int(x if np.ndim(x) == 0 else x[row]) * int(y if np.ndim(y) == 0 else y[row])
        wrong[row] = not info.min <= product <= info.max
    return wrong


def first_row(wrong: Mask, valid: Valid) -> int:
    """The first valid row that is wrong, or -1."""
    if valid is not None:
        wrong = wrong & valid
    row = int(wrong.argmax()) if len(wrong) else 0
    return row if len(wrong) and wrong[row] else -1


def _at(vector: Vector, row: int) -> int:
    values = vector.values
    return int(values if np.ndim(values) == 0 else values[row])
