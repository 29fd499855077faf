"""time_bucket: moments put into intervals of one width, which begin at an origin."""

from __future__ import annotations

from typing import Any

from ...planner import messages_values as messages
from ...planner.date_units import MICROS_DAY
from ...planner.expr import Call
from ...planner.temporal import civil_from_days, days_from_civil, month_length
from ...planner.types import SQLType, TypeId
from ..casts.temporal import DATE_INFINITY, TIMESTAMP_INFINITY
from .registry import Evaluate, scalar
from .rowwise import rowwise
from .time_zones import local_micros, utc_micros

# Widths of days and less count from a Monday, months from a January.
_ORIGIN = 10_959 * MICROS_DAY
_ORIGIN_MONTHS = 30 * 12
Interval = tuple[int, int, int]


@scalar("time_bucket")
def time_bucket(call: Call) -> Evaluate:
    """The start of the bucket; NULL for an infinite origin."""
    kind = call.type
    third = call.args[2].type if len(call.args) > 2 else None

    def one(width: Interval, value: int, more: Any = None) -> int | None:
        _check_width(width)
        if kind.id is not TypeId.TIME and abs(value) == _infinity(kind):
            return value
        moment = value * MICROS_DAY if kind.id is TypeId.DATE else value
        if third is None:
            found = _bucket(width, moment)
        elif third.id is TypeId.INTERVAL:
            found = _moved(_bucket(width, _moved(moment, more, -1)), more, 1)
        elif third.is_string:
            found = utc_micros(more, _bucket(width, local_micros(more, moment)))
        else:
            if kind.id is not TypeId.TIME and abs(more) == _infinity(kind):
                return None
            found = _bucket(width, moment, more * MICROS_DAY if kind.id is TypeId.DATE else more)
        if kind.id is TypeId.TIME:
            return found % MICROS_DAY
        return found // MICROS_DAY if kind.id is TypeId.DATE else found

    return rowwise(one, kind)


def _infinity(kind: SQLType) -> int:
    return DATE_INFINITY if kind.id is TypeId.DATE else TIMESTAMP_INFINITY


def _check_width(width: Interval) -> None:
    months, days, micros = width
    if months and (days or micros):
        raise messages.unsupported_part("Month intervals with a day or time component", "time_bucket")
    if months < 0 or (not months and days * MICROS_DAY + micros <= 0):
        raise messages.invalid_input("Period must be greater than 0")


def _bucket(width: Interval, moment: int, origin: int | None = None) -> int:
    months, days, micros = width
    if months:
        first = _ORIGIN_MONTHS if origin is None else _months(origin)
        here = _months(moment)
        year, month = divmod(first + (here - first) // months * months, 12)
        return days_from_civil(1970 + year, month + 1, 1) * MICROS_DAY
    size = days * MICROS_DAY + micros
    start = _ORIGIN if origin is None else origin
    return start + (moment - start) // size * size


def _months(moment: int) -> int:
    year, month, _ = civil_from_days(moment // MICROS_DAY)
    return (year - 1970) * 12 + month - 1


def _moved(moment: int, by: Interval, sign: int) -> int:
    months, days, micros = by
    day, rest = divmod(moment, MICROS_DAY)
    if months:
        year, month, number = civil_from_days(day)
        year, month = divmod(year * 12 + month - 1 + sign * months, 12)
        day = days_from_civil(year, month + 1, min(number, month_length(year, month + 1)))
    return (day + sign * days) * MICROS_DAY + rest + sign * micros
