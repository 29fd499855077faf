"""Dates and timestamps as days and microseconds since 1970, whatever their unit, and their calendar.

Three stored values are no points in time: the greatest integer is infinity, its negative is -infinity.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from ..planner.date_units import MICROS_DAY, MICROS_SECOND
from ..planner.types import TypeId
from .number import Number
from .values import Evaluation, Value

UNITS = {
    TypeId.TIMESTAMP: 1_000_000,
    TypeId.TIMESTAMP_S: 1,
    TypeId.TIMESTAMP_MS: 1_000,
    TypeId.TIMESTAMP_NS: 1_000_000_000,
}
DATE_INFINITY = 2**31 - 1
TIMESTAMP_INFINITY = 2**63 - 1

# Days of 400 years, after which the calendar and its weekdays repeat.
_CYCLE = 146_097


def infinity_of(value: Value) -> int:
    """The stored integer of the type's infinity."""
    return DATE_INFINITY if value.type.id is TypeId.DATE else TIMESTAMP_INFINITY


def stored(value: Value, run: Evaluation) -> Number:
    """The stored integers of a date or timestamp, as INT64; a constant becomes a column."""
    if value.is_constant:
        value = Value(value.type, run.column(value))
    return Number(run.integers(value), run.ops)


def days_of(value: Value, run: Evaluation) -> Number:
    """Days since 1970-01-01."""
    whole = stored(value, run)
    return whole if value.type.id is TypeId.DATE else whole // (86_400 * UNITS[value.type.id])


def micros_of(value: Value, run: Evaluation) -> Number:
    """Microseconds since 1970-01-01; nanoseconds are cut off downwards."""
    whole = stored(value, run)
    if value.type.id is TypeId.DATE:
        return whole * MICROS_DAY
    unit = UNITS[value.type.id]
    return whole // (unit // MICROS_SECOND) if unit > MICROS_SECOND else whole * (MICROS_SECOND // unit)


def infinite(value: Value, run: Evaluation) -> Any:
    """Where a date or timestamp is infinite, NULL where it is NULL; None where it is known never to be."""
    infinity = infinity_of(value)
    if value.is_constant:
        if abs(value.literal or 0) != infinity:
            return None
    elif value.bounds is not None and -infinity < value.bounds[0] and value.bounds[1] < infinity:
        return None
    whole = stored(value, run)
    return run.ops.either(whole.equals(infinity), whole.equals(-infinity))


class Calendar:
    """The proleptic Gregorian calendar of days since 1970-01-01, for any year.

    libcudf's parts have 16 bits: days are taken within a cycle of 400 years, and years counted on from there.
    """

    def __init__(self, days: Number) -> None:
        self.days = days
        self.ops = days.ops
        self._cycles = days // _CYCLE
        inside = days - self._cycles * _CYCLE
        self._inside = inside.to("INT32").bits("TIMESTAMP_DAYS").column

    def _part(self, name: str) -> Number:
        part = getattr(self.ops.plc.datetime.DatetimeComponent, name)
        found = self.ops.plc.datetime.extract_datetime_component(self._inside, part, stream=self.ops.stream)
        return Number(found, self.ops)

    @cached_property
    def year(self) -> Number:
        """The astronomical year: 0 is 1 BC."""
        return self._part("YEAR") + self._cycles * 400

    @cached_property
    def month(self) -> Number:
        """1 to 12."""
        return self._part("MONTH")

    @cached_property
    def day(self) -> Number:
        """1 to 31."""
        return self._part("DAY")

    @cached_property
    def isodow(self) -> Number:
        """Monday is 1, Sunday 7."""
        return self._part("WEEKDAY")

    @cached_property
    def day_of_year(self) -> Number:
        """1 to 366."""
        return self.days - first_day(self.year) + 1

    @cached_property
    def iso(self) -> tuple[Number, Number]:
        """The ISO year and week: those of the week's Thursday."""
        thursday = self.days - self.isodow + 4
        year = Calendar(thursday).year
        return year, (thursday - first_day(year)) // 7 + 1


def first_day(year: Number) -> Number:
    """Days since 1970 of the first of January."""
    before = year - 1
    return before * 365 + before // 4 - before // 100 + before // 400 - 719_162


def days_from_civil(year: Number, month: Number, day: Number) -> Number:
    """Days since 1970; the month is 1 to 12, the day may lie outside of it. Years begin in March here, so
    that a leap day is their last (H. Hinnant, "chrono-Compatible Low-Level Date Algorithms").
    """
    early = month.at_most(2)
    of_year = year - Number(early, year.ops)
    shifted = (month + 9) % 12
    leaps = of_year // 4 - of_year // 100 + of_year // 400
    return of_year * 365 + leaps + (shifted * 153 + 2) // 5 + day - 719_469


def month_length(year: Number, month: Number) -> Number:
    """Days of the month."""
    ops = year.ops
    leap = ops.both((year % 4).equals(0), ops.either((year % 100).differs(0), (year % 400).equals(0)))
    plain = (month + month // 8) % 2 + 30
    february = month.equals(2)
    return plain - Number(february, ops) * 2 + Number(ops.both(february, leap), ops)


def add_months(days: Number, months: int) -> Number:
    """The same day of the month so many months later, its last day where it is shorter."""
    date = Calendar(days)
    total = date.year * 12 + date.month + (months - 1)
    year = total // 12
    month = total - year * 12 + 1
    length = month_length(year, month)
    return days_from_civil(year, month, length.unless(date.day.below(length), date.day))
