"""Dates, times, timestamps and intervals made of numbers, and the time of the statement."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ...planner import messages_values as messages
from ...planner.date_units import MICROS_DAY, MICROS_SECOND
from ...planner.expr import Call
from ...planner.temporal import days_from_civil, month_length
from ...planner.types import DATE, TIME, TIMESTAMP, TIMESTAMPTZ
from ..vector import Vector
from .clock import statement_micros
from .registry import Evaluate, scalar
from .rowwise import rowwise
from .temporal_arithmetic import make_interval

_MOST_DAYS = 2**31 - 2


def _date(year: int, month: int, day: int) -> int:
    if not (1 <= month <= 12 and abs(year) < 6_000_000 and 1 <= day <= month_length(year, month)):
        raise messages.conversion(f"Date out of range: {year}-{month}-{day}")
    days = days_from_civil(year, month, day)
    if abs(days) > _MOST_DAYS:
        raise messages.conversion(f"Date out of range: {year}-{month}-{day}")
    return days


def _time(hour: int, minute: int, seconds: float) -> int:
    """Microseconds, rounded; 24:00:00 is the last one."""
    micros = round(seconds * MICROS_SECOND) if math.isfinite(seconds) else -1
    total = (hour * 60 + minute) * 60 * MICROS_SECOND + micros
    if not (
        0 <= hour <= 24 and 0 <= minute < 60 and 0 <= micros <= 60 * MICROS_SECOND and total <= MICROS_DAY
    ):
        raise messages.conversion(f"Time out of range: {hour}:{minute}:{seconds:f}")
    return total


def _timestamp(year: int, month: int, day: int, hour: int, minute: int, seconds: float) -> int:
    micros = _date(year, month, day) * MICROS_DAY + _time(hour, minute, seconds)
    if abs(micros) >= 2**63 - 1:
        raise messages.conversion("Date and time not in timestamp range")
    return micros


@scalar("make_date")
def make_date(call: Call) -> Evaluate:
    """Of year, month and day, or of days since 1970-01-01."""
    if len(call.args) == 1:
        return lambda args, n: Vector.of_values(DATE, args[0].values, args[0].valid, args[0].bounds)
    return rowwise(_date, DATE)


@scalar("make_time")
def make_time(call: Call) -> Evaluate:
    """Of hour, minute and seconds."""
    return rowwise(_time, TIME)


@scalar("make_timestamp")
def make_timestamp(call: Call) -> Evaluate:
    """Of its six parts, or of microseconds since 1970-01-01."""
    if len(call.args) == 1:
        return lambda args, n: Vector.of_values(TIMESTAMP, args[0].values, args[0].valid, args[0].bounds)
    return rowwise(_timestamp, TIMESTAMP)


# Months, days and microseconds of one unit.
_UNITS: dict[str, tuple[int, int, int]] = {
    "to_millennia": (12_000, 0, 0),
    "to_centuries": (1200, 0, 0),
    "to_decades": (120, 0, 0),
    "to_years": (12, 0, 0),
    "to_quarters": (3, 0, 0),
    "to_months": (1, 0, 0),
    "to_weeks": (0, 7, 0),
    "to_days": (0, 1, 0),
    "to_hours": (0, 0, 3600 * MICROS_SECOND),
    "to_minutes": (0, 0, 60 * MICROS_SECOND),
    "to_seconds": (0, 0, MICROS_SECOND),
    "to_milliseconds": (0, 0, 1000),
    "to_microseconds": (0, 0, 1),
}


@scalar(*_UNITS)
def to_units(call: Call) -> Evaluate:
    """An interval of a number of units."""
    months, days, micros = _UNITS[call.function]
    unit = call.function[3:]

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        (arg,) = args
        values = arg.values
        # The stored form counts nanoseconds: of the parts, time ends first.
        limit, unit_size = (2**31, months + days) if not micros else ((2**63 - 1) // 1000, micros)
        with np.errstate(all="ignore"):
            sizes = values.astype(np.float64) * unit_size
            wrong = ~((sizes >= -limit) & (sizes < limit))
        if arg.valid is not None:
            wrong &= arg.valid
        if wrong.any():
            value = values[int(wrong.argmax())]
            raise messages.out_of_range(f"Interval value {value} {unit} out of range")
        if values.dtype.kind == "f":
            scaled = np.rint(np.where(np.isfinite(values), values, 0) * micros).astype(np.int64)
        else:
            scaled = values.astype(np.int64) * micros
        whole = values.astype(np.int64) if values.dtype.kind != "f" else np.zeros(len(values), dtype=np.int64)
        return make_interval(whole * months, whole * days, scaled, arg.valid)

    return evaluate


@scalar("current_date")
def current_date(call: Call) -> Evaluate:
    """Today in UTC."""
    return lambda args, n: Vector.constant(DATE, statement_micros() // MICROS_DAY)


@scalar("now")
def now(call: Call) -> Evaluate:
    """This moment."""
    return lambda args, n: Vector.constant(TIMESTAMPTZ, statement_micros())
