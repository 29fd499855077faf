"""Parts of dates and times as numbers: what both devices compute with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

MICROS_SECOND = 1_000_000
MICROS_MINUTE, MICROS_HOUR, MICROS_DAY = 60 * MICROS_SECOND, 3600 * MICROS_SECOND, 86_400 * MICROS_SECOND

# Length of the parts of a day in microseconds.
CLOCK_UNITS = {
    "hour": MICROS_HOUR,
    "minute": MICROS_MINUTE,
    "second": MICROS_SECOND,
    "epoch": MICROS_SECOND,
    "millisecond": 1000,
    "microsecond": 1,
}

# Parts by which a day counts, and a week.
DAYS = frozenset({"day", "dayofweek", "isodow", "dayofyear", "julian"})
WEEKS = frozenset({"week", "yearweek"})

# Length of the larger parts in months.
MONTHS = {
    "month": 1,
    "quarter": 3,
    "year": 12,
    "isoyear": 12,
    "decade": 120,
    "century": 1200,
    "millennium": 12_000,
}

# From microseconds of the day, of whatever a device counts with.
CLOCK_PARTS: dict[str, Callable[[Any], Any]] = {
    "hour": lambda micros: micros // MICROS_HOUR,
    "minute": lambda micros: micros % MICROS_HOUR // MICROS_MINUTE,
    "second": lambda micros: micros % MICROS_MINUTE // MICROS_SECOND,
    "millisecond": lambda micros: micros % MICROS_MINUTE // 1000,
    "microsecond": lambda micros: micros % MICROS_MINUTE,
    "nanosecond": lambda micros: micros % MICROS_MINUTE * 1000,
}
