"""Dates, timestamps and times as days and microseconds of the day, whatever their unit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...planner.date_units import MICROS_DAY
from ...planner.types import SQLType, TypeId
from ..casts.temporal import DATE_INFINITY, TIMESTAMP_INFINITY, UNITS
from ..vector import Valid, Vector
from .calendar import Ints

# A table of results a day is used when the batch's dates span fewer days than this.
TABLE_DAYS = 1 << 17


def finite_valid(vector: Vector) -> Valid:
    """Rows of a DATE or TIMESTAMP column that are neither NULL nor infinite."""
    infinity = DATE_INFINITY if vector.type.id is TypeId.DATE else TIMESTAMP_INFINITY
    bounds = vector.bounds
    if bounds is not None and -infinity < bounds[0] and bounds[1] < infinity:
        return vector.valid
    values = vector.values
    if len(values) and -infinity < int(values.min()) and int(values.max()) < infinity:
        return vector.valid
    finite = (values != infinity) & (values != -infinity)
    return finite if vector.valid is None else finite & vector.valid


def micros_of(vector: Vector) -> Ints:
    """Microseconds since the epoch of a DATE or TIMESTAMP column; nanoseconds are cut off downwards."""
    if vector.type.id is TypeId.DATE:
        return vector.values.astype(np.int64) * MICROS_DAY
    unit = UNITS[vector.type.id]
    if unit > 1_000_000:
        return vector.values // (unit // 1_000_000)
    return vector.values * (1_000_000 // unit) if unit < 1_000_000 else vector.values


def days_of(vector: Vector) -> Ints:
    """Days since the epoch of a DATE or TIMESTAMP column."""
    if vector.type.id is TypeId.DATE:
        return vector.values.astype(np.int64)
    return vector.values // (86_400 * UNITS[vector.type.id])


def on_days(vector: Vector, function: Callable[[Ints], Any], result: SQLType) -> Vector:
    """`function` of the days of a DATE or TIMESTAMP column, NULL where it is infinite.

    When the days lie close together, as in most data, the function runs once for each day of their range
    and rows look theirs up.
    """
    valid = finite_valid(vector)
    days = days_of(vector)
    table = _table(vector, days, function) if len(days) > 256 else None
    values = function(days) if table is None else table
    return Vector.of_values(result, np.asarray(values), valid)


def _table(vector: Vector, days: Ints, function: Callable[[Ints], Any]) -> Any:
    low, high = vector.bounds if vector.type.id is TypeId.DATE and vector.bounds else (days.min(), days.max())
    low, high = int(low), int(high)
    if high - low >= min(TABLE_DAYS, len(days)):
        return None
    values = np.asarray(function(np.arange(low, high + 1, dtype=np.int64)))
    places = days - low
    if vector.valid is not None:
        # What lies at NULL rows need not keep to the bounds.
        np.clip(places, 0, high - low, out=places)
    return values.take(places)
