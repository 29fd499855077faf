"""Functions of dates, times and intervals, and the names of their parts."""

from __future__ import annotations

from ..types import (
    BIGINT,
    DATE,
    DOUBLE,
    INTEGER,
    INTERVAL,
    TIME,
    TIMESTAMP,
    TIMESTAMP_NS,
    TIMESTAMPTZ,
    VARCHAR,
    SQLType,
)
from .signature import Overload, ScalarFunction, Volatility

# Spellings of date parts by the name of the function that extracts the part.
_SPELLINGS: dict[str, tuple[str, ...]] = {
    "year": ("y", "yr", "yrs", "years"),
    "month": ("mon", "mons", "months"),
    "day": ("d", "days", "dayofmonth"),
    "decade": ("dec", "decs", "decades"),
    "century": ("c", "cent", "centuries"),
    "millennium": ("mil", "millenniums", "millennia", "mils", "millenium"),
    "microsecond": ("us", "usec", "usecs", "usecond", "useconds", "microseconds"),
    "millisecond": ("ms", "msec", "msecs", "msecond", "mseconds", "milliseconds"),
    "second": ("s", "sec", "secs", "seconds"),
    "minute": ("m", "min", "mins", "minutes"),
    "hour": ("h", "hr", "hrs", "hours"),
    "epoch": (),
    "dayofweek": ("dow", "weekday"),
    "isodow": (),
    "week": ("w", "weeks", "weekofyear"),
    "dayofyear": ("doy",),
    "quarter": ("quarters",),
    "yearweek": (),
    "isoyear": (),
    "era": (),
    "julian": (),
}
DATE_PARTS: dict[str, str] = {s: part for part, spellings in _SPELLINGS.items() for s in (part, *spellings)}

# Parts that an interval has not.
CALENDAR_PARTS = frozenset(
    {"dayofweek", "isodow", "week", "dayofyear", "yearweek", "isoyear", "era", "julian"}
)

_CALENDAR = (DATE, TIMESTAMP, TIMESTAMPTZ, INTERVAL)
_CLOCK = (DATE, INTERVAL, TIME, TIMESTAMP, TIMESTAMPTZ, TIMESTAMP_NS)
_MOMENTS = (DATE, TIMESTAMP, TIMESTAMPTZ)


def _unary(kinds: tuple[SQLType, ...], result: SQLType) -> tuple[Overload, ...]:
    return tuple(Overload((kind,), result) for kind in kinds)


def _calendar(name: str, text: str, *aliases: str) -> ScalarFunction:
    return ScalarFunction(name, _unary(_CALENDAR, BIGINT), text, aliases)


def _clock(name: str, text: str, result: SQLType = BIGINT) -> ScalarFunction:
    return ScalarFunction(name, _unary(_CLOCK, result), text)


def _interval(name: str, what: str, *kinds: SQLType) -> ScalarFunction:
    return ScalarFunction(name, _unary(kinds, INTERVAL), f"Interval of a number of {what}", can_fail=True)


_BETWEEN = tuple(Overload((VARCHAR, t, t), BIGINT) for t in (DATE, TIME, TIMESTAMP, TIMESTAMPTZ))
_WHOLE = (INTEGER, BIGINT)
_STABLE = Volatility.STABLE

