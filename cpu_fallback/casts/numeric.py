"""Casts between exact numbers: BOOLEAN, integers and DECIMAL.

All are scaled integers: the value is multiplied or divided by a power of ten, digits that are cut round
half away from zero, and the result must be in the target's range.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...physical.stored import INT64_HIGH, INT64_LOW, cast_error, stored_range
from ...planner.types import BOOLEAN, SQLType, TypeId
from ..functions.registry import Evaluate
from ..functions.wide import narrowed, of_ints, to_ints
from ..storage import numpy_dtype
from ..vector import Vector, combined_valid
from .registry import INTEGERS, cast, reject

EXACT = (*INTEGERS, TypeId.DECIMAL)


@cast(EXACT, EXACT)
def exact_to_exact(source: SQLType, target: SQLType, safe: bool) -> Evaluate:
    """Integers and decimals of any width."""
    limits = stored_range(target)
    assert limits is not None
    shift = target.scale - source.scale

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        (arg,) = args
        if source.id is TypeId.UBIGINT and numpy_dtype(target) == np.int64:
            if (arg.tight_bounds() or (0, 0))[1] > INT64_HIGH:
                return _rescale_ints(arg, target, shift, safe)
        if not shift and not arg.is_wide and _fits(arg.loose_bounds(), limits):
            return _retyped(arg, target)
        return rescale(arg, target, shift, safe)

    return evaluate


def rescale(arg: Vector, target: SQLType, shift: int, safe: bool) -> Vector:
    """Stored integers times 10**shift (rounded half away from zero when `shift` is negative) as `target`."""
    limits = stored_range(target)
    assert limits is not None
    narrow = narrowed(arg)
    if narrow is None or shift < -18:
        return _rescale_ints(arg, target, shift, safe)
    if shift <= 0:
        return _in_range(arg.type, narrow, divide_rounded(narrow, 10**-shift), target, limits, safe)
    factor = 10**shift
    # The multiplied value is in range exactly if the value itself is in this one.
    allowed = -(-limits[0] // factor), limits[1] // factor
    valid, bounds = narrow.valid, narrow.loose_bounds()
    if not _fits(bounds, allowed):
        values = narrow.values
        wrong = outside(values, allowed)
        valid = reject(wrong, valid, safe, lambda row: cast_error(arg.type, int(values[row]), target))
        bounds = max(bounds[0], allowed[0]), min(bounds[1], allowed[1])
    if bounds[0] * factor < INT64_LOW or bounds[1] * factor > INT64_HIGH:
        tight = narrow.tight_bounds() or (0, 0)
        bounds = max(bounds[0], tight[0]), min(bounds[1], tight[1])
        if bounds[0] * factor < INT64_LOW or bounds[1] * factor > INT64_HIGH:
            return _rescale_ints(arg, target, shift, safe)
    values = narrow.values.astype(np.int64, copy=False) * np.int64(factor)
    return Vector.of_values(target, values, valid, (bounds[0] * factor, bounds[1] * factor))


def divide_rounded(vector: Vector, divisor: int) -> Any:
    """Stored integers over a power of ten up to 10**18, rounded half away from zero."""
    values = vector.values
    if divisor == 1:
        return values
    values = values.astype(np.int64, copy=False)
    quotient = values // divisor
    twice = (values - quotient * divisor) * 2
    # The quotient is rounded down: what is left is positive, and a half goes up only for positive values.
    return quotient + ((twice > divisor) | ((twice == divisor) & (values >= 0)))


def _in_range(
    source: SQLType, arg: Vector, values: Any, target: SQLType, limits: tuple[int, int], safe: bool
) -> Vector:
    """`values`, made of the rows of `arg`, as `target`."""
    valid = arg.valid
    wrong = outside(values, limits)
    valid = reject(wrong, valid, safe, lambda row: cast_error(source, int(arg.values[row]), target))
    dtype = numpy_dtype(target)
    if values.dtype != dtype:
        values = values.astype(dtype)
    return Vector.of_values(target, values, valid)


def outside(values: Any, limits: tuple[int, int]) -> Any:
    """Rows outside inclusive limits, which need not fit the dtype."""
    info = np.iinfo(values.dtype)
    wrong = np.zeros(len(values), dtype=np.bool_)
    if limits[0] > info.min:
        wrong |= values < min(limits[0], info.max)
        if limits[0] > info.max:
            wrong[:] = True
    if limits[1] < info.max:
        wrong |= values > max(limits[1], info.min)
        if limits[1] < info.min:
            wrong[:] = True
    return wrong


def _rescale_ints(arg: Vector, target: SQLType, shift: int, safe: bool) -> Vector:
    limits = stored_range(target)
    assert limits is not None
    stored = to_ints(arg)
    factor = 10 ** abs(shift)
    if shift >= 0:
        values = [value * factor for value in stored]
    else:
        half = factor // 2
        values = [(abs(value) + half) // factor * (1 if value >= 0 else -1) for value in stored]
    wrong = np.array([not limits[0] <= value <= limits[1] for value in values], dtype=np.bool_)
    valid = reject(wrong, combined_valid(arg), safe, lambda row: cast_error(arg.type, stored[row], target))
    if target.id in (TypeId.DECIMAL, TypeId.HUGEINT):
        return of_ints(target, values, valid)
    kept = [value if ok else 0 for value, ok in zip(values, (~wrong).tolist(), strict=True)]
    return Vector.of_values(target, np.array(kept, dtype=numpy_dtype(target)), valid)


def _retyped(arg: Vector, target: SQLType) -> Vector:
    """The same stored integers, which fit, under another type."""
    dtype = numpy_dtype(target)
    values = arg.values
    return Vector.of_values(
        target, values.astype(dtype, copy=False), arg.valid, arg.bounds or arg.loose_bounds()
    )


def _fits(bounds: tuple[int, int], limits: tuple[int, int]) -> bool:
    return limits[0] <= bounds[0] and bounds[1] <= limits[1]


@cast((TypeId.BOOLEAN,), EXACT)
def boolean_to_exact(source: SQLType, target: SQLType, safe: bool) -> Evaluate:
    """False is 0 and true is 1; a DECIMAL without an integer digit holds no 1."""

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        (arg,) = args
        bits = Vector.of_values(SQLType(TypeId.TINYINT), arg.values.view(np.int8), arg.valid, (0, 1))
        return rescale(bits, target, target.scale, safe)

    return evaluate


@cast(EXACT, (TypeId.BOOLEAN,))
def exact_to_boolean(source: SQLType, target: SQLType, safe: bool) -> Evaluate:
    """Every number but 0 is true."""

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        (arg,) = args
        narrow = narrowed(arg)
        values = np.array([value != 0 for value in to_ints(arg)]) if narrow is None else narrow.values != 0
        return Vector.of_truth(BOOLEAN, values, arg.valid)

    return evaluate
