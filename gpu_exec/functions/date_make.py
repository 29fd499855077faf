"""Dates and timestamps made of numbers, the last day of a month, names of days and months, today."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from ...planner import messages_values as messages
from ...planner.date_units import MICROS_DAY, MICROS_SECOND
from ...planner.expr import Call
from ...planner.time_formats import DAYS, MONTHS
from ...planner.types import DATE, TIMESTAMP, VARCHAR
from ..moments import DATE_INFINITY, Calendar, days_from_civil, days_of, infinite, month_length
from ..number import Number, nulled
from ..storage import data_type
from ..values import Evaluation, Failure, Value
from .registry import scalar


def _date(given: Sequence[Value], run: Evaluation) -> tuple[Number, Failure]:
    """Days of year, month and day, and where there is no such day."""
    year, month, day = _numbers(given, run)
    ops = run.ops
    wrong = ops.either(month.outside(1, 12), year.outside(-5_999_999, 5_999_999))
    # What is wrong is replaced by a date that is in range, so that the arithmetic stays there.
    year, month = year.unless(wrong, 1970), month.unless(wrong, 1)
    ends = month_length(year, month)
    outside = day.outside(1, ends)
    days = days_from_civil(year, month, day.unless(outside, 1))
    beyond = days.outside(1 - DATE_INFINITY, DATE_INFINITY - 1)
    rows = ops.either(ops.either(wrong, outside), beyond)
    return days, run.failure_of(
        rows, given, lambda values: messages.conversion("Date out of range: {}-{}-{}".format(*values))
    )


def _numbers(args: Sequence[Value], run: Evaluation) -> list[Number]:
    return [Number(run.column(arg), run.ops) for arg in args]


@scalar("make_date")
def make_date(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """Of year, month and day, or of days since 1970-01-01."""
    if len(args) == 1:
        return Value(DATE, run.ops.bits_as(args[0].column, data_type(DATE)), bounds=args[0].bounds)
    days, failure = _date(args, run)
    made = run.ops.bits_as(days.to("INT32").column, data_type(DATE))
    return Value(DATE, _null_with(args, made, run), failures=(failure,))


def _null_with(args: Sequence[Value], made: Any, run: Evaluation) -> Any:
    """NULL where an argument is: what was replaced for being wrong hides it."""
    for arg in args:
        if arg.column is not None and arg.column.null_count():
            made = nulled(made, run.ops.is_null(arg.column), run.ops)
    return made


@scalar("make_timestamp")
def make_timestamp(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """Of its six parts, or of microseconds since 1970-01-01."""
    ops = run.ops
    if len(args) == 1:
        return Value(TIMESTAMP, ops.bits_as(args[0].column, data_type(TIMESTAMP)), bounds=args[0].bounds)
    days, no_day = _date(args[:3], run)
    hour, minute = _numbers(args[3:5], run)
    seconds = Number(run.column(args[5]), ops, "FLOAT64")
    scaled = (seconds * float(MICROS_SECOND)).of("RINT")
    # NaN is on no side of a limit.
    inside = ops.both(scaled.at_least(0.0), scaled.at_most(60.0 * MICROS_SECOND))
    wrong = ops.either(hour.outside(0, 24), minute.outside(0, 59))
    wrong = ops.either(wrong, ops.inverse(inside))
    micros = scaled.unless(ops.inverse(inside), 0.0).to("INT64")
    time_of_day = (hour.unless(wrong, 0) * 60 + minute.unless(wrong, 0)) * (60 * MICROS_SECOND) + micros
    wrong = ops.either(wrong, time_of_day.above(MICROS_DAY))
    no_time = run.failure(wrong, lambda: messages.conversion("Time out of range: there is no such time"))
    # 2**63 microseconds are 106,751,991 days and 4 hours.
    far = days.outside(-106_751_991, 106_751_991)
    made = days.unless(far, 0) * MICROS_DAY + time_of_day
    wrapped = ops.both(days.outside(-106_751_990, 106_751_990), _sign_differs(days, made))
    failure = run.failure(
        ops.either(far, wrapped),
        lambda: messages.conversion("Date and time not in timestamp range"),
    )
    column = _null_with(args, ops.bits_as(made.column, data_type(TIMESTAMP)), run)
    return Value(TIMESTAMP, column, failures=(no_day, no_time, failure))


def _sign_differs(a: Number, b: Number) -> Any:
    """Where a sum has wrapped round."""
    return a.bit("BITWISE_XOR", b).below(0)


@scalar("last_day")
def last_day(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """The last day of the month; NULL of an infinity."""
    calendar = Calendar(days_of(args[0], run))
    made = calendar.days - calendar.day + month_length(calendar.year, calendar.month)
    column = run.ops.bits_as(made.to("INT32").column, data_type(DATE))
    gone = infinite(args[0], run)
    return Value(DATE, column if gone is None else nulled(column, gone, run.ops))


def named(places: Number, names: Sequence[str], run: Evaluation) -> Any:
    """The names at places from 0 on; NULL where the place is."""
    table = run.ops.upload(pa.array(names, pa.string()))
    rows = run.ops.filled(places.to("INT32").column, run.ops.int32(-1))
    (found,) = run.ops.gathered([table], rows, outside_is_null=True)
    return found


@scalar("dayname", "monthname")
def name_of(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """The English name of the weekday or the month; NULL of an infinity."""
    calendar = Calendar(days_of(args[0], run))
    if node.function == "dayname":
        places, names = calendar.isodow % 7, DAYS
    else:
        places, names = calendar.month - 1, MONTHS
    gone = infinite(args[0], run)
    if gone is not None:
        places = Number(nulled(places.column, gone, run.ops), run.ops)
    return Value(VARCHAR, named(places, names, run))


@scalar("current_date")
def current_date(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """Today in UTC."""
    return Value(DATE, None, int(time.time()) // 86_400)