FUNCTIONS = (
    _calendar("year", "Year"),
    _calendar("month", "Month, 1 to 12"),
    _calendar("day", "Day of the month", "dayofmonth"),
    _calendar("quarter", "Quarter, 1 to 4"),
    _calendar("week", "ISO week number", "weekofyear"),
    _calendar("yearweek", "ISO year and week as the number yyyyww"),
    _calendar("dayofweek", "Day of the week, Sunday is 0", "weekday"),
    _calendar("isodow", "ISO day of the week, Monday is 1"),
    _calendar("dayofyear", "Day of the year"),
    _calendar("isoyear", "ISO year"),
    _calendar("decade", "Year divided by 10"),
    _calendar("century", "Century"),
    _calendar("millennium", "Millennium"),
    _calendar("era", "1 for years after Christ, 0 before"),
    _clock("hour", "Hour"),
    _clock("minute", "Minute"),
    _clock("second", "Whole seconds of the minute"),
    _clock("millisecond", "Seconds of the minute in milliseconds"),
    _clock("microsecond", "Seconds of the minute in microseconds"),
    _clock("nanosecond", "Seconds of the minute in nanoseconds"),
    _clock("epoch", "Seconds since 1970-01-01, or of the interval", DOUBLE),
    ScalarFunction(
        "epoch_ms",
        (*_unary(_CLOCK, BIGINT), Overload((BIGINT,), TIMESTAMP)),
        "Milliseconds since 1970-01-01; of a number, that moment",
        can_fail=True,
    ),
    _clock("epoch_us", "Microseconds since 1970-01-01"),
    ScalarFunction("epoch_ns", _unary(_CLOCK, BIGINT), "Nanoseconds since 1970-01-01", can_fail=True),
    ScalarFunction("julian", _unary(_MOMENTS, DOUBLE), "Julian day"),
    ScalarFunction(
        "date_part",
        tuple(Overload((VARCHAR, t), DOUBLE) for t in _CLOCK),
        "The part named by the first argument",
        ("datepart",),
        can_fail=True,
    ),
    ScalarFunction(
        "date_trunc",
        (
            Overload((VARCHAR, DATE), TIMESTAMP),
            Overload((VARCHAR, TIMESTAMP), TIMESTAMP),
            Overload((VARCHAR, TIMESTAMPTZ), TIMESTAMPTZ),
            Overload((VARCHAR, INTERVAL), INTERVAL),
        ),
        "Start of the part named by the first argument",
        ("datetrunc",),
        can_fail=True,
    ),
    ScalarFunction(
        "date_diff", _BETWEEN, "Boundaries of a part between two moments", ("datediff",), can_fail=True
    ),
    ScalarFunction("date_sub", _BETWEEN, "Whole parts between two moments", ("datesub",), can_fail=True),
    ScalarFunction(
        "make_date",
        (Overload((BIGINT, BIGINT, BIGINT), DATE), Overload((INTEGER,), DATE)),
        "Date of year, month and day, or of days since 1970-01-01",
        can_fail=True,
    ),
    ScalarFunction(
        "make_time",
        (Overload((BIGINT, BIGINT, DOUBLE), TIME),),
        "Time of hour, minute and seconds",
        can_fail=True,
    ),
    ScalarFunction(
        "make_timestamp",
        (
            Overload((BIGINT, BIGINT, BIGINT, BIGINT, BIGINT, DOUBLE), TIMESTAMP),
            Overload((BIGINT,), TIMESTAMP),
        ),
        "Timestamp of its six parts, or of microseconds since 1970-01-01",
        can_fail=True,
    ),
    ScalarFunction("last_day", _unary(_MOMENTS, DATE), "Last day of the month"),
    ScalarFunction("dayname", _unary(_MOMENTS, VARCHAR), "English name of the day of the week"),
    ScalarFunction("monthname", _unary(_MOMENTS, VARCHAR), "English name of the month"),
    ScalarFunction(
        "strftime",
        tuple(Overload((t, VARCHAR), VARCHAR) for t in (*_MOMENTS, TIMESTAMP_NS)),
        "As text in a strftime format",
        can_fail=True,
        constants=(1,),
    ),
    ScalarFunction(
        "strptime",
        (Overload((VARCHAR, VARCHAR), TIMESTAMP),),
        "Timestamp read from text in a strptime format",
        can_fail=True,
        constants=(1,),
    ),
    ScalarFunction(
        "try_strptime",
        (Overload((VARCHAR, VARCHAR), TIMESTAMP),),
        "Like strptime, NULL where the text does not fit",
        constants=(1,),
    ),
    ScalarFunction(
        "age",
        (
            Overload((TIMESTAMP,), INTERVAL),
            Overload((TIMESTAMP, TIMESTAMP), INTERVAL),
            Overload((TIMESTAMPTZ,), INTERVAL),
            Overload((TIMESTAMPTZ, TIMESTAMPTZ), INTERVAL),
        ),
        "Years, months and days between two moments, or until today",
        volatility=_STABLE,
    ),
    ScalarFunction("current_date", (Overload((), DATE),), "Today", ("today",), volatility=_STABLE),
    ScalarFunction(
        "now",
        (Overload((), TIMESTAMPTZ),),
        "Start of the statement",
        ("current_timestamp", "get_current_timestamp", "transaction_timestamp"),
        volatility=_STABLE,
    ),
    _interval("to_years", "years", *_WHOLE),
    _interval("to_quarters", "quarters", *_WHOLE),
    _interval("to_months", "months", *_WHOLE),
    _interval("to_weeks", "weeks", *_WHOLE),
    _interval("to_days", "days", *_WHOLE),
    _interval("to_hours", "hours", BIGINT),
    _interval("to_minutes", "minutes", BIGINT),
    _interval("to_seconds", "seconds", DOUBLE),
    _interval("to_milliseconds", "milliseconds", DOUBLE),
    _interval("to_microseconds", "microseconds", BIGINT),
    _interval("to_decades", "decades", *_WHOLE),
    _interval("to_centuries", "centuries", *_WHOLE),
    _interval("to_millennia", "millennia", *_WHOLE),
)
