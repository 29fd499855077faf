"""Intervals as text: what DuckDB reads as one.

The literal form is (months, days, microseconds). Text that does not fit raises ValueError with a short
reason.
"""

from __future__ import annotations

import math
import re

from .temporal import US_DAY, US_SECOND, Interval

# Units of an interval: name -> (months, days, microseconds) of one.
_MONTHS = {"month": 1, "quarter": 3, "year": 12, "decade": 120, "century": 1200, "millennium": 12_000}
_DAYS = {"day": 1, "week": 7}
_MICROS = {
    "microsecond": 1,
    "millisecond": 1000,
    "second": US_SECOND,
    "minute": 60 * US_SECOND,
    "hour": 3600 * US_SECOND,
}
_UNIT_SPELLINGS = {
    "year": "y yr yrs years", "month": "mon mons months", "day": "d days dayofmonth",
    "decade": "dec decs decades", "century": "c cent centuries", "quarter": "quarters",
    "millennium": "mil millenniums millennia mils millenium",
    "week": "w weeks weekofyear", "hour": "h hr hrs hours", "minute": "m min mins minutes",
    "second": "s sec secs seconds", "millisecond": "ms msec msecs msecond mseconds milliseconds",
    "microsecond": "us usec usecs usecond useconds microseconds",
}  # fmt: skip
INTERVAL_UNITS: dict[str, str] = {
    spelling: unit for unit, text in _UNIT_SPELLINGS.items() for spelling in (unit, *text.split())
}
_START = re.compile(r"@?[ \t\n]*")
_TERM = re.compile(r"(-?)(\d+)(?:\.(\d*))?[ \t\n]*([A-Za-z]*)[ \t\n]*", re.ASCII)
# Seconds may be left out only at the end of the text; what is behind them is not read.
_CLOCK = re.compile(r"(-?)(\d{1,9}):(?:\Z|(\d{1,2})(?:\Z|:(?:\Z|(\d{1,2})(?:\.(\d*))?)))", re.ASCII)
_LOOKS_LIKE_CLOCK = re.compile(r"-?\d*:", re.ASCII)
_AGO = re.compile(r"ago[ \t\n]*", re.IGNORECASE)
# Smaller fractions are dropped.
_LEAST_FRACTION = 1e-10


def interval_of(whole: int, fraction: str, unit: str, negative: bool = False) -> Interval:
    """`whole`.`fraction` units, e.g. 1.5 months. A month counts 30 days and a day 24 hours for the fraction;
    fractions of a month are rounded off longer units, and those of a day off quarters.

    >>> interval_of(1, "5", "month"), interval_of(1, "5", "year")
    ((1, 15, 0), (18, 0, 0))
    """
    sign = -1 if negative else 1
    part = float(f"0.{fraction or 0}")
    months = days = micros = 0
    if unit in _MICROS:
        micros = whole * _MICROS[unit] + (0 if unit == "microsecond" else _share(part, _MICROS[unit]))
    elif unit in _DAYS:
        more, part = _split(part, _DAYS[unit])
        days, micros = whole * _DAYS[unit] + more, _share(part, US_DAY)
    elif unit == "month":
        days, part = _split(part, 30)
        months, micros = whole, _share(part, US_DAY)
    elif unit == "quarter":
        more, part = _split(part, 3)
        months, days = whole * 3 + more, _share(part, 30)
    else:
        months = whole * _MONTHS[unit] + _share(part, _MONTHS[unit])
    return sign * months, sign * days, sign * micros


def _split(part: float, size: int) -> tuple[int, float]:
    """Whole units in a fraction of one that has `size` of them, and the rest."""
    whole = int(part * size)
    return whole, part * size - whole


def _share(part: float, size: int) -> int:
    """A fraction of `size`, halves rounded up."""
    return math.floor(part * size + 0.5) if part > _LEAST_FRACTION else 0


def parse_interval(text: str) -> Interval:
    """(months, days, microseconds) of '1 year 2 days 03:04:05', '90 minutes ago', a plain number of seconds,
    and so on. A time with its seconds ends the interval: as in DuckDB, nothing behind it is read.

    >>> parse_interval("1 year -2 days 00:00:01")
    (12, -2, 1000000)
    """
    start = _START.match(text)
    at = start.end() if start else 0
    total = (0, 0, 0)
    found_any = False
    while at < len(text):
        if _LOOKS_LIKE_CLOCK.match(text, at):
            return _added(total, (0, 0, _clock(text, at)))
        term = _TERM.match(text, at)
        if term is None:
            if not _AGO.fullmatch(text, at) or not found_any:
                raise ValueError("the form is a number and a unit, as in '3 days'")
            return _negated(total)
        at = term.end()
        if int(term[2]) >= 2**63:
            raise ValueError("it is too long")
        unit = _unit(term[4])
        if not term[4] and (found_any or at < len(text)):
            raise ValueError("the form is a number and a unit, as in '3 days'")
        total = _added(total, interval_of(int(term[2]), term[3] or "", unit, bool(term[1])))
        found_any = True
    if not found_any:
        raise ValueError("it is empty")
    return total


def _unit(name: str) -> str:
    """A number alone is one of seconds."""
    unit = INTERVAL_UNITS.get(name.lower()) if name else "second"
    if unit is None:
        raise ValueError(f'"{name}" is no unit of time')
    return unit


def _clock(text: str, at: int) -> int:
    """Microseconds of a time such as -100:05:30.25."""
    found = _CLOCK.match(text, at)
    if found is None:
        raise ValueError("there is no such time")
    minute, second = int(found[3] or 0), int(found[4] or 0)
    if minute > 59 or second > 59:
        raise ValueError("there is no such time")
    micros = ((int(found[2]) * 60 + minute) * 60 + second) * US_SECOND + int(f"{found[5] or '':0<6.6}")
    return -micros if found[1] else micros


def _added(total: Interval, part: Interval) -> Interval:
    for value, bits in zip(part, (31, 31, 63), strict=True):
        _check(value, bits)
    months, days, micros = (a + b for a, b in zip(total, part, strict=True))
    for value, bits in zip((months, days, micros), (31, 31, 63), strict=True):
        _check(value, bits)
    return months, days, micros


def _negated(total: Interval) -> Interval:
    months, days, micros = total
    if months == -(2**31) or days == -(2**31) or micros == -(2**63):
        raise ValueError("it is too long")
    return -months, -days, -micros


def _check(value: int, bits: int) -> None:
    if not -(2**bits) <= value < 2**bits:
        raise ValueError("it is too long")
