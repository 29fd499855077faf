"""Dates, times and intervals as text: reading in DuckDB's forms, writing in its output form.

All functions work on the literal forms of types.TYPES: days since 1970-01-01, microseconds since then,
(months, days, microseconds). Text that does not fit raises ValueError with a short reason.
"""

from __future__ import annotations

import re
from datetime import datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

US_SECOND = 1_000_000
US_DAY = 86_400 * US_SECOND
_MAX_DAYS = 2**31 - 2
_MAX_MICROS = 2**63 - 2

Interval = tuple[int, int, int]


# Calendar ---------------------------------------------------------------------------------------------------
def days_from_civil(year: int, month: int, day: int) -> int:
    """Days since 1970-01-01 of a date of the proleptic Gregorian calendar; year 0 is 1 BC. The date must
    exist.

    Source: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil.

    >>> days_from_civil(2000, 3, 1)
    11017
    """
    year -= month <= 2
    era = year // 400
    year_of_era = year - era * 400
    day_of_year = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1
    return era * 146_097 + year_of_era * 365 + year_of_era // 4 - year_of_era // 100 + day_of_year - 719_468


def civil_from_days(days: int) -> tuple[int, int, int]:
    """(year, month, day) of days since 1970-01-01; inverse of `days_from_civil`.

    >>> civil_from_days(11016)
    (2000, 2, 29)
    """
    days += 719_468
    era, day_of_era = divmod(days, 146_097)
    year_of_era = (day_of_era - day_of_era // 1460 + day_of_era // 36_524 - day_of_era // 146_096) // 365
    day_of_year = day_of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    shifted = (5 * day_of_year + 2) // 153
    month = shifted + (3 if shifted < 10 else -9)
    return year_of_era + era * 400 + (month <= 2), month, day_of_year - (153 * shifted + 2) // 5 + 1


def month_length(year: int, month: int) -> int:
    """Days of a month."""
    if month == 2:
        leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
        return 29 if leap else 28
    return 30 if month in (4, 6, 9, 11) else 31


# Reading ----------------------------------------------------------------------------------------------------
_DATE = re.compile(r"(-?\d{1,7})([-/ \\])(\d{1,2})\2(\d{1,2})( \(BC\))?")
_CLOCK = re.compile(r"(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:\.(\d*))?)?")
_OFFSET = re.compile(r"([+-])(\d{2})(?::?(\d{2}))?(?::?(\d{2}))?")
_SPECIAL = {"epoch": 0}


def _date_at(text: str) -> tuple[int, str] | None:
    """Days of the date at the start of `text` and what follows it."""
    found = _DATE.match(text)
    if found is None:
        return None
    year, month, day = int(found[1]), int(found[3]), int(found[4])
    if found[5]:
        year = 1 - year
    if not (1 <= month <= 12 and 1 <= day <= month_length(year, month)):
        raise ValueError("there is no such day")
    days = days_from_civil(year, month, day)
    if abs(days) > _MAX_DAYS:
        raise ValueError("the year is out of range")
    return days, text[found.end() :]


def _clock_at(text: str, digits: int) -> tuple[int, str] | None:
    """Ticks of 10^-digits seconds of the time of day at the start of `text` and what follows it; further
    digits are cut off."""
    found = _CLOCK.match(text)
    if found is None:
        return None
    hour, minute, second = int(found[1]), int(found[2]), int(found[3] or 0)
    fraction = int(((found[4] or "") + "0" * digits)[:digits] or 0)
    ticks = ((hour * 60 + minute) * 60 + second) * 10**digits + fraction
    if minute > 59 or second > 59 or ticks > 86_400 * 10**digits:
        raise ValueError("there is no such time of day")
    return ticks, text[found.end() :]


def _zone_seconds(text: str, local_seconds: int) -> int:
    """Offset from UTC in seconds of 'Z', '+hh[:mm]' or a zone's name at a local time."""
    if text in ("", "Z", "z"):
        return 0
    found = _OFFSET.fullmatch(text)
    if found is not None:
        size = int(found[2]) * 3600 + int(found[3] or 0) * 60 + int(found[4] or 0)
        return -size if found[1] == "-" else size
    try:
        zone = ZoneInfo(text)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError(f'there is no time zone "{text}"') from None
    days, seconds = divmod(local_seconds, 86_400)
    year, month, day = civil_from_days(days)
    if not 1 <= year <= 9999:
        return 0
    moment = datetime(year, month, day, seconds // 3600, seconds // 60 % 60, seconds % 60, tzinfo=zone)
    offset = moment.utcoffset()
    assert offset is not None
    return int(offset.total_seconds())


def parse_date(text: str) -> int:
    """Days since 1970-01-01 of 'YYYY-MM-DD' (separators - / space or backslash; a time of day after it is
    ignored).

    >>> parse_date("1998-09-02")
    10471
    """
    stripped = text.strip()
    if stripped.lower() in _SPECIAL:
        return _SPECIAL[stripped.lower()]
    found = _date_at(stripped)
    if found is None:
        raise ValueError("the form is YYYY-MM-DD")
    days, rest = found
    if rest:
        parse_timestamp(text)
    return days


def _parse_moment(text: str, digits: int, zoned: bool) -> int:
    stripped = text.strip()
    if stripped.lower() in _SPECIAL:
        return 0
    found = _date_at(stripped)
    if found is None:
        raise ValueError("the form is YYYY-MM-DD HH:MM:SS")
    days, rest = found
    if not rest and stripped != text:
        raise ValueError("there is space around a date")
    unit = 10**digits
    ticks = days * 86_400 * unit
    if rest:
        clock = _clock_at(rest[1:].lstrip(), digits) if rest[0] in " T" else None
        if clock is None:
            raise ValueError("the form is YYYY-MM-DD HH:MM:SS")
        ticks += clock[0]
        zone = clock[1].strip()
        offset = _zone_seconds(zone, ticks // unit)
        if zoned:
            ticks -= offset * unit
    if abs(ticks) > _MAX_MICROS:
        raise ValueError("the year is out of range")
    return ticks


def parse_timestamp(text: str, digits: int = 6) -> int:
    """Ticks of 10^-digits seconds since 1970-01-01 of 'YYYY-MM-DD[ HH:MM[:SS[.F]]][zone]'; a zone is checked
    and ignored.

    >>> parse_timestamp("1970-01-02 00:00:01.5")
    86401500000
    """
    return _parse_moment(text, digits, zoned=False)


def parse_timestamptz(text: str) -> int:
    """Microseconds since 1970-01-01 UTC; without a zone the text is UTC.

    >>> parse_timestamptz("1970-01-01 02:00:00+02")
    0
    """
    return _parse_moment(text, 6, zoned=True)


def parse_time(text: str) -> int:
    """Microseconds since midnight of 'HH:MM[:SS[.F]]'; a date before it and a zone after it are ignored.

    >>> parse_time("01:00:00.25")
    3600250000
    """
    stripped = text.strip()
    dated = _date_at(stripped)
    if dated is not None or stripped.lower() in _SPECIAL:
        return parse_timestamp(text) % US_DAY
    clock = _clock_at(stripped, 6)
    if clock is None:
        raise ValueError("the form is HH:MM:SS")
    if clock[1].strip():
        _zone_seconds(clock[1].strip(), 0)
    return clock[0]


# Writing ----------------------------------------------------------------------------------------------------
def format_date(days: int) -> str:
    """'YYYY-MM-DD', with ' (BC)' after years before 1.

    >>> format_date(10471)
    '1998-09-02'
    """
    year, month, day = civil_from_days(days)
    suffix = " (BC)" if year < 1 else ""
    return f"{year if year > 0 else 1 - year:04d}-{month:02d}-{day:02d}{suffix}"


def format_clock(ticks: int, digits: int = 6) -> str:
    """'HH:MM:SS[.F]' of ticks of 10^-digits seconds; trailing zeros of the fraction are left out.

    >>> format_clock(3600250000)
    '01:00:00.25'
    """
    seconds, fraction = divmod(ticks, 10**digits)
    text = f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"
    return text + (f".{fraction:0{digits}d}".rstrip("0") if fraction else "")


def format_timestamp(ticks: int, digits: int = 6) -> str:
    """'YYYY-MM-DD HH:MM:SS[.F]'."""
    days, rest = divmod(ticks, 86_400 * 10**digits)
    return f"{format_date(days)} {format_clock(rest, digits)}"


def format_interval(value: Interval) -> str:
    """As DuckDB writes it.

    >>> format_interval((14, 3, 3_600_000_000)), format_interval((0, 0, 0))
    ('1 year 2 months 3 days 01:00:00', '00:00:00')
    """
    months, days, micros = value
    years = abs(months) // 12 * (1 if months >= 0 else -1)
    months -= years * 12
    parts = [
        f"{count} {unit}" if abs(count) == 1 else f"{count} {unit}s"
        for count, unit in ((years, "year"), (months, "month"), (days, "day"))
        if count
    ]
    if micros or not parts:
        parts.append(("-" if micros < 0 else "") + format_clock(abs(micros)))
    return " ".join(parts)
