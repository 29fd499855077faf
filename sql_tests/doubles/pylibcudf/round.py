"""Numbers rounded."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np
import pyarrow as pa

from ..arguments import library
from ..errors import expects, invalid_argument
from ..kernels import fixed, i128, storage
from . import traits
from .column import Column, made
from .types import DataType, size_of


class RoundingMethod(IntEnum):
    HALF_UP = 0
    HALF_EVEN = 1


def _rounded_digits(values: i128.I128, digits: int, method: RoundingMethod) -> i128.I128:
    """Without the last digits, halves away from zero or to even."""
    if digits > 38:
        return i128.of_int64(np.zeros(len(values), np.int64))
    factor = i128.power_of_ten(digits, len(values))
    quotient, rest = i128.divide(values, factor)
    size = i128.where(rest.hi < 0, i128.negate(rest), rest)
    twice = i128.add(size, size)
    half, more = i128.equal(twice, factor), i128.less(factor, twice)
    odd = (quotient.lo & np.uint64(1)).astype(np.bool_)
    up = more | (half & (odd if method is RoundingMethod.HALF_EVEN else True))
    step = np.where(up, np.where(values.hi < 0, -1, 1), 0)
    return i128.add(quotient, i128.of_int64(step))


def _whole(source: Column, places: int, method: RoundingMethod) -> Column:
    """Integers and decimals; a decimal's scale becomes the number of places."""
    kind, rows = source.type(), source._rows
    keep = storage.valid(rows)
    if traits.is_integral(kind):
        if places >= 0:
            return made(kind, rows)
        values = _rounded_digits(i128.of_int64(storage.values(rows)), -places, method)
        back = i128.multiply(values, i128.power_of_ten(min(-places, 38), len(values)))
        narrow = back.lo.view(np.int64).astype(storage.values(rows).dtype)
        return made(kind, storage.build(narrow, keep))
    bits = 8 * size_of(kind)
    target = DataType(kind.id(), -places)
    if target.scale() <= kind.scale():
        grown = fixed.rescaled(fixed.wide(rows), kind.scale(), target.scale(), bits)
        return made(target, storage.build(fixed.narrow(grown, bits), keep))
    values = _rounded_digits(fixed.wide(rows), target.scale() - kind.scale(), method)
    return made(target, storage.build(fixed.narrow(values, bits), keep))


def _floats(source: Column, places: int, method: RoundingMethod) -> pa.Array:
    """By multiplying, rounding and dividing: 1.005 to two places is what the product falls to."""
    values = storage.values(source._rows)
    factor = values.dtype.type(10.0 ** abs(places))
    with np.errstate(all="ignore"):
        if method is RoundingMethod.HALF_EVEN:
            moved = np.rint(values * factor) / factor if places >= 0 else np.rint(values / factor) * factor
        else:
            whole = np.trunc(values)
            part = (values - whole) * factor
            away = np.trunc(part + np.copysign(values.dtype.type(0.5), part))
            moved = whole + away / factor
            if places < 0:
                part = values / factor
                moved = np.trunc(part + np.copysign(values.dtype.type(0.5), part)) * factor
    moved = np.where(np.isfinite(values), moved, values).astype(values.dtype)
    return storage.build(moved, storage.valid(source._rows))


@library
def round(
    source: Column,
    decimal_places: int = 0,
    round_method: RoundingMethod = RoundingMethod.HALF_UP,
    stream: Any = None,
    mr: Any = None,
) -> Column:
    """To so many places after the point, or before it where negative."""
    if traits.is_floating_point(source.type()):
        return made(source.type(), _floats(source, decimal_places, round_method))
    known = traits.is_integral_not_bool(source.type()) or traits.is_fixed_point(source.type())
    expects(known, invalid_argument("Only integral/floating point/fixed point currently supported."))
    return _whole(source, decimal_places, round_method)


@library
def round_decimal(
    source: Column,
    decimal_places: int = 0,
    round_method: RoundingMethod = RoundingMethod.HALF_UP,
    stream: Any = None,
    mr: Any = None,
) -> Column:
    """As `round`, of integers and decimals only."""
    known = traits.is_integral_not_bool(source.type()) or traits.is_fixed_point(source.type())
    expects(known, invalid_argument("Only integral/fixed point currently supported."))
    return _whole(source, decimal_places, round_method)
