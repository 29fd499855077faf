"""date_trunc: the start of the part that a moment lies in, or an interval without its smaller parts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...planner import messages_values as messages
from ...planner.date_units import CLOCK_UNITS, DAYS, MICROS_DAY, MONTHS, WEEKS
from ...planner.expr import Call
from ...planner.types import SQLType, TypeId
from ..casts.temporal import TIMESTAMP_INFINITY
from ..vector import Vector
from .calendar import civil, days_from_civil
from .date_parts import by_name, canonical_part, iso_weekday, iso_year_week, truncated_divide
from .moments import days_of, finite_valid, micros_of
from .registry import Evaluate, scalar
from .temporal_arithmetic import make_interval


def _years(unit: int) -> Callable[[Any], Any]:
    def start(days: Any) -> Any:
        year = truncated_divide(civil(days).year, unit) * unit
        return days_from_civil(year, np.ones_like(year), 1)

    return start


def _months(unit: int) -> Callable[[Any], Any]:
    def start(days: Any) -> Any:
        date = civil(days)
        return days_from_civil(date.year, (date.month - 1) // unit * unit + 1, 1)

    return start


def _monday(days: Any) -> Any:
    return days - iso_weekday(days) + 1


def _iso_year(days: Any) -> Any:
    year = iso_year_week(days)[0]
    # 4 January always lies in the first week.
    return _monday(days_from_civil(year, np.ones_like(year), 4))


# Start of the part as days, from days.
STARTS: dict[str, Callable[[Any], Any]] = {
    "millennium": _years(1000),
    "century": _years(100),
    "decade": _years(10),
    "year": _years(1),
    "isoyear": _iso_year,
    "quarter": _months(3),
    "month": _months(1),
    "week": _monday,
    "yearweek": _monday,
    "day": lambda days: days,
    "dayofweek": lambda days: days,
    "isodow": lambda days: days,
    "dayofyear": lambda days: days,
    "julian": lambda days: days,
}


@scalar("date_trunc")
def date_trunc(call: Call) -> Evaluate:
    """See the module."""
    result = call.type

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        names, moments = args
        moments = moments.expand(n)
        truncate = _truncate_interval if moments.type.id is TypeId.INTERVAL else _truncate

        def one(name: str) -> Vector:
            return truncate(name, moments, result)

        return (
            one(canonical_part(names.value))
            if names.is_constant
            else by_name(names, moments.valid, n, result, one)
        )

    return evaluate


def _truncate(name: str, moments: Vector, result: SQLType) -> Vector:
    micros, finite = micros_of(moments), finite_valid(moments)
    if name in CLOCK_UNITS:
        unit = CLOCK_UNITS[name]
        values = micros if unit == 1 else micros - micros % unit
    elif name in STARTS:
        values = STARTS[name](days_of(moments)) * MICROS_DAY
    else:
        raise messages.unsupported_part(name, "date_trunc")
    if finite is not moments.valid:
        # Infinities stay.
        assert finite is not None
        values = np.where(finite, values, np.sign(moments.values).astype(np.int64) * TIMESTAMP_INFINITY)
    return Vector.of_values(result, values, moments.valid)


def _truncate_interval(name: str, intervals: Vector, result: SQLType) -> Vector:
    given = intervals.values
    months, days = given["months"].astype(np.int64), given["days"].astype(np.int64)
    micros = given["nanos"] // 1000
    none = np.zeros_like(micros)
    if name in MONTHS:
        unit = MONTHS[name]
        return make_interval(truncated_divide(months, unit) * unit, none, none, intervals.valid)
    if name in WEEKS:
        return make_interval(months, truncated_divide(days, 7) * 7, none, intervals.valid)
    if name in CLOCK_UNITS:
        unit = CLOCK_UNITS[name]
        return make_interval(months, days, truncated_divide(micros, unit) * unit, intervals.valid)
    if name in DAYS:
        return make_interval(months, days, none, intervals.valid)
    raise messages.unsupported_part(name, "an INTERVAL")
