"""Casts to VARCHAR: the forms that planner.literals writes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from ...physical.stored import INT64_HIGH, INT64_LOW
from ...planner.float_texts import single_text
from ...planner.literals import format_value
from ...planner.temporal import format_timestamp
from ...planner.types import VARCHAR, SQLType, TypeId
from .. import compute
from ..functions.moments import TABLE_DAYS
from ..functions.registry import Evaluate
from ..functions.rowwise import rowwise
from ..functions.wide import narrowed
from ..kernels import arrays
from ..vector import Vector, null_constant
from .registry import INTEGERS, TIMESTAMPS, cast
from .temporal import DATE_INFINITY, TIMESTAMP_INFINITY, UNITS

# 0001-01-01 and 9999-12-31: the days that arrow writes as SQL does.
_FIRST_DAY, _LAST_DAY = -719_162, 2_932_896
_DIGITS = {1: 0, 1_000: 3, 1_000_000: 6, 1_000_000_000: 9}


@cast((TypeId.BOOLEAN,), (TypeId.VARCHAR,))
def boolean_to_text(source: SQLType, target: SQLType, safe: bool) -> Evaluate:
    """false or true."""
    entries = pa.array(["false", "true"])

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        return _encoded(args[0].values.astype(np.int32), args[0].valid, entries)

    return evaluate


def _encoded(codes: Any, valid: Any, entries: pa.Array) -> Vector:
    mask = None if valid is None else arrays.mask_to_buffer(valid)
    indices = pa.Array.from_buffers(pa.int32(), len(codes), [mask, pa.py_buffer(codes)])
    return Vector.of_array(VARCHAR, pa.DictionaryArray.from_arrays(indices, entries))


@cast((*INTEGERS, TypeId.DECIMAL), (TypeId.VARCHAR,))
def exact_to_text(source: SQLType, target: SQLType, safe: bool) -> Evaluate:
    """All digits; of a DECIMAL as many after the point as its scale."""
    scale = source.scale
    by_row = rowwise(lambda value: format_value(value, source), VARCHAR)

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        (arg,) = args
        narrow = narrowed(arg)
        # Arrow writes decimals below a millionth with an exponent, and 0.05 where a DECIMAL(2,2) is .05.
        if narrow is None or scale > 6 or 0 < scale == source.width:
            return by_row(args, n)
        array = narrow.array
        if scale:
            array = arrays.scaled_to_decimal128(narrow.values, arrays.validity_bytes(array), 38, scale)
        return Vector.of_array(VARCHAR, compute.cast(array, pa.string()))

    return evaluate


@cast((TypeId.FLOAT, TypeId.DOUBLE), (TypeId.VARCHAR,))
def float_to_text(source: SQLType, target: SQLType, safe: bool) -> Evaluate:
    """The shortest digits that give the number back; an exponent from 1e16 up and below 1e-4."""
    return rowwise(format_float32 if source.id is TypeId.FLOAT else repr, VARCHAR)


def format_float32(value: float) -> str:
    """As planner.float_texts.format_float writes single-precision numbers, found faster.

    >>> format_float32(0.10000000149011612), format_float32(1e38)
    ('0.1', '1e+38')
    """
    if not np.isfinite(value):
        return repr(value)
    return single_text(value, float(str(np.float32(value))))


@cast((TypeId.DATE,), (TypeId.VARCHAR,))
def date_to_text(source: SQLType, target: SQLType, safe: bool) -> Evaluate:
    """YYYY-MM-DD; infinities by name."""
    by_row = rowwise(_named(DATE_INFINITY, lambda value: format_value(value, source)), VARCHAR)

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        (arg,) = args
        bounds = arg.tight_bounds()
        if bounds is None:
            return null_constant(VARCHAR)
        low, high = bounds
        if low < _FIRST_DAY or high > _LAST_DAY:
            return by_row(args, n)
        if high - low >= min(n, TABLE_DAYS):
            return Vector.of_array(VARCHAR, compute.cast(arg.array, pa.string()))
        days = pa.array(np.arange(low, high + 1, dtype=np.int32)).view(pa.date32())
        codes = arg.values - np.int32(low)
        if arg.valid is not None:
            codes = np.where(arg.valid, codes, np.int32(0))
        return _encoded(codes, arg.valid, compute.cast(days, pa.string()))

    return evaluate


def _named(infinity: int, write: Callable[[int], str]) -> Callable[[int], str]:
    def one(value: int) -> str:
        if abs(value) == infinity:
            return "infinity" if value > 0 else "-infinity"
        return write(value)

    return one


@cast(TIMESTAMPS, (TypeId.VARCHAR,))
def timestamp_to_text(source: SQLType, target: SQLType, safe: bool) -> Evaluate:
    """YYYY-MM-DD HH:MM:SS and the digits of the second that are not trailing zeros; with +00 for
    TIMESTAMPTZ.
    """
    unit = UNITS[source.id]
    digits, zone = _DIGITS[unit], "+00" if source.id is TypeId.TIMESTAMPTZ else ""
    write = _named(TIMESTAMP_INFINITY, lambda value: format_timestamp(value, digits) + zone)
    by_row = rowwise(write, VARCHAR)

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        (arg,) = args
        bounds = arg.tight_bounds()
        if bounds is None:
            return null_constant(VARCHAR)
        day = 86_400 * unit
        low, high = max(_FIRST_DAY * day, INT64_LOW), min(_LAST_DAY * day, INT64_HIGH)
        whole = not (arg.values % unit).any()
        if zone or not whole or bounds[0] < low or bounds[1] > high:
            return by_row(args, n)
        seconds = Vector.of_values(SQLType(TypeId.TIMESTAMP_S), arg.values // unit, arg.valid)
        return Vector.of_array(VARCHAR, compute.cast(seconds.array, pa.string()))

    return evaluate


@cast((TypeId.TIME, TypeId.INTERVAL, TypeId.BLOB), (TypeId.VARCHAR,))
def other_to_text(source: SQLType, target: SQLType, safe: bool) -> Evaluate:
    """Times of day, intervals and blobs."""
    return rowwise(lambda value: format_value(value, source), VARCHAR)
