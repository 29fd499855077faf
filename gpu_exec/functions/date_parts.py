"""Parts of dates and timestamps: year() to nanosecond(), epoch() and its kin, julian()."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...planner import messages_values as messages
from ...planner.date_units import CLOCK_PARTS, MICROS_DAY, MICROS_SECOND
from ...planner.expr import Call
from ...planner.types import TypeId
from ..moments import Calendar, days_of, infinite, micros_of, stored
from ..number import Number, nulled
from ..storage import data_type
from ..values import Evaluation, Value
from .registry import scalar

# The largest number of microseconds, or milliseconds, that a thousandth of still fits INT64.
_THOUSANDTH = (2**63 - 1) // 1000


def _eras(unit: int) -> Callable[[Calendar], Number]:
    """Centuries and millennia: the first starts with year 1, the one before it is -1."""

    def count(calendar: Calendar) -> Number:
        year = calendar.year
        after = (year - 1) // unit + 1
        before = -((-year) // unit) - 1
        return before.unless(year.above(0), after)

    return count


def _year_week(calendar: Calendar) -> Number:
    year, week = calendar.iso
    return year * 100 + (-week).unless(year.above(0), week)


CALENDAR_PARTS: dict[str, Callable[[Calendar], Number]] = {
    "year": lambda c: c.year,
    "month": lambda c: c.month,
    "day": lambda c: c.day,
    "quarter": lambda c: (c.month + 2) // 3,
    "week": lambda c: c.iso[1],
    "yearweek": _year_week,
    "dayofweek": lambda c: c.isodow % 7,
    "isodow": lambda c: c.isodow,
    "dayofyear": lambda c: c.day_of_year,
    "isoyear": lambda c: c.iso[0],
    "decade": lambda c: c.year.over(10),
    "century": _eras(100),
    "millennium": _eras(1000),
    "era": lambda c: Number(c.year.above(0), c.ops),
}


def _finite(node: Call, made: Number, arg: Value, run: Evaluation) -> Value:
    """The result, NULL where the moment is infinite."""
    column = run.ops.cast(made.column, data_type(node.type))
    gone = infinite(arg, run)
    return Value(node.type, column if gone is None else nulled(column, gone, run.ops))


@scalar(*CALENDAR_PARTS)
def calendar_part(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """The part that the function is named after."""
    made = CALENDAR_PARTS[node.function](Calendar(days_of(args[0], run)))
    return _finite(node, made, args[0], run)


@scalar(*CLOCK_PARTS)
def clock_part(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """The part that the function is named after; 0 of a date."""
    (arg,) = args
    if arg.type.id is TypeId.TIMESTAMP_NS and node.function == "nanosecond":
        return _finite(node, stored(arg, run) % 60_000_000_000, arg, run)
    if arg.type.id is TypeId.DATE:
        return _finite(node, stored(arg, run) * 0, arg, run)
    return _finite(node, CLOCK_PARTS[node.function](micros_of(arg, run) % MICROS_DAY), arg, run)


@scalar("epoch")
def epoch(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """Seconds since 1970-01-01 as a double."""
    return _finite(node, micros_of(args[0], run).to("FLOAT64").over(float(MICROS_SECOND)), args[0], run)


@scalar("julian")
def julian(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """Days since 4714-11-24 BC of the Gregorian calendar, counted from midnight."""
    (arg,) = args
    days = days_of(arg, run)
    made = (days + 2_440_588).to("FLOAT64")
    if arg.type.id is not TypeId.DATE:
        rest = micros_of(arg, run) - days * MICROS_DAY
        made = made + rest.to("FLOAT64").over(float(MICROS_DAY))
    return _finite(node, made, arg, run)


def rounded_over(whole: Number, divisor: int) -> Number:
    """Integers over a positive constant, rounded to the nearest, halves away from zero."""
    if divisor == 1:
        return whole
    ops = whole.ops
    down = whole // divisor
    twice = (whole - down * divisor) * 2
    half = ops.both(twice.equals(divisor), whole.at_least(0))
    return down.counted(ops.either(twice.above(divisor), half))


@scalar("epoch_ms", "epoch_us", "epoch_ns")
def epoch_units(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """Milli-, micro- or nanoseconds since 1970-01-01; epoch_ms of a number is that moment."""
    (arg,) = args
    if arg.type.id is TypeId.BIGINT:
        given = Number(run.column(arg), run.ops)
        beyond = given.outside(-_THOUSANDTH, _THOUSANDTH)
        failure = run.failure(
            beyond, lambda: messages.conversion("Could not convert Timestamp(MS) to Timestamp(US)")
        )
        made = run.ops.bits_as((given * 1000).column, data_type(node.type))
        return Value(node.type, made, failures=(failure,))
    if node.function == "epoch_ns" and arg.type.id is TypeId.TIMESTAMP_NS:
        return _finite(node, stored(arg, run), arg, run)
    micros = micros_of(arg, run)
    if node.function != "epoch_ns":
        return _finite(node, rounded_over(micros, 1000 if node.function == "epoch_ms" else 1), arg, run)
    beyond = micros.outside(-_THOUSANDTH, _THOUSANDTH)
    gone = infinite(arg, run)
    if gone is not None:
        beyond = run.ops.both(beyond, run.ops.inverse(gone))
    failure = run.failure(
        beyond, lambda: messages.conversion("Could not convert Timestamp(US) to Timestamp(NS)")
    )
    made = _finite(node, micros * 1000, arg, run)
    return Value(node.type, made.column, failures=(failure,))
