"""Values of literals: order, numbers as exact fractions, and the mark of what cannot be folded."""

from __future__ import annotations

from fractions import Fraction
from math import isfinite, isnan
from typing import Any

from ...types import INTEGER_RANGES, SQLType, TypeId


class _Unknown:
    """Stands for a value that is left for execution: it may fail there, or its rules are not known here."""

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN = _Unknown()

_DIRECT = frozenset(
    {
        *INTEGER_RANGES,
        TypeId.BOOLEAN,
        TypeId.DECIMAL,
        TypeId.DATE,
        TypeId.TIME,
        TypeId.TIMESTAMP,
        TypeId.TIMESTAMP_S,
        TypeId.TIMESTAMP_MS,
        TypeId.TIMESTAMP_NS,
        TypeId.TIMESTAMPTZ,
        # Python orders strings by code point, which is the order of their UTF-8 bytes.
        TypeId.VARCHAR,
        TypeId.BLOB,
    }
)


def compare(left: Any, right: Any, kind: SQLType) -> int | None:
    """-1, 0 or 1 as two non-NULL values of one type compare; None where that is not known. NaN equals itself
    and is greatest.

    >>> from ...types import DOUBLE, INTEGER
    >>> compare(1, 2, INTEGER), compare(float("nan"), 1.0, DOUBLE), compare(0.0, -0.0, DOUBLE)
    (-1, 1, 0)
    """
    if kind.id in _DIRECT:
        return (left > right) - (left < right)
    if kind.is_float:
        if isnan(left) or isnan(right):
            return isnan(left) - isnan(right)
        return (left > right) - (left < right)
    return None


def is_comparable(kind: SQLType) -> bool:
    """Whether `compare` answers for the type."""
    return kind.id in _DIRECT or kind.is_float


def as_fraction(value: Any, kind: SQLType) -> Fraction | None:
    """A numeric literal as an exact fraction; None for other types, NaN and infinities."""
    if kind.is_integer:
        return Fraction(value)
    if kind.is_decimal:
        return Fraction(value, 10**kind.scale)
    if kind.is_float and isfinite(value):
        return Fraction(value)
    return None


def in_range(value: int, kind: SQLType) -> bool:
    """Whether an integer or scaled integer fits an integer or DECIMAL type."""
    if kind.is_decimal:
        return abs(value) < 10**kind.width
    low, high = INTEGER_RANGES[kind.id]
    return low <= value <= high


def rounded(value: Fraction) -> int:
    """To the nearest integer, halves away from zero."""
    whole = (abs(value) + Fraction(1, 2)).__floor__()
    return -whole if value < 0 else whole
