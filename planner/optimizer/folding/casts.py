"""Casts of literals that cannot fail and whose rules are plain; everything else is left for execution."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from ...types import SQLType, TypeId
from .dates import DAY, to_date, to_days
from .values import UNKNOWN, as_fraction, in_range, rounded

_INTEGER = re.compile(r"-?[0-9]{1,38}\Z")
_DECIMAL = re.compile(r"(-?)([0-9]{1,38})(?:\.([0-9]{1,38}))?\Z")
_DATE = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})\Z")
_TIMESTAMP = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})[ T]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]{1,6}))?\Z"
)
# Doubles hold these exactly, and a quotient of two of them is rounded once, as in a division of doubles.
_EXACT_DOUBLE = 2**53
_EXACT_POWER = 22


def fold_cast(value: Any, source: SQLType, target: SQLType) -> Any:
    """The value of CAST(value AS target), or UNKNOWN.

    >>> from ...types import DATE, INTEGER, VARCHAR, decimal
    >>> fold_cast("1998-12-01", VARCHAR, DATE), fold_cast(25, decimal(3, 1), INTEGER)
    (10561, 3)
    >>> fold_cast("x", VARCHAR, INTEGER)
    UNKNOWN
    """
    if value is None or source == target:
        return value
    if target.is_integer or target.is_decimal:
        return _to_exact(value, source, target)
    handler = _HANDLERS.get(target.id)
    return UNKNOWN if handler is None else handler(value, source)


def _to_exact(value: Any, source: SQLType, target: SQLType) -> Any:
    if source.id is TypeId.BOOLEAN:
        number: Fraction | None = Fraction(int(value))
    elif source.is_integer or source.is_decimal:
        number = as_fraction(value, source)
    elif source.is_string:
        number = _number(value, target)
    else:
        number = None
    if number is None:
        return UNKNOWN
    scaled = rounded(number * 10**target.scale)
    return scaled if in_range(scaled, target) else UNKNOWN


def _number(text: str, target: SQLType) -> Fraction | None:
    """The number a text stands for, where the target takes it without rounding."""
    if target.is_integer:
        return Fraction(int(text)) if _INTEGER.match(text) else None
    found = _DECIMAL.match(text)
    if found is None:
        return None
    sign, whole, part = found.groups()
    part = part or ""
    if len(part) > target.scale:
        return None
    number = Fraction(int(whole + part), 10 ** len(part))
    return -number if sign else number


def _to_double(value: Any, source: SQLType) -> Any:
    if source.id is TypeId.FLOAT:
        return value
    if source.is_integer or source.id is TypeId.BOOLEAN:
        return float(value) if abs(value) <= _EXACT_DOUBLE else UNKNOWN
    if source.is_decimal and abs(value) <= _EXACT_DOUBLE and source.scale <= _EXACT_POWER:
        return value / 10**source.scale
    if source.is_string and _DECIMAL.match(value):
        return float(value)
    return UNKNOWN


def _to_date(value: Any, source: SQLType) -> Any:
    if source.id is TypeId.TIMESTAMP:
        days = value // DAY
        return days if to_date(days) is not None else UNKNOWN
    found = _DATE.match(value) if source.is_string else None
    days = to_days(*(int(part) for part in found.groups())) if found else None
    return UNKNOWN if days is None else days


def _to_timestamp(value: Any, source: SQLType) -> Any:
    if source.id is TypeId.DATE:
        return value * DAY if to_date(value) is not None else UNKNOWN
    if not source.is_string:
        return UNKNOWN
    day, rest = value, 0
    found = _TIMESTAMP.match(value)
    if found:
        day, *clock, part = found.groups()
        hour, minute, second = (int(c) for c in clock)
        if hour > 23 or minute > 59 or second > 59:
            return UNKNOWN
        rest = ((hour * 60 + minute) * 60 + second) * 1_000_000 + int((part or "0").ljust(6, "0"))
    days = _to_date(day, source)
    return UNKNOWN if days is UNKNOWN else days * DAY + rest


def _to_boolean(value: Any, source: SQLType) -> Any:
    if source.is_integer:
        return value != 0
    if source.is_string and value in ("true", "false"):
        return value == "true"
    return UNKNOWN


def _to_text(value: Any, source: SQLType) -> Any:
    if source.is_integer:
        return str(value)
    if source.id is TypeId.BOOLEAN:
        return "true" if value else "false"
    if source.id is TypeId.DATE:
        day = to_date(value)
        return UNKNOWN if day is None else day.isoformat()
    return UNKNOWN


_HANDLERS: dict[TypeId, Callable[[Any, SQLType], Any]] = {
    TypeId.DOUBLE: _to_double,
    TypeId.DATE: _to_date,
    TypeId.TIMESTAMP: _to_timestamp,
    TypeId.BOOLEAN: _to_boolean,
    TypeId.VARCHAR: _to_text,
}
