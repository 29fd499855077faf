"""+ - * / on dates, times, timestamps and intervals.

An interval is added month by month (the day is cut to the length of the month), then its days, then its
time. Infinite dates and timestamps stay.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...planner import messages_values as messages
from ...planner.date_units import MICROS_DAY
from ...planner.expr import Call
from ...planner.types import DATE, INTERVAL, TIMESTAMP, SQLType, TypeId
from ..casts.temporal import DATE_INFINITY, TIMESTAMP_INFINITY, UNITS
from ..storage import INTERVAL_DTYPE
from ..vector import Valid, Vector, combined_valid
from .calendar import add_months
from .integers import first_row
from .registry import Evaluate

_TIMESTAMPS = frozenset(UNITS)
_NANOS_LIMIT = (2**63 - 1) // 1000


def temporal_plus(call: Call) -> Evaluate:
    """Sums in which a date, time, timestamp or interval takes part; the order of the operands does not
    matter.
    """
    left, right = (arg.type for arg in call.args)
    pair = (left.id, right.id)
    if (left.id is TypeId.INTERVAL and right.id is not TypeId.INTERVAL) or pair in (
        (TypeId.INTEGER, TypeId.DATE),
        (TypeId.TIME, TypeId.DATE),
    ):
        flipped = _sum(call, right, left)
        return lambda args, n: flipped((args[1], args[0]), n)
    return _sum(call, left, right)


def _sum(call: Call, left: SQLType, right: SQLType) -> Evaluate:
    if right.id is TypeId.INTERVAL:
        if left.id is TypeId.INTERVAL:
            return lambda args, n: _combine_intervals(args, 1)
        if left.id is TypeId.TIME:
            return lambda args, n: _time_plus(args, 1)
        return _shifting(left, call.type, 1)
    if left.id is TypeId.DATE and right.id is TypeId.TIME:
        return _date_plus_time
    assert (left.id, right.id) == (TypeId.DATE, TypeId.INTEGER), call
    return lambda args, n: _move_date(args, 1)


def temporal_minus(call: Call) -> Evaluate:
    """Differences in which a date, time, timestamp or interval takes part."""
    left, right = (arg.type for arg in call.args)
    if right.id is TypeId.INTERVAL:
        if left.id is TypeId.INTERVAL:
            return lambda args, n: _combine_intervals(args, -1)
        if left.id is TypeId.TIME:
            return lambda args, n: _time_plus(args, -1)
        return _shifting(left, call.type, -1)
    if (left.id, right.id) == (TypeId.DATE, TypeId.DATE):
        return _days_between
    if left.id in _TIMESTAMPS and right.id in _TIMESTAMPS:
        return _elapsed
    assert (left.id, right.id) == (TypeId.DATE, TypeId.INTEGER), call
    return lambda args, n: _move_date(args, -1)


def temporal_negation(args: Sequence[Vector], n: int) -> Vector:
    """An interval with every part negated."""
    (arg,) = args
    given = arg.values
    months, days, nanos = -given["months"].astype(np.int64), -given["days"].astype(np.int64), -given["nanos"]
    return make_interval(months, days, nanos // 1000, arg.valid)


def make_interval(months: Any, days: Any, micros: Any, valid: Valid) -> Vector:
    """Intervals from int64 parts; a part that does not fit its storage is an error."""
    n = max(np.size(months), np.size(days), np.size(micros))
    values = np.empty(n, dtype=INTERVAL_DTYPE)
    months, days, micros = (np.broadcast_to(np.asarray(part), (n,)) for part in (months, days, micros))
    wrong = (months > 2**31 - 1) | (months < -(2**31)) | (days > 2**31 - 1) | (days < -(2**31))
    wrong |= (micros > _NANOS_LIMIT) | (micros < -_NANOS_LIMIT)
    if first_row(wrong, valid) >= 0:
        raise messages.out_of_range("Interval value is out of range")
    with np.errstate(over="ignore"):
        values["months"], values["days"], values["nanos"] = months, days, micros * 1000
    return Vector.of_values(INTERVAL, values, valid)


def _split(values: Any) -> tuple[Any, Any, Any]:
    """Months, days and microseconds as int64."""
    return values["months"].astype(np.int64), values["days"].astype(np.int64), values["nanos"] // 1000


def _combine_intervals(args: Sequence[Vector], sign: int) -> Vector:
    left, right = args
    (m, d, u), (months, days, micros) = _split(left.values), _split(right.values)
    valid = combined_valid(left, right)
    return make_interval(m + sign * months, d + sign * days, u + sign * micros, valid)


def _move_date(args: Sequence[Vector], sign: int) -> Vector:
    """DATE plus or minus INTEGER days."""
    date, shift = args
    valid = combined_valid(date, shift)
    given = date.values
    days = given.astype(np.int64) + sign * shift.values.astype(np.int64)
    return finish_dates(days, np.abs(given.astype(np.int64)) == DATE_INFINITY, given, valid)


def finish_dates(days: Any, infinite: Any, given: Any, valid: Valid) -> Vector:
    """Dates from int64 days; where `infinite`, the given date. The least finite date is -2147483646."""
    days = np.where(infinite, given, days) if np.any(infinite) else days
    wrong = ((days >= DATE_INFINITY) | (days <= -DATE_INFINITY)) & ~infinite
    if first_row(np.atleast_1d(wrong), valid) >= 0:
        raise messages.out_of_range("Date out of range")
    return Vector.of_values(DATE, days.astype(np.int32), valid)


def _date_plus_time(args: Sequence[Vector], n: int) -> Vector:
    date, time = args
    days = date.values.astype(np.int64)
    infinite = np.abs(days) == DATE_INFINITY
    special = (infinite, np.sign(days) * TIMESTAMP_INFINITY) if np.any(infinite) else None
    return finish_timestamps(TIMESTAMP, days, time.values, special, combined_valid(date, time))


def _days_between(args: Sequence[Vector], n: int) -> Vector:
    from ...planner.types import BIGINT

    left, right = args
    values = left.values.astype(np.int64) - right.values.astype(np.int64)
    return Vector.of_values(BIGINT, values, combined_valid(left, right))


def _elapsed(args: Sequence[Vector], n: int) -> Vector:
    """Days of 24 hours and the time that is left, between two timestamps."""
    left, right = args
    valid = combined_valid(left, right)
    a, b = left.values, right.values
    with np.errstate(over="ignore"):
        micros = a - b
    wrong = ((a ^ b) & (a ^ micros)) < 0
    for side in (a, b):
        wrong = wrong | (side == TIMESTAMP_INFINITY) | (side == -TIMESTAMP_INFINITY)
    if first_row(wrong, valid) >= 0:
        raise messages.conversion("Timestamp difference is out of bounds")
    days = micros // MICROS_DAY + ((micros % MICROS_DAY != 0) & (micros < 0))
    return make_interval(np.int64(0), days, micros - days * MICROS_DAY, valid)


def _time_plus(args: Sequence[Vector], sign: int) -> Vector:
    """A time of day moved by the interval's time, round the clock."""
    time, interval = args
    micros = interval.values["nanos"] // 1000
    values = (time.values + sign * (micros % MICROS_DAY)) % MICROS_DAY
    return Vector.of_values(time.type, values, combined_valid(time, interval))


