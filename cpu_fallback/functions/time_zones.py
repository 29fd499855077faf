"""Moments in time zones, and moments made of numbers."""

from __future__ import annotations

import math
from functools import lru_cache

from ...planner import messages_values as messages
from ...planner.date_units import MICROS_DAY, MICROS_SECOND
from ...planner.expr import Call
from ...planner.temporal import days_from_civil
from ...planner.time_zones import utc_seconds, zone_seconds
from ...planner.types import TIMESTAMP, TIMESTAMP_NS, TIMESTAMPTZ, TypeId
from ..casts.temporal import DATE_INFINITY, TIMESTAMP_INFINITY
from .registry import Evaluate, scalar
from .rowwise import rowwise


@lru_cache(maxsize=4096)
def _east_of_local(zone: str, seconds: int) -> int:
    try:
        return zone_seconds(zone, seconds)
    except ValueError as error:
        raise _unknown(zone) from error


@lru_cache(maxsize=4096)
def _east_of_utc(zone: str, seconds: int) -> int:
    try:
        return utc_seconds(zone, seconds)
    except ValueError as error:
        raise _unknown(zone) from error


def _unknown(zone: str) -> Exception:
    return messages.unknown_zone(zone)


def utc_micros(zone: str, local: int) -> int:
    """The moment at which clocks of a zone show a time, both in microseconds."""
    return local - _east_of_local(zone, local // MICROS_SECOND) * MICROS_SECOND


def local_micros(zone: str, moment: int) -> int:
    """What the clocks of a zone show at a moment."""
    return moment + _east_of_utc(zone, moment // MICROS_SECOND) * MICROS_SECOND


@scalar("timezone")
def timezone(call: Call) -> Evaluate:
    """TIMESTAMP to the moment, TIMESTAMPTZ to the local time; infinite ones stay."""
    kind = call.args[1].type.id
    move = local_micros if kind is TypeId.TIMESTAMPTZ else utc_micros
    if kind is TypeId.DATE:

        def of_date(zone: str, days: int) -> int:
            if abs(days) == DATE_INFINITY:
                return TIMESTAMP_INFINITY if days > 0 else -TIMESTAMP_INFINITY
            return utc_micros(zone, days * MICROS_DAY)

        return rowwise(of_date, call.type)
    return rowwise(lambda zone, at: at if abs(at) == TIMESTAMP_INFINITY else move(zone, at), call.type)


@scalar("to_timestamp")
def to_timestamp(call: Call) -> Evaluate:
    """Seconds, rounded to microseconds."""

    def one(seconds: float) -> int:
        micros = round(seconds * MICROS_SECOND) if math.isfinite(seconds) else TIMESTAMP_INFINITY
        if abs(micros) >= TIMESTAMP_INFINITY:
            raise messages.conversion("Epoch seconds out of range for TIMESTAMP WITH TIME ZONE")
        return micros

    return rowwise(one, TIMESTAMPTZ)


@scalar("make_timestamp_ms")
def make_timestamp_ms(call: Call) -> Evaluate:
    """Of milliseconds."""

    def one(value: int) -> int:
        if abs(value * 1000) >= TIMESTAMP_INFINITY:
            raise messages.conversion("Could not convert Timestamp(MS) to Timestamp(US)")
        return value * 1000

    return rowwise(one, TIMESTAMP)


@scalar("make_timestamp_ns")
def make_timestamp_ns(call: Call) -> Evaluate:
    """Of nanoseconds."""

    def one(value: int) -> int:
        if abs(value) == TIMESTAMP_INFINITY:
            raise messages.conversion(f"Timestamp microseconds out of range: {value}")
        return value

    return rowwise(one, TIMESTAMP_NS)


@scalar("make_timestamptz")
def make_timestamptz(call: Call) -> Evaluate:
    """Of its parts, which may go over into the next larger one, in a zone; or of microseconds."""

    def of_parts(
        year: int, month: int, day: int, hour: int, minute: int, seconds: float, zone: str = "UTC"
    ) -> int:
        if not math.isfinite(seconds) or max(abs(p) for p in (year, month, day, hour, minute)) > 10**6:
            raise messages.conversion("Date and time not in timestamp range")
        years, months = divmod(month - 1, 12)
        # The year before the first one is -1.
        days = days_from_civil(year + (year < 0) + years, months + 1, 1) + day - 1
        local = days * MICROS_DAY + (hour * 60 + minute) * 60 * MICROS_SECOND + round(seconds * MICROS_SECOND)
        if abs(local) >= TIMESTAMP_INFINITY:
            raise messages.conversion("Date and time not in timestamp range")
        return utc_micros(zone, local)

    def of_micros(micros: int) -> int:
        if abs(micros) == TIMESTAMP_INFINITY:
            raise messages.conversion(f"Timestamp microseconds out of range: {micros}")
        return micros

    return rowwise(of_micros if len(call.args) == 1 else of_parts, TIMESTAMPTZ)
