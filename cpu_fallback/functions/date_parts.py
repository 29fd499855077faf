"""Parts of dates, times and intervals: year() to nanosecond(), epoch(), julian() and date_part()."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...planner import messages_values as messages
from ...planner.date_units import CLOCK_PARTS, MICROS_DAY, MICROS_HOUR, MICROS_SECOND
from ...planner.expr import Call
from ...planner.functions import DATE_PARTS
from ...planner.types import BIGINT, DOUBLE, TIMESTAMP, SQLType, TypeId
from ..vector import Valid, Vector, null_constant
from .calendar import civil, days_from_civil
from .integers import first_row
from .moments import days_of, finite_valid, micros_of, on_days
from .registry import Evaluate, scalar
from .rowwise import row_values

_YEAR_SECONDS = 31_557_600  # 365.25 days


def truncated_divide(values: Any, divisor: int) -> Any:
    """Integers over a positive constant, rounded toward zero."""
    return values // divisor + ((values % divisor != 0) & (values < 0))


def rounded_divide(values: Any, divisor: int) -> Any:
    """Integers over a positive constant, rounded to the nearest, halves away from zero."""
    down, rest = values // divisor, values % divisor * 2
    return down + ((rest > divisor) | ((rest == divisor) & (values >= 0)))


def iso_weekday(days: Any) -> Any:
    """Monday is 1, Sunday 7; 1970-01-01 was a Thursday."""
    return (days + 3) % 7 + 1


def iso_year_week(days: Any) -> tuple[Any, Any]:
    """The ISO week (1..53) and the year it belongs to: that of its Thursday."""
    thursday = days - iso_weekday(days) + 4
    year = civil(thursday).year
    return year, (thursday - days_from_civil(year, np.ones_like(year), 1)) // 7 + 1


def _day_of_year(days: Any) -> Any:
    year = civil(days).year
    return days - days_from_civil(year, np.ones_like(year), 1) + 1


def _year_week(days: Any) -> Any:
    year, week = iso_year_week(days)
    return year * 100 + np.where(year > 0, week, -week)


def _eras(unit: int) -> Callable[[Any], Any]:
    """Centuries and millennia: the first one starts with year 1, the one before it is -1."""

    def count(days: Any) -> Any:
        year = civil(days).year
        return np.where(year > 0, (year - 1) // unit + 1, -(-year // unit) - 1)

    return count


# From days since the epoch.
CALENDAR_PARTS: dict[str, Callable[[Any], Any]] = {
    "year": lambda days: civil(days).year,
    "month": lambda days: civil(days).month,
    "day": lambda days: civil(days).day,
    "quarter": lambda days: (civil(days).month - 1) // 3 + 1,
    "week": lambda days: iso_year_week(days)[1],
    "yearweek": _year_week,
    "dayofweek": lambda days: iso_weekday(days) % 7,
    "isodow": iso_weekday,
    "dayofyear": _day_of_year,
    "isoyear": lambda days: iso_year_week(days)[0],
    "decade": lambda days: truncated_divide(civil(days).year, 10),
    "century": _eras(100),
    "millennium": _eras(1000),
    "era": lambda days: (civil(days).year > 0).astype(np.int64),
}


def _signed(function: Callable[[Any], Any], values: Any) -> Any:
    """The part of a negative interval's time is that of the positive one, negated."""
    micros = _interval_micros(values)
    return np.sign(micros) * function(np.abs(micros))


def _interval_months(values: Any) -> Any:
    return values["months"].astype(np.int64)


def _interval_micros(values: Any) -> Any:
    return values["nanos"] // 1000


def _interval_seconds(values: Any) -> Any:
    """With years of 365.25 days and months of 30."""
    months = _interval_months(values)
    years = truncated_divide(months, 12)
    days = (months - years * 12) * 30 + values["days"].astype(np.int64)
    return years * _YEAR_SECONDS + days * 86_400 + _interval_micros(values) / MICROS_SECOND


def interval_total_micros(values: Any) -> Any:
    """Microseconds of intervals with months of 30 days."""
    days = _interval_months(values) * 30 + values["days"].astype(np.int64)
    return days * MICROS_DAY + _interval_micros(values)


INTERVAL_PARTS: dict[str, Callable[[Any], Any]] = {
    "year": lambda v: truncated_divide(_interval_months(v), 12),
    "month": lambda v: np.fmod(_interval_months(v), 12),
    "day": lambda v: v["days"].astype(np.int64),
    "quarter": lambda v: truncated_divide(np.fmod(_interval_months(v), 12), 3) + 1,
    "decade": lambda v: truncated_divide(_interval_months(v), 120),
    "century": lambda v: truncated_divide(_interval_months(v), 1200),
    "millennium": lambda v: truncated_divide(_interval_months(v), 12_000),
    "hour": lambda v: truncated_divide(_interval_micros(v), MICROS_HOUR),
    "minute": lambda v: _signed(CLOCK_PARTS["minute"], v),
    "second": lambda v: _signed(CLOCK_PARTS["second"], v),
    "millisecond": lambda v: _signed(CLOCK_PARTS["millisecond"], v),
    "microsecond": lambda v: _signed(CLOCK_PARTS["microsecond"], v),
    "nanosecond": lambda v: _signed(CLOCK_PARTS["nanosecond"], v),
    "epoch": _interval_seconds,
}


