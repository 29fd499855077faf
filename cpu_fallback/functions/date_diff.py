"""Between two moments: date_diff counts boundaries of a part that are crossed, date_sub whole parts, age
gives an interval.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...planner import messages_values as messages
from ...planner.date_units import CLOCK_UNITS, DAYS, MICROS_DAY, MONTHS, WEEKS
from ...planner.expr import Call
from ...planner.types import BIGINT, TypeId
from ..vector import Valid, Vector
from .calendar import civil, days_in_month, split_micros
from .clock import statement_micros
from .date_parts import by_name, canonical_part, iso_year_week, truncated_divide
from .moments import days_of, finite_valid, micros_of
from .registry import Evaluate, scalar
from .temporal_arithmetic import make_interval

_Count = Callable[[str, Vector, Vector], Any]


def _counting(count: _Count, name: str, what: str) -> Callable[[Call], Evaluate]:
    def build(call: Call) -> Evaluate:
        def evaluate(args: Sequence[Vector], n: int) -> Vector:
            names, start, end = args[0], args[1].expand(n), args[2].expand(n)
            valid = _both(start, end)

            def one(part: str) -> Vector:
                return Vector.of_values(BIGINT, count(part, start, end), valid)

            return (
                one(canonical_part(names.value))
                if names.is_constant
                else by_name(names, valid, n, BIGINT, one)
            )

        return evaluate

    build.__doc__ = what
    return scalar(name)(build)


def _both(start: Vector, end: Vector) -> Valid:
    """Rows where neither is NULL or infinite."""
    if start.type.id is TypeId.TIME:
        left, right = start.valid, end.valid
    else:
        left, right = finite_valid(start), finite_valid(end)
    if left is None or right is None:
        return left if right is None else right
    return left & right


def _crossed(part: str, start: Vector, end: Vector) -> Any:
    """Boundaries of the part between two moments."""
    if start.type.id is TypeId.TIME:
        _refuse_calendar(part)
        return end.values // CLOCK_UNITS[part] - start.values // CLOCK_UNITS[part]
    if part in CLOCK_UNITS:
        unit = CLOCK_UNITS[part]
        return micros_of(end) // unit - micros_of(start) // unit
    a, b = days_of(start), days_of(end)
    if part in DAYS:
        return b - a
    if part in WEEKS:
        return truncated_divide(b - a, 7)
    if part == "isoyear":
        return iso_year_week(b)[0] - iso_year_week(a)[0]
    if part not in MONTHS:
        raise messages.unsupported_part(part, "date_diff")
    first, last = civil(a), civil(b)
    if part in ("month", "quarter"):
        unit = MONTHS[part]
        before = truncated_divide(first.year * 12 + first.month - 1, unit)
        return truncated_divide(last.year * 12 + last.month - 1, unit) - before
    unit = MONTHS[part] // 12
    return truncated_divide(last.year, unit) - truncated_divide(first.year, unit)


def _refuse_calendar(part: str) -> None:
    if part not in CLOCK_UNITS:
        raise messages.unsupported_part(part, "a TIME")


def _whole(part: str, start: Vector, end: Vector) -> Any:
    """Whole parts between two moments, negative when the end is before the start."""
    if start.type.id is TypeId.TIME:
        _refuse_calendar(part)
        return truncated_divide(end.values - start.values, CLOCK_UNITS[part])
    a, b = micros_of(start), micros_of(end)
    if part in CLOCK_UNITS:
        return truncated_divide(b - a, CLOCK_UNITS[part])
    if part in DAYS:
        return truncated_divide(b - a, MICROS_DAY)
    if part in WEEKS:
        return truncated_divide(b - a, 7 * MICROS_DAY)
    if part not in MONTHS:
        raise messages.unsupported_part(part, "date_sub")
    return truncated_divide(whole_months(a, b), MONTHS[part])


def whole_months(start: Any, end: Any) -> Any:
    """Whole months between two moments in microseconds: the day of the month and the time of day must be
    reached; the last day of a month counts as any later day of a longer one.
    """
    backward = start > end
    a, b = np.where(backward, end, start), np.where(backward, start, end)
    (first_day, first_time), (last_day, last_time) = split_micros(a), split_micros(b)
    first, last = civil(first_day), civil(last_day)
    months = (last.year - first.year) * 12 + last.month - first.month
    at_end = last.day == days_in_month(last.year, last.month)
    day = np.where(at_end & (first.day > last.day), last.day, first.day)
    short = (last.day < day) | ((last.day == day) & (last_time < first_time))
    return np.where(backward, -1, 1) * (months - short)


date_diff = _counting(_crossed, "date_diff", "Boundaries crossed.")
date_sub = _counting(_whole, "date_sub", "Whole parts.")


@scalar("age")
def age(call: Call) -> Evaluate:
    """The interval from the second moment to the first, or to midnight of the statement's day, in months,
    days and time that count as people do.
    """

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        if len(args) == 2:
            later, earlier = args[0].expand(n), args[1].expand(n)
            return _age(micros_of(later), micros_of(earlier), _both(later, earlier))
        (earlier,) = args
        today = statement_micros() // MICROS_DAY * MICROS_DAY
        moments = micros_of(earlier)
        return _age(np.full(len(moments), today), moments, finite_valid(earlier))

    return evaluate


def _age(later: Any, earlier: Any, valid: Valid) -> Vector:
    """Field by field, borrowing from the next greater one; negative when `later` is before `earlier`."""
    backward = later < earlier
    a, b = np.where(backward, earlier, later), np.where(backward, later, earlier)
    (a_day, a_time), (b_day, b_time) = split_micros(a), split_micros(b)
    first, last = civil(b_day), civil(a_day)
    months = (last.year - first.year) * 12 + last.month - first.month
    days = last.day - first.day
    micros = a_time - b_time
    borrow = micros < 0
    micros = micros + borrow * MICROS_DAY
    days = days - borrow
    short = days < 0
    # A borrowed month has the length of the earlier moment's month.
    days = days + short * days_in_month(first.year, first.month)
    months = months - short
    sign = np.where(backward, -1, 1)
    return make_interval(months * sign, days * sign, micros * sign, valid)
