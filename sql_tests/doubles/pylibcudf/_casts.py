"""Casts between types of fixed width, as C++ conversions do them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pyarrow as pa

from ..kernels import arithmetic, fixed, i128, storage
from . import traits
from ._binary import in_unit_of
from ._kinds import Kind, storage_type
from ._operation_types import unit
from .types import DataType, size_of


def cast_rows(rows: pa.Array, source: DataType, target: DataType) -> pa.Array:
    """The rows under another type."""
    keep = storage.valid(rows)
    if traits.is_fixed_point(source):
        return storage.build(_of_decimal(rows, source, target), keep)
    values = storage.values(rows)
    if traits.is_fixed_point(target):
        return storage.build(_to_decimal(values, target), keep)
    to = storage.NUMPY_TYPES[storage_type(Kind(target))]
    if traits.is_chrono(source) and traits.is_chrono(target):
        values = in_unit(values, unit(source.id()), unit(target.id()), floor=traits.is_timestamp(source))
    return storage.build(arithmetic.converted(values, to), keep)


def in_unit(values: np.ndarray, source: str, target: str, *, floor: bool) -> np.ndarray:
    """Times of one unit in another. A timestamp goes to the unit it lies in, a duration towards zero."""
    found = in_unit_of(values, source, target)
    if not floor:
        return found
    back = in_unit_of(found, target, source)
    return found - (back > values.astype(np.int64))


def _of_decimal(rows: pa.Array, source: DataType, target: DataType) -> Any:
    values, scale = fixed.wide(rows), source.scale()
    if traits.is_fixed_point(target):
        bits = 8 * size_of(target)
        # Computed in the wider of the two, then cut.
        work = max(bits, 8 * size_of(source))
        return fixed.narrow(fixed.rescaled(values, scale, target.scale(), work), bits)
    to = storage.NUMPY_TYPES[storage_type(Kind(target))]
    if to.kind == "f":
        return _scaled_down(values, scale).astype(to)
    whole = fixed.rescaled(values, scale, 0, 8 * size_of(source))
    if to == np.bool_:
        return (values.hi != 0) | (values.lo != 0)
    return arithmetic.converted(whole.lo.view(np.int64), to)


def _scaled_down(values: i128.I128, scale: int) -> np.ndarray:
    """As doubles: the nearest one to the decimal."""
    found = i128.to_float64(values)
    factor = 10.0 ** abs(scale)
    return found / factor if scale < 0 else found * factor


def _to_decimal(values: np.ndarray, target: DataType) -> Any:
    bits, scale = 8 * size_of(target), target.scale()
    if values.dtype.kind != "f":
        return fixed.narrow(fixed.rescaled(i128.of_int64(values), 0, scale, bits), bits)
    return fixed.narrow(fixed.wrapped(_digits(values.astype(np.float64), scale), bits), bits)


def _digits(values: np.ndarray, scale: int) -> i128.I128:
    """Floats as unscaled integers. Digits beyond the scale are cut off, but first half a unit of the last
    place is added: so the double nearest to 0.29 is 0.29, although it is less.
    """
    size = np.abs(values)
    with np.errstate(all="ignore"):
        nearest = np.rint(size * 10.0**-scale)
        # The nearest double to nearest / 10**-scale is at most the value: then the value stands for it.
        whole = np.where(nearest / 10.0**-scale <= size, nearest, nearest - 1)
    exact = (size == 0) | ((nearest < 2**53) & (scale <= 0) & (scale >= -22))
    found = i128.of_int64((np.where(exact, whole, 0) * np.sign(np.where(exact, values, 0))).astype(np.int64))
    for i in np.flatnonzero(~exact & np.isfinite(values)):
        one = i128.of_ints([_unscaled(float(values[i]), scale)])
        found.hi[i], found.lo[i] = one.hi[0], one.lo[0]
    return found


def _unscaled(value: float, scale: int) -> int:
    """
    >>> _unscaled(1.005, -2), _unscaled(-0.129, -2), _unscaled(0.29, -2), _unscaled(1e20, -2)
    (100, -12, 29, 10000000000000000000000)
    """
    numerator, denominator = abs(value).as_integer_ratio()
    if denominator > 1:
        half = math.ulp(value).as_integer_ratio()
        numerator = 2 * numerator * half[1] + half[0] * denominator
        denominator = 2 * denominator * half[1]
    numerator *= 10 ** max(-scale, 0)
    denominator *= 10 ** max(scale, 0)
    return numerator // denominator * (1 if value >= 0 else -1)
