"""Between two moments, with a constant part: date_diff counts boundaries crossed, date_sub whole parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...planner.date_units import CLOCK_UNITS, DAYS, MICROS_DAY, MONTHS, WEEKS
from ...planner.expr import Call
from ...planner.functions import DATE_PARTS
from ..moments import Calendar, days_of, infinite, micros_of, month_length
from ..number import Number, nulled
from ..storage import data_type
from ..values import Evaluation, Value
from .registry import scalar

# What both functions take.
PARTS = frozenset({*CLOCK_UNITS, *DAYS, *WEEKS, *MONTHS})


def _months(calendar: Calendar) -> Number:
    return calendar.year * 12 + calendar.month - 1


def _crossed(part: str, start: Value, end: Value, run: Evaluation) -> Number:
    """Boundaries of the part between two moments."""
    if part in CLOCK_UNITS:
        unit = CLOCK_UNITS[part]
        return micros_of(end, run) // unit - micros_of(start, run) // unit
    a, b = days_of(start, run), days_of(end, run)
    if part in DAYS:
        return b - a
    if part in WEEKS:
        return (b - a).over(7)
    first, last = Calendar(a), Calendar(b)
    if part == "isoyear":
        return last.iso[0] - first.iso[0]
    unit = MONTHS[part]
    if unit < 12:
        return _months(last).over(unit) - _months(first).over(unit)
    return last.year.over(unit // 12) - first.year.over(unit // 12)


def _whole(part: str, start: Value, end: Value, run: Evaluation) -> Number:
    """Whole parts between two moments, negative when the end is before the start."""
    a, b = micros_of(start, run), micros_of(end, run)
    if part in CLOCK_UNITS:
        return (b - a).over(CLOCK_UNITS[part])
    if part in DAYS:
        return (b - a).over(MICROS_DAY)
    if part in WEEKS:
        return (b - a).over(7 * MICROS_DAY)
    return _whole_months(a, b).over(MONTHS[part])


def _whole_months(start: Number, end: Number) -> Number:
    """Whole months: the day of the month and the time of day must be reached; the last day of a month counts
    as any later day of a longer one.
    """
    ops = start.ops
    backward = start.above(end)
    a, b = start.unless(backward, end), end.unless(backward, start)
    first_day, last_day = a // MICROS_DAY, b // MICROS_DAY
    first_time, last_time = a - first_day * MICROS_DAY, b - last_day * MICROS_DAY
    first, last = Calendar(first_day), Calendar(last_day)
    months = _months(last) - _months(first)
    at_end = last.day.equals(month_length(last.year, last.month))
    day = first.day.unless(ops.both(at_end, first.day.above(last.day)), last.day)
    earlier = ops.both(last.day.equals(day), last_time.below(first_time))
    months = months - Number(ops.either(last.day.below(day), earlier), ops)
    return months.unless(backward, -months)


@scalar("date_diff", "date_sub")
def between(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """NULL where one of the moments is infinite."""
    part = DATE_PARTS[args[0].literal.lower()]
    count = _crossed if node.function == "date_diff" else _whole
    made: Any = run.ops.cast(count(part, args[1], args[2], run).column, data_type(node.type))
    for arg in args[1:]:
        gone = infinite(arg, run)
        if gone is not None:
            made = nulled(made, gone, run.ops)
    return Value(node.type, made)
