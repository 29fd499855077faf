"""Dates and timestamps plus or minus days and constant intervals."""

from __future__ import annotations

from typing import Any

from ...planner import messages_values as messages
from ...planner.date_units import MICROS_DAY
from ...planner.expr import Call
from ...planner.types import BIGINT, DATE, TypeId
from ..moments import DATE_INFINITY, TIMESTAMP_INFINITY, add_months, days_of, infinite, micros_of, stored
from ..number import Number
from ..storage import data_type
from ..values import Evaluation, Value


def plus_minus(symbol: str, node: Call, left: Value, right: Value, run: Evaluation) -> Value:
    """+ and - of which an operand is a date or timestamp; `support.py` says which there are."""
    if left.type.id is TypeId.INTERVAL or (left.type.is_integer and right.type.id is TypeId.DATE):
        left, right = right, left
    sign = -1 if symbol == "-" else 1
    if right.type.id is TypeId.INTERVAL:
        months, days, micros = (sign * part for part in right.literal)
        if node.type.id is TypeId.TIMESTAMP_NS:
            return _shifted_nanos(node, left, months, days, micros, run)
        return _shifted(node, left, months, days, micros, run)
    if right.type.id is TypeId.DATE:
        between = days_of(left, run) - days_of(right, run)
        return Value(BIGINT, between.column)
    return _moved(left, Number(run.column(right), run.ops) * sign, run)


def _moved(date: Value, days: Number, run: Evaluation) -> Value:
    """DATE and a number of days; infinities stay."""
    given = days_of(date, run)
    made = given + days
    beyond = made.outside(1 - DATE_INFINITY, DATE_INFINITY - 1)
    gone = infinite(date, run)
    if gone is not None:
        made = made.unless(gone, given)
        beyond = run.ops.both(beyond, run.ops.inverse(gone))
    failure = run.failure(beyond, lambda: messages.out_of_range("Date out of range"))
    column = run.ops.bits_as(made.to("INT32").column, data_type(DATE))
    return Value(DATE, column, failures=(failure,))


def _shifted(node: Call, start: Value, months: int, days: int, micros: int, run: Evaluation) -> Value:
    """A moment moved by months, then days, then time, as TIMESTAMP."""
    ops = run.ops
    day = days_of(start, run)
    rest = micros_of(start, run) - day * MICROS_DAY
    if months:
        day = add_months(day, months)
    rest = rest + micros
    carried = rest // MICROS_DAY
    day, rest = day + days + carried, rest - carried * MICROS_DAY
    # 2**63 microseconds are 106,751,991 days and 4 hours.
    limit = 106_751_990
    high = ops.both(day.equals(limit + 1), rest.above(14_454_775_806))
    low = ops.both(day.equals(-limit - 2), rest.below(71_945_224_194))
    beyond = ops.either(ops.either(high, low), day.outside(-limit - 2, limit + 1))
    made = day * MICROS_DAY + rest
    return _finished(node, start, made, beyond, run)


def _shifted_nanos(node: Call, start: Value, months: int, days: int, micros: int, run: Evaluation) -> Value:
    """The same of a TIMESTAMP_NS."""
    per_day = MICROS_DAY * 1000
    given = stored(start, run)
    day = given // per_day
    rest = given - day * per_day
    if months:
        day = add_months(day, months)
    carried_days, left = divmod(micros * 1000, per_day)
    rest = rest + left
    carried = rest // per_day
    day, rest = day + (days + carried_days) + carried, rest - carried * per_day
    beyond = day.outside(-106_750, 106_750)
    return _finished(node, start, day * per_day + rest, beyond, run)


def _finished(node: Call, start: Value, made: Number, beyond: Any, run: Evaluation) -> Value:
    """The result as a timestamp; infinities stay, and what is beyond the range fails."""
    gone = infinite(start, run)
    if gone is not None:
        below = stored(start, run).below(0)
        ends = (made * 0 + TIMESTAMP_INFINITY).unless(below, -TIMESTAMP_INFINITY)
        made = made.unless(gone, ends)
        beyond = run.ops.both(beyond, run.ops.inverse(gone))
    failure = run.failure(beyond, lambda: messages.conversion("Date and time not in timestamp range"))
    column = run.ops.bits_as(made.column, data_type(node.type))
    return Value(node.type, column, failures=(failure,))