def _shifting(source: SQLType, target: SQLType, sign: int) -> Evaluate:
    """Date or timestamp plus (sign 1) or minus (sign -1) an interval."""
    unit = UNITS.get(source.id, 0)
    if target.id is TypeId.TIMESTAMP_NS:
        return _shifting_nanos(sign)

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        start, interval = args
        given, parts = start.values, interval.values
        if source.id is TypeId.DATE:
            days, micros = given.astype(np.int64), np.int64(0)
            infinite = np.abs(days) == DATE_INFINITY
        else:
            per_day = MICROS_DAY * unit // 1_000_000
            days = given // per_day
            micros = given % per_day * (1_000_000 // unit)
            infinite = (given == TIMESTAMP_INFINITY) | (given == -TIMESTAMP_INFINITY)
        months = parts["months"].astype(np.int64) * sign
        if np.any(months):
            days = add_months(days, months)
        days = days + parts["days"].astype(np.int64) * sign
        micros = micros + (parts["nanos"] // 1000) * sign
        valid = combined_valid(start, interval)
        if not np.any(infinite):
            return finish_timestamps(target, days, micros, None, valid)
        kept = np.where(infinite, np.sign(given).astype(np.int64) * TIMESTAMP_INFINITY, 0)
        return finish_timestamps(target, days, micros, (infinite, kept), valid)

    return evaluate


def _shifting_nanos(sign: int) -> Evaluate:
    """TIMESTAMP_NS plus or minus an interval."""
    per_day = MICROS_DAY * 1000

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        start, interval = args
        given, parts = start.values, interval.values
        days = given // per_day
        rest = given - days * per_day + parts["nanos"] * sign
        days = (
            add_months(days, parts["months"].astype(np.int64) * sign) + parts["days"].astype(np.int64) * sign
        )
        carried = rest // per_day
        days, rest = days + carried, rest - carried * per_day
        valid = combined_valid(start, interval)
        # One day less than the range at each end, since the rest is added to it.
        wrong = (days > 106_750) | (days < -106_750)
        infinite = (given == TIMESTAMP_INFINITY) | (given == -TIMESTAMP_INFINITY)
        if first_row(np.atleast_1d(wrong & ~infinite), valid) >= 0:
            raise messages.conversion("Date and time not in timestamp range")
        return Vector.of_values(start.type, np.where(infinite, given, days * per_day + rest), valid)

    return evaluate


def finish_timestamps(
    target: SQLType, days: Any, micros: Any, special: tuple[Any, Any] | None, valid: Valid
) -> Vector:
    """Timestamps in microseconds from days and microseconds (of any size); `special` are rows with a given
    value instead.
    """
    carried = micros // MICROS_DAY
    days = days + carried
    rest = micros - carried * MICROS_DAY
    low, high = (int(days.min()), int(days.max())) if np.size(days) else (0, 0)
    # 2**63 microseconds are 106,751,991 days and 4 hours.
    limit = 106_751_990
    if low < -limit or high > limit:
        exact_high = (days > limit + 1) | ((days == limit + 1) & (rest > 14_454_775_806))
        exact_low = (days < -limit - 2) | ((days == -limit - 2) & (rest < 71_945_224_194))
        wrong = np.atleast_1d(exact_high | exact_low)
        if special is not None:
            wrong = wrong & ~special[0]
        if first_row(wrong, valid) >= 0:
            raise messages.conversion("Date and time not in timestamp range")
    with np.errstate(over="ignore"):
        values = days * MICROS_DAY + rest
    if special is not None:
        values = np.where(special[0], special[1], values)
        return Vector.of_values(target, values, valid)
    bounds = (low * MICROS_DAY, (high + 1) * MICROS_DAY - 1)
    return Vector.of_values(target, values, valid, bounds if abs(low) < limit and abs(high) < limit else None)


def temporal_times(call: Call) -> Evaluate:
    """Interval times or over a number."""
    number = 0 if call.args[1].type.id is TypeId.INTERVAL else 1
    kind = call.args[number].type
    if call.function == "/":
        return lambda args, n: _scale_interval(args[0], args[1], np.true_divide)
    if kind.is_float:
        return lambda args, n: _scale_interval(args[1 - number], args[number], np.multiply)
    return lambda args, n: _multiply_interval(args[1 - number], args[number])


def _multiply_interval(interval: Vector, factor: Vector) -> Vector:
    valid = combined_valid(interval, factor)
    by = factor.values
    months, days, micros = _split(interval.values)
    for part in (months, days, micros):
        estimate = np.abs(np.multiply(part, by, dtype=np.float64))
        if first_row(np.atleast_1d(estimate > 9.2e18), valid) >= 0:
            raise messages.out_of_range("Interval value is out of range")
    return make_interval(months * by, days * by, micros * by, valid)


def _scale_interval(interval: Vector, factor: Vector, operate: Callable[[Any, Any], Any]) -> Vector:
    """Every part scaled as a double; broken months become days of a 30-day month, broken days time."""
    valid = combined_valid(interval, factor)
    given, by = interval.values, factor.values
    if operate is np.true_divide and first_row(np.atleast_1d(by == 0), valid) >= 0:
        raise messages.division_by_zero("/")
    with np.errstate(all="ignore"):
        months = operate(given["months"].astype(np.float64), by)
        days = operate(given["days"].astype(np.float64), by)
        micros = operate((given["nanos"] // 1000).astype(np.float64), by)
        whole_months = np.trunc(months)
        days = days + (months - whole_months) * 30
        whole_days = np.trunc(days)
        micros = np.rint(micros + (days - whole_days) * MICROS_DAY)
        wrong = ~(
            (np.abs(whole_months) < 2**31) & (np.abs(whole_days) < 2**31) & (np.abs(micros) < _NANOS_LIMIT)
        )
        if first_row(np.atleast_1d(wrong), valid) >= 0:
            raise messages.out_of_range("Interval value is out of range")
        whole = whole_months.astype(np.int64), whole_days.astype(np.int64), micros.astype(np.int64)
    return make_interval(*whole, valid)
