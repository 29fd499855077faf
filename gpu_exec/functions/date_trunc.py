"""date_trunc with a constant part: the start of the part that a moment lies in."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...planner.date_units import CLOCK_UNITS, DAYS, MICROS_DAY
from ...planner.expr import Call
from ...planner.functions import DATE_PARTS
from ..moments import TIMESTAMP_INFINITY, Calendar, days_of, first_day, infinite, micros_of, stored
from ..number import Number
from ..storage import data_type
from ..values import Evaluation, Value
from .registry import scalar


def _years(unit: int) -> Callable[[Calendar], Number]:
    return lambda calendar: first_day(calendar.year.over(unit) * unit)


def _monday(calendar: Calendar) -> Number:
    return calendar.days - calendar.isodow + 1


def _iso_year(calendar: Calendar) -> Number:
    # 4 January always lies in the first week.
    return _monday(Calendar(first_day(calendar.iso[0]) + 3))


def _quarter(calendar: Calendar) -> Number:
    """The months before the quarter's first are 0, 3, 6 or 9: with a leap day 0, 91, 182, 274 days."""
    first = first_day(calendar.year)
    place = (calendar.month - 1) // 3
    length = first_day(calendar.year + 1) - first
    # 0, 90, 181, 273 in plain years.
    plain = place * 91 - Number(place.above(0), calendar.ops) + Number(place.above(2), calendar.ops)
    return first + plain + (length - 365) * Number(place.above(0), calendar.ops)


# Start of the part as days.
STARTS: dict[str, Callable[[Calendar], Number]] = {
    "millennium": _years(1000),
    "century": _years(100),
    "decade": _years(10),
    "year": _years(1),
    "isoyear": _iso_year,
    "quarter": _quarter,
    "month": lambda calendar: calendar.days - calendar.day + 1,
    "week": _monday,
    "yearweek": _monday,
} | dict.fromkeys(sorted(DAYS), lambda calendar: calendar.days)


@scalar("date_trunc")
def date_trunc(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """See the module. `support.py` lets through the parts in the tables above only."""
    part, arg = DATE_PARTS[args[0].literal.lower()], args[1]
    if part in CLOCK_UNITS:
        micros = micros_of(arg, run)
        made = micros - micros % CLOCK_UNITS[part] if CLOCK_UNITS[part] > 1 else micros
    else:
        made = STARTS[part](Calendar(days_of(arg, run))) * MICROS_DAY
    gone = infinite(arg, run)
    if gone is not None:
        # Infinities stay.
        below = stored(arg, run).below(0)
        ends = (made * 0 + TIMESTAMP_INFINITY).unless(below, -TIMESTAMP_INFINITY)
        made = made.unless(gone, ends)
    return Value(node.type, run.ops.bits_as(made.column, data_type(node.type)))