def part_of(name: str, vector: Vector, result: SQLType) -> Vector:
    """Part `name` (canonical) of a temporal column, as BIGINT or DOUBLE."""
    kind = vector.type.id
    if kind is TypeId.INTERVAL:
        if name not in INTERVAL_PARTS:
            raise messages.unsupported_part(name, "an INTERVAL")
        return _as(result, INTERVAL_PARTS[name](vector.values), vector.valid)
    if kind is TypeId.TIME:
        return _part_of_time(name, vector, result)
    if name in CALENDAR_PARTS:
        return on_days(vector, lambda days: CALENDAR_PARTS[name](days).astype(_dtype(result)), result)
    valid = finite_valid(vector)
    if name in ("epoch", "julian"):
        micros = micros_of(vector)
        if name == "epoch":
            return Vector.of_values(DOUBLE, micros / MICROS_SECOND, valid)
        return Vector.of_values(DOUBLE, _julian(vector), valid)
    if kind is TypeId.TIMESTAMP_NS and name == "nanosecond":
        return _as(result, vector.values % 60_000_000_000, valid)
    micros = np.zeros(len(vector), dtype=np.int64) if kind is TypeId.DATE else micros_of(vector) % MICROS_DAY
    return _as(result, CLOCK_PARTS[name](micros), valid)


def _part_of_time(name: str, vector: Vector, result: SQLType) -> Vector:
    if name == "epoch":
        return Vector.of_values(DOUBLE, vector.values / MICROS_SECOND, vector.valid)
    if name not in CLOCK_PARTS:
        raise messages.unsupported_part(name, "a TIME")
    return _as(result, CLOCK_PARTS[name](vector.values), vector.valid)


def _julian(vector: Vector) -> Any:
    """Days since 4714-11-24 BC of the Gregorian calendar, counted from midnight as is usual in SQL."""
    days = days_of(vector)
    if vector.type.id is TypeId.DATE:
        return (days + 2_440_588).astype(np.float64)
    return days + 2_440_588 + (micros_of(vector) - days * MICROS_DAY) / MICROS_DAY


def _dtype(result: SQLType) -> Any:
    return np.float64 if result == DOUBLE else np.int64


def _as(result: SQLType, values: Any, valid: Any) -> Vector:
    return Vector.of_values(result, values.astype(_dtype(result), copy=False), valid)


@scalar(*CALENDAR_PARTS, *CLOCK_PARTS, "epoch", "julian")
def part(call: Call) -> Evaluate:
    """The part that the function is named after."""
    name, result = call.function, call.type
    return lambda args, n: part_of(name, args[0], result)


@scalar("date_part")
def date_part(call: Call) -> Evaluate:
    """The part that the row's first argument names, as DOUBLE."""

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        names, moments = args
        moments = moments.expand(n)
        if names.is_constant:
            return part_of(canonical_part(names.value), moments, DOUBLE)
        return by_name(names, moments.valid, n, DOUBLE, lambda name: part_of(name, moments, DOUBLE))

    return evaluate


def by_name(
    names: Vector, valid: Valid, n: int, result: SQLType, function: Callable[[str], Vector]
) -> Vector:
    """Rows of `function(part)` for the part that each valid row names; called once for each part."""
    from ..expr_merge import Piece, merge

    if names.valid is not None:
        valid = names.valid if valid is None else valid & names.valid
    present = np.ones(n, dtype=np.bool_) if valid is None else valid
    spelled = [name if ok else None for name, ok in zip(row_values(names, n), present.tolist(), strict=False)]
    canonical = {s: canonical_part(s) for s in set(spelled) if s is not None}
    pieces = []
    for name in sorted(set(canonical.values())):
        mask = np.array([s is not None and canonical[s] == name for s in spelled], dtype=np.bool_)
        pieces.append(Piece(mask, None, function(name)))
    if not pieces:
        return null_constant(result)
    if not present.all():
        pieces.append(Piece(~present, None, null_constant(result)))
    return merge(result, pieces, n)


def canonical_part(name: str) -> str:
    """The canonical name of a part in any spelling."""
    found = DATE_PARTS.get(name.lower())
    if found is None:
        raise messages.conversion(f'extract specifier "{name}" not recognized')
    return found


_SCALES = {"epoch_ms": 1000, "epoch_us": 1}


@scalar("epoch_ms", "epoch_us", "epoch_ns")
def epoch_units(call: Call) -> Evaluate:
    """Milli-, micro- or nanoseconds since the epoch or of the interval or time; epoch_ms of a number is
    that moment.
    """
    name = call.function
    kind = call.args[0].type.id

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        (arg,) = args
        if kind is TypeId.BIGINT:
            return _of_milliseconds(arg)
        if name == "epoch_ns" and kind is TypeId.TIMESTAMP_NS:
            return Vector.of_values(BIGINT, arg.values, finite_valid(arg))
        if kind is TypeId.INTERVAL:
            micros, valid = interval_total_micros(arg.values), arg.valid
        elif kind is TypeId.TIME:
            micros, valid = arg.values, arg.valid
        else:
            micros, valid = micros_of(arg), finite_valid(arg)
        if name != "epoch_ns":
            divide = truncated_divide if kind in (TypeId.INTERVAL, TypeId.TIME) else rounded_divide
            return Vector.of_values(BIGINT, divide(micros, _SCALES[name]), valid)
        limit = (2**63 - 1) // 1000
        if first_row((micros > limit) | (micros < -limit), valid) >= 0:
            raise messages.conversion("Could not convert Timestamp(US) to Timestamp(NS)")
        return Vector.of_values(BIGINT, micros * 1000, valid)

    return evaluate


def _of_milliseconds(arg: Vector) -> Vector:
    given = arg.values
    limit = (2**63 - 1) // 1000
    if first_row((given > limit) | (given < -limit), arg.valid) >= 0:
        raise messages.conversion("Could not convert Timestamp(MS) to Timestamp(US)")
    return Vector.of_values(TIMESTAMP, given * 1000, arg.valid)
