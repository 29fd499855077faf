"""The proleptic Gregorian calendar on numpy arrays of days since 1970-01-01 and microseconds since then.

Conversions follow Howard Hinnant's "chrono-Compatible Low-Level Date Algorithms": years begin in March, so
that a leap day is the last of its year.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ...planner.date_units import MICROS_DAY

Ints = npt.NDArray[np.int64]

MONTH_DAYS = np.array([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31], dtype=np.int64)


class Civil(NamedTuple):
    """Year (astronomical: 0 is 1 BC), month 1..12, day 1..31."""

    year: Ints
    month: Ints
    day: Ints


def civil(days: Any) -> Civil:
    """Year, month and day of days since the epoch."""
    z = days.astype(np.int64) + 719_468
    era = z // 146_097
    day_of_era = z - era * 146_097
    year_of_era = (day_of_era - day_of_era // 1460 + day_of_era // 36_524 - day_of_era // 146_096) // 365
    day_of_year = day_of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    shifted = (5 * day_of_year + 2) // 153
    day = day_of_year - (153 * shifted + 2) // 5 + 1
    month = np.where(shifted < 10, shifted + 3, shifted - 9)
    return Civil(year_of_era + era * 400 + (month <= 2), month, day)


def days_from_civil(year: Any, month: Any, day: Any) -> Ints:
    """Days since the epoch; `month` is 1..12, `day` may lie outside its month."""
    y = year - (month <= 2)
    era = y // 400
    year_of_era = y - era * 400
    day_of_year = (153 * (month + np.where(month > 2, -3, 9)) + 2) // 5 + day - 1
    day_of_era = year_of_era * 365 + year_of_era // 4 - year_of_era // 100 + day_of_year
    return era * 146_097 + day_of_era - 719_468


def is_leap(year: Any) -> Any:
    """Whether the year has a 29 February."""
    return (year % 4 == 0) & ((year % 100 != 0) | (year % 400 == 0))


def days_in_month(year: Any, month: Any) -> Ints:
    """Length of the month."""
    return MONTH_DAYS.take(month - 1) + ((month == 2) & is_leap(year))


def add_months(days: Any, months: Any) -> Ints:
    """The same day of the month `months` later, the month's last day where it is shorter."""
    date = civil(days)
    total = date.year * 12 + (date.month - 1) + months
    year = total // 12
    month = total - year * 12 + 1
    return days_from_civil(year, month, np.minimum(date.day, days_in_month(year, month)))


def split_micros(micros: Any) -> tuple[Ints, Ints]:
    """Days since the epoch and microseconds of the day."""
    days = micros // MICROS_DAY
    return days, micros - days * MICROS_DAY
