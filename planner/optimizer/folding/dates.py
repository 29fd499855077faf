"""Dates, timestamps and intervals as the integers that literals hold."""

from __future__ import annotations

from calendar import monthrange
from datetime import date, timedelta

from .values import UNKNOWN, _Unknown

DAY = 86_400_000_000  # microseconds
_EPOCH = date(1970, 1, 1)
_FIRST, _LAST = date(1, 1, 1).toordinal(), date(9999, 12, 31).toordinal()

Interval = tuple[int, int, int]


def to_date(days: int) -> date | None:
    """The calendar date, None outside of the years 1 to 9999."""
    ordinal = days + _EPOCH.toordinal()
    return _EPOCH + timedelta(days=days) if _FIRST <= ordinal <= _LAST else None


def to_days(year: int, month: int, day: int) -> int | None:
    """Days since 1970-01-01; None for what is no date of the years 1 to 9999."""
    try:
        return (date(year, month, day) - _EPOCH).days
    except ValueError:
        return None


def add_interval(micros: int, interval: Interval) -> int | _Unknown:
    """A moment plus an interval: months first (to the month's last day where needed), then days, then time.

    >>> add_interval(18292 * DAY, (1, 0, 0)) // DAY  # 2020-01-31 plus one month is 2020-02-29
    18321
    """
    months, days, rest = interval
    whole, time = divmod(micros, DAY)
    if months:
        start = to_date(whole)
        if start is None:
            return UNKNOWN
        year, month = divmod(start.year * 12 + start.month - 1 + months, 12)
        if not 1 <= year <= 9999:
            return UNKNOWN
        moved = to_days(year, month + 1, min(start.day, monthrange(year, month + 1)[1]))
        if moved is None:
            return UNKNOWN
        whole = moved
    result = (whole + days) * DAY + time + rest
    return result if to_date(result // DAY) is not None else UNKNOWN


def negated(interval: Interval) -> Interval:
    """The opposite interval."""
    return (-interval[0], -interval[1], -interval[2])
