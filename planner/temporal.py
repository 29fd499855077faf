"""Dates, times and intervals as text: reading in DuckDB's forms, writing in its output form.

All functions work on the literal forms of types.TYPES: days since 1970-01-01, microseconds since then,
(months, days, microseconds). Text that does not fit raises ValueError with a short reason.
"""

from __future__ import annotations

import re

from .time_zones import zone_seconds

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
_DATE = re.compile(r"(-?)(\d{1,9})([-/ \\])(\d{1,2})\3(\d{1,2})(?!\d)(\s\((?i:bc)\))?(?!\d)", re.ASCII)
# Minutes and seconds may be left out. Before a zone of a time without date they may not.
_CLOCK = re.compile(r"[ \t\n\v\f\r]*(\d{1,9}):(?:(\d{1,2})(?::(?:(\d{1,2})(?:\.(\d*))?)?)?)?", re.ASCII)
_FULL_CLOCK = re.compile(r"(\d{1,9}):(?:\Z|(\d{1,2})(?:\Z|:(?:\Z|(\d{1,2})(?:\.(\d*))?)))", re.ASCII)
_OFFSET = re.compile(r"([+-])(\d{2})(?:(\d{2})|:(\d{2})(?::(\d{2}))?)?\s*", re.ASCII)
_ZONE = re.compile(r" ([A-Za-z0-9/_:+-]*)\s*", re.ASCII)
_OFFSET_LIMIT = 16 * 3600
_SPECIAL = {"epoch": 0}
_SPACES = " \t\n\v\f\r"


def _date_at(text: str) -> tuple[int, str] | None:
    """Days of the date at the start of `text` and what follows it."""
    found = _DATE.match(text)
    if found is None:
        return None
    year, month, day = int(found[1] + found[2]), int(found[4]), int(found[5])
    if found[6]:
        if year == 0 or found[1]:
            raise ValueError("there is no such year")
        year = 1 - year
    if not (1 <= month <= 12 and 1 <= day <= month_length(year, month)):
        raise ValueError("there is no such day")
    days = days_from_civil(year, month, day)
    if abs(days) > _MAX_DAYS:
        raise ValueError("the year is out of range")
    return days, text[found.end() :]


def _ticks(clock: re.Match[str], digits: int) -> int:
    """Ticks of 10^-digits seconds of a time of day; further digits are cut off."""
    hour, minute, second = int(clock[1]), int(clock[2] or 0), int(clock[3] or 0)
    fraction = int(((clock[4] or "") + "0" * digits)[:digits] or 0)
    ticks = ((hour * 60 + minute) * 60 + second) * 10**digits + fraction
    if minute > 59 or second > 59 or ticks > 86_400 * 10**digits:
        raise ValueError("there is no such time of day")
    return ticks


def _offset_seconds(text: str) -> int | None:
    """Offset from UTC in seconds of '', 'Z' or '+hh[:mm[:ss]]'; None for other text."""
    if not text or text.rstrip(_SPACES) == "Z":
        return 0
    found = _OFFSET.fullmatch(text)
    if found is None:
        return None
    size = int(found[2]) * 3600 + int(found[3] or found[4] or 0) * 60 + int(found[5] or 0)
    return -size if found[1] == "-" else size


def parse_date(text: str) -> int:
    """Days since 1970-01-01 of 'YYYY-MM-DD' (separators - / space or backslash; a time of day after it is
    ignored).

    >>> parse_date("1998-09-02")
    10471
    """
    stripped = text.strip(_SPACES)
    if stripped.lower() in _SPECIAL:
        return _SPECIAL[stripped.lower()]
    found = _date_at(stripped)
    if found is None:
        raise ValueError("the form is YYYY-MM-DD")
    days, rest = found
    if rest:
        _moment(text, 6)
    return days


def _moment(text: str, digits: int) -> tuple[int, int, str]:
    """Ticks of the moment as its clock shows it, seconds from UTC, and the name of its zone if it has one."""
    if text.strip(_SPACES).lower() in _SPECIAL:
        return 0, 0, ""
    found = _date_at(text.lstrip(_SPACES))
    if found is None:
        raise ValueError("the form is YYYY-MM-DD HH:MM:SS")
    days, rest = found
    ticks, offset, name = days * 86_400 * 10**digits, 0, ""
    if rest:
        clock = _CLOCK.match(rest[1:] if rest[0] in " T" else rest)
        if clock is None:
            raise ValueError("the form is YYYY-MM-DD HH:MM:SS")
        ticks += _ticks(clock, digits)
        after = clock.string[clock.end() :]
        seconds = _offset_seconds(after)
        if seconds is None:
            zone = _ZONE.fullmatch(after)
            if zone is None:
                raise ValueError("what follows the time is no time zone")
            name = zone[1]
        offset = seconds or 0
    return ticks, offset, name


def _in_range(ticks: int) -> int:
    if abs(ticks) > _MAX_MICROS:
        raise ValueError("the year is out of range")
    return ticks


def parse_timestamp(text: str, digits: int = 6) -> int:
    """Ticks of 10^-digits seconds since 1970-01-01 of 'YYYY-MM-DD[ HH:MM[:SS[.F]]][zone]'; a zone is
    ignored, and the name of one may be any word.

    >>> parse_timestamp("1970-01-02 00:00:01.5")
    86401500000
    """
    return _in_range(_moment(text, digits)[0])


def parse_timestamptz(text: str) -> int:
    """Microseconds since 1970-01-01 UTC; without a zone the text is UTC.

    >>> parse_timestamptz("1970-01-01 02:00:00+02")
    0
    """
    ticks, offset, name = _moment(text, 6)
    _in_range(ticks)
    if name:
        offset = zone_seconds(name, ticks // US_SECOND)
    return _in_range(ticks - offset * US_SECOND)


def parse_time(text: str) -> int:
    """Microseconds since midnight of 'HH:MM[:SS[.F]]'; a date before it and an offset after it are ignored.

    >>> parse_time("01:00:00.25")
    3600250000
    """
    clock = _FULL_CLOCK.match(text.lstrip(_SPACES))
    if clock is None:
        return parse_timestamp(text) % US_DAY
    offset = _offset_seconds(clock.string[clock.end() :].lstrip(_SPACES))
    if offset is None or abs(offset) >= _OFFSET_LIMIT:
        raise ValueError("what follows the time is no offset from UTC")
    return _ticks(clock, 6)


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
