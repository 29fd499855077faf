"""Functions that make moments of numbers, move them between time zones and put them into buckets."""

from __future__ import annotations

from ..types import (
    BIGINT,
    DATE,
    DOUBLE,
    INTERVAL,
    TIME,
    TIMESTAMP,
    TIMESTAMP_NS,
    TIMESTAMPTZ,
    VARCHAR,
)
from .signature import Overload, ScalarFunction

_BUCKETED = (DATE, TIME, TIMESTAMP, TIMESTAMPTZ)
_PARTS = (BIGINT,) * 5

FUNCTIONS = (
    ScalarFunction(
        "to_timestamp",
        (Overload((DOUBLE,), TIMESTAMPTZ),),
        "Moment of seconds since 1970-01-01",
        can_fail=True,
    ),
    ScalarFunction(
        "make_timestamp_ms",
        (Overload((BIGINT,), TIMESTAMP),),
        "Timestamp of milliseconds since 1970-01-01",
        can_fail=True,
    ),
    ScalarFunction(
        "make_timestamp_ns",
        (Overload((BIGINT,), TIMESTAMP_NS),),
        "Timestamp of nanoseconds since 1970-01-01",
        can_fail=True,
    ),
    ScalarFunction(
        "make_timestamptz",
        (
            Overload((*_PARTS, DOUBLE), TIMESTAMPTZ),
            Overload((*_PARTS, DOUBLE, VARCHAR), TIMESTAMPTZ),
            Overload((BIGINT,), TIMESTAMPTZ),
        ),
        "Moment of its six parts in UTC or a time zone, or of microseconds since 1970-01-01",
        can_fail=True,
    ),
    ScalarFunction(
        "time_bucket",
        (
            *(Overload((INTERVAL, t), t) for t in _BUCKETED),
            *(Overload((INTERVAL, t, INTERVAL), t) for t in _BUCKETED),
            *(Overload((INTERVAL, t, t), t) for t in _BUCKETED),
            Overload((INTERVAL, TIMESTAMPTZ, VARCHAR), TIMESTAMPTZ),
        ),
        "Start of the interval of a width that a moment lies in, from an origin or moved by an offset",
        can_fail=True,
    ),
    ScalarFunction(
        "timezone",
        (
            Overload((VARCHAR, TIMESTAMP), TIMESTAMPTZ),
            Overload((VARCHAR, TIMESTAMPTZ), TIMESTAMP),
            Overload((VARCHAR, DATE), TIMESTAMPTZ),
        ),
        "A moment as the clocks of a time zone show it, or the moment at which they do",
        can_fail=True,
    ),
)
