"""Dates and times taken apart, rounded and moved."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from ..arguments import library
from ..errors import expects, logic_error
from ..kernels import storage
from . import traits
from ._casts import in_unit
from ._operation_types import unit
from .column import Column, made
from .scalar import Scalar
from .types import DataType, TypeId


class DatetimeComponent(IntEnum):
    YEAR = 0
    MONTH = 1
    DAY = 2
    WEEKDAY = 3
    HOUR = 4
    MINUTE = 5
    SECOND = 6
    MILLISECOND = 7
    MICROSECOND = 8
    NANOSECOND = 9


class RoundingFrequency(IntEnum):
    DAY = 0
    HOUR = 1
    MINUTE = 2
    SECOND = 3
    MILLISECOND = 4
    MICROSECOND = 5
    NANOSECOND = 6


_NANOSECONDS = {
    "DAY": 86_400 * 10**9,
    "HOUR": 3_600 * 10**9,
    "MINUTE": 60 * 10**9,
    "SECOND": 10**9,
    "MILLISECOND": 10**6,
    "MICROSECOND": 10**3,
    "NANOSECOND": 1,
}
_INT16 = DataType(TypeId.INT16)


def _checked(input: Column) -> None:
    expects(traits.is_timestamp(input.type()), logic_error("Column type should be timestamp"))


def _per(kind: DataType) -> int:
    """Nanoseconds in the type's unit."""
    return _NANOSECONDS[unit(kind.id()).removesuffix("S")]


def _days(input: Column) -> np.ndarray:
    values = storage.values(input._rows).astype(np.int64)
    return in_unit(values, unit(input.type().id()), "DAYS", floor=True)


