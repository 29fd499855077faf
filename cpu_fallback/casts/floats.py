"""Casts to and from FLOAT and DOUBLE (numbers and BOOLEAN)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...physical.stored import INT64_HIGH, INT64_LOW, cast_error, values_range
from ...planner.types import BOOLEAN, SQLType, TypeId
from ..functions.registry import Evaluate
from ..functions.rounding import round_half_away
from ..functions.wide import narrowed, of_ints, to_ints
from ..storage import numpy_dtype
from ..vector import Vector
from .registry import FLOATS, INTEGERS, cast, reject

_EXACT_DOUBLE = 2**53
_EXACT_FLOAT = 2**24


@cast((*INTEGERS, TypeId.DECIMAL), FLOATS)
def exact_to_float(source: SQLType, target: SQLType, safe: bool) -> Evaluate:
    """The nearest float; of decimals beyond the exact range of the float, whole and broken part are
    converted by themselves.
    """
    dtype = numpy_dtype(target)
    power = dtype.type(10.0**source.scale)
    exact = _EXACT_DOUBLE if target.id is TypeId.DOUBLE else _EXACT_FLOAT

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        (arg,) = args
        narrow = narrowed(arg)
        if narrow is None:
            ints = to_ints(arg)
            whole = np.array([_whole(v, source.scale) for v in ints], dtype=np.float64)
            rest = np.array([v - _whole(v, source.scale) * 10**source.scale for v in ints], dtype=np.float64)
            values = (whole + rest / 10.0**source.scale).astype(dtype)
            return Vector.of_values(target, values, arg.valid)
        stored = narrow.values
        if not source.scale:
            return Vector.of_values(target, stored.astype(dtype), narrow.valid)
        values = stored.astype(dtype) / power
        low, high = narrow.loose_bounds()
        if low < -exact or high > exact:
            large = np.flatnonzero((stored > exact) | (stored < -exact))
            if len(large):
                parts = stored.take(large)
                scale = 10**source.scale
                whole = np.sign(parts) * (np.abs(parts) // scale)
                values[large] = whole.astype(dtype) + (parts - whole * scale).astype(dtype) / power
        return Vector.of_values(target, values, narrow.valid)

    return evaluate


def _whole(value: int, scale: int) -> int:
    whole = abs(value) // 10**scale
    return whole if value >= 0 else -whole


@cast(FLOATS, FLOATS)
def float_to_float(source: SQLType, target: SQLType, safe: bool) -> Evaluate:
    """A finite DOUBLE beyond FLOAT's range is an error; infinities and NaN are kept."""
    dtype = numpy_dtype(target)

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        (arg,) = args
        given = arg.values
        with np.errstate(all="ignore"):
            values = given.astype(dtype)
        valid = arg.valid
        if target.id is TypeId.FLOAT:
            wrong = np.isinf(values) & ~np.isinf(given)
            valid = reject(wrong, valid, safe, lambda row: cast_error(source, float(given[row]), target))
        return Vector.of_values(target, values, valid)

    return evaluate


@cast(FLOATS, INTEGERS)
def float_to_integer(source: SQLType, target: SQLType, safe: bool) -> Evaluate:
    """Rounded to the nearest integer, halves to the even one; NaN, infinities and values out of range are
    errors.
    """
    low, high = values_range(target)
    dtype = numpy_dtype(target)

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        (arg,) = args
        given = arg.values
        rounded = np.rint(given.astype(np.float64, copy=False))
        # The upper limit is compared as an open one: 2**63 - 1 is not a double, 2**63 is.
        wrong = ~((rounded >= float(low)) & (rounded < float(high + 1)))

        def failure(row: int) -> Exception:
            return cast_error(source, float(given[row]), target)

        valid = reject(wrong, arg.valid, safe, failure)  # type: ignore[arg-type]
        kept = np.where(wrong, 0.0, rounded) if wrong.any() else rounded
        return _integers(target, kept, valid, dtype)

    return evaluate


def _integers(target: SQLType, values: Any, valid: Any, dtype: np.dtype[Any]) -> Vector:
    """Whole doubles in the range of the target."""
    if target.id in (TypeId.HUGEINT, TypeId.DECIMAL) and len(values):
        if values.max() >= float(INT64_HIGH + 1) or values.min() < float(INT64_LOW):
            return of_ints(target, [int(value) for value in values.tolist()], valid)
    return Vector.of_values(target, values.astype(dtype), valid)


@cast(FLOATS, (TypeId.DECIMAL,))
def float_to_decimal(source: SQLType, target: SQLType, safe: bool) -> Evaluate:
    """The double nearest to the value times 10**scale, rounded half away from zero."""
    low, high = values_range(target)
    power = 10.0**target.scale

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        (arg,) = args
        given = arg.values
        with np.errstate(all="ignore"):
            rounded = round_half_away(given.astype(np.float64, copy=False) * power)
        wrong = ~((rounded > float(low - 1)) & (rounded < float(high + 1)))

        def failure(row: int) -> Exception:
            return cast_error(source, float(given[row]), target)

        valid = reject(wrong, arg.valid, safe, failure)  # type: ignore[arg-type]
        kept = np.where(wrong, 0.0, rounded) if wrong.any() else rounded
        return _integers(target, kept, valid, np.dtype(np.int64))

    return evaluate


@cast((TypeId.BOOLEAN,), FLOATS)
def boolean_to_float(source: SQLType, target: SQLType, safe: bool) -> Evaluate:
    """False is 0 and true is 1."""
    dtype = numpy_dtype(target)
    return lambda args, n: Vector.of_values(target, args[0].values.astype(dtype), args[0].valid)


@cast(FLOATS, (TypeId.BOOLEAN,))
def float_to_boolean(source: SQLType, target: SQLType, safe: bool) -> Evaluate:
    """Everything but 0 is true, NaN too."""
    return lambda args, n: Vector.of_truth(BOOLEAN, args[0].values != 0, args[0].valid)