def civil(days: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Year, month and day of days since 1970, by the Gregorian calendar however far."""
    shifted = days + 719_468
    era = np.floor_divide(shifted, 146_097)
    inside = shifted - era * 146_097
    year = (inside - inside // 1_460 + inside // 36_524 - inside // 146_096) // 365
    of_year = inside - (365 * year + year // 4 - year // 100)
    shifted_month = (5 * of_year + 2) // 153
    day = of_year - (153 * shifted_month + 2) // 5 + 1
    month = np.where(shifted_month < 10, shifted_month + 3, shifted_month - 9)
    return year + era * 400 + (month <= 2), month, day


def days_of(year: np.ndarray, month: np.ndarray, day: np.ndarray) -> np.ndarray:
    """Days since 1970."""
    year = year - (month <= 2)
    era = np.floor_divide(year, 400)
    of_era = year - era * 400
    of_year = (153 * (month + np.where(month > 2, -3, 9)) + 2) // 5 + day - 1
    return era * 146_097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719_468


def leap(year: np.ndarray) -> np.ndarray:
    return (year % 4 == 0) & ((year % 100 != 0) | (year % 400 == 0))


def _month_days(year: np.ndarray, month: np.ndarray) -> np.ndarray:
    plain = np.array([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])[month - 1]
    return plain + ((month == 2) & leap(year))


def _short(input: Column, values: np.ndarray) -> Column:
    with np.errstate(over="ignore"):
        return made(_INT16, storage.build(values.astype(np.int16), storage.valid(input._rows)))


@library
def extract_datetime_component(
    input: Column, component: DatetimeComponent, stream: Any = None, mr: Any = None
) -> Column:
    """A part as 16-bit integer; weekdays from Monday as 1; fractions are those of the next larger unit."""
    _checked(input)
    days = _days(input)
    year, month, day = civil(days)
    match component.name:
        case "YEAR":
            return _short(input, year)
        case "MONTH":
            return _short(input, month)
        case "DAY":
            return _short(input, day)
        case "WEEKDAY":
            return _short(input, (days + 3) % 7 + 1)
    per = _per(input.type())
    values = storage.values(input._rows).astype(np.int64)
    part = _NANOSECONDS[component.name]
    larger = {"HOUR": 24, "MINUTE": 60, "SECOND": 60}.get(component.name, 1000)
    if per > part:
        return _short(input, np.zeros(len(values), np.int64))
    return _short(input, np.floor_divide(values, part // per) % larger)


@library
def is_leap_year(input: Column, stream: Any = None, mr: Any = None) -> Column:
    _checked(input)
    found = leap(civil(_days(input))[0])
    return made(DataType(TypeId.BOOL8), storage.build(found, storage.valid(input._rows)))


@library
def day_of_year(input: Column, stream: Any = None, mr: Any = None) -> Column:
    _checked(input)
    days = _days(input)
    year = civil(days)[0]
    one = np.ones_like(year)
    return _short(input, days - days_of(year, one, one) + 1)


@library
def extract_quarter(input: Column, stream: Any = None, mr: Any = None) -> Column:
    _checked(input)
    return _short(input, (civil(_days(input))[1] + 2) // 3)


@library
def days_in_month(input: Column, stream: Any = None, mr: Any = None) -> Column:
    _checked(input)
    year, month, _ = civil(_days(input))
    return _short(input, _month_days(year, month))


@library
def last_day_of_month(input: Column, stream: Any = None, mr: Any = None) -> Column:
    """The last day as a date, whatever the unit of the column."""
    _checked(input)
    year, month, _ = civil(_days(input))
    found = days_of(year, month, _month_days(year, month)).astype(np.int32)
    return made(DataType(TypeId.TIMESTAMP_DAYS), storage.build(found, storage.valid(input._rows)))


@library
def add_calendrical_months(
    input: Column, months: Column | Scalar, stream: Any = None, mr: Any = None
) -> Column:
    """So many months later, on the last day of a month that is too short; the time of day stays."""
    _checked(input)
    known = months.type().id() in (TypeId.INT16, TypeId.INT32)
    expects(known, logic_error("Months column type should be INT16 or INT32."))
    if isinstance(months, Column):
        expects(
            months.size() == input.size(), logic_error("Timestamp and months column should be of same size.")
        )
        other = months._rows
    else:
        other = storage.repeated(months._row, input.size())
    days = _days(input)
    year, month, day = civil(days)
    total = year * 12 + month - 1 + storage.values(other).astype(np.int64)
    year, month = np.floor_divide(total, 12), total % 12 + 1
    moved = days_of(year, month, np.minimum(day, _month_days(year, month)))
    values = storage.values(input._rows)
    per_day = 86_400 * 10**9 // _per(input.type())
    with np.errstate(over="ignore"):
        found = (values.astype(np.int64) + (moved - days) * per_day).astype(values.dtype)
    keep = storage.both(storage.valid(input._rows), storage.valid(other))
    return made(input._kind, storage.build(found, keep))


def _rounded(input: Column, freq: RoundingFrequency, how: str) -> Column:
    _checked(input)
    values = storage.values(input._rows)
    step = _NANOSECONDS[freq.name] // _per(input.type())
    if step <= 1:
        return made(input._kind, input._rows)
    wide = values.astype(np.int64)
    down = np.floor_divide(wide, step) * step
    rest = wide - down
    up = {"floor": rest < 0, "ceil": rest > 0, "round": 2 * rest >= step}[how]
    found = down + np.where(up, step, 0)
    return made(input._kind, storage.build(found.astype(values.dtype), storage.valid(input._rows)))


@library
def ceil_datetimes(input: Column, freq: RoundingFrequency, stream: Any = None, mr: Any = None) -> Column:
    return _rounded(input, freq, "ceil")


@library
def floor_datetimes(input: Column, freq: RoundingFrequency, stream: Any = None, mr: Any = None) -> Column:
    return _rounded(input, freq, "floor")


@library
def round_datetimes(input: Column, freq: RoundingFrequency, stream: Any = None, mr: Any = None) -> Column:
    return _rounded(input, freq, "round")
