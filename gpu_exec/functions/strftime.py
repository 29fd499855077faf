"""strftime with a constant format: texts of its pieces, put together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...planner.expr import Call
from ...planner.time_formats import DAYS, MONTHS, pieces
from ...planner.types import VARCHAR, TypeId
from ..moments import UNITS, Calendar, days_of, infinite, stored
from ..number import Number
from ..ops import Ops
from ..texts import digits, joined, text_column, text_scalar
from ..values import Evaluation, Value
from .date_make import named
from .registry import scalar


class Clock:
    """Days of a moment's calendar and nanoseconds of its day."""

    def __init__(self, value: Value, run: Evaluation) -> None:
        self.run = run
        days = days_of(value, run)
        self.calendar = Calendar(days)
        if value.type.id is TypeId.DATE:
            self.nanos = days * 0
        else:
            unit = UNITS[value.type.id]
            self.nanos = (stored(value, run) - days * (86_400 * unit)) * (1_000_000_000 // unit)
        self.seconds = self.nanos // 1_000_000_000
        self.fraction = self.nanos - self.seconds * 1_000_000_000
        self.hour = self.seconds // 3600
        self.minute = self.seconds // 60 % 60
        self.second = self.seconds % 60

    def week(self, first: int) -> Number:
        """Week of the year when weeks begin with weekday `first` (Sunday 0); days before it are in week 0."""
        weekday = self.calendar.isodow % 7
        return (self.calendar.day_of_year + 6 - (weekday - first) % 7) // 7


def _year(year: Number) -> Any:
    """Four digits from year 0 to 9999, all digits and a sign beyond."""
    ops = year.ops
    plain = digits(year, 1)
    return ops.choose(digits(year, 4), plain, ops.is_true(ops.inverse(year.outside(0, 9999))))


def _twelve(clock: Clock) -> Number:
    return (clock.hour + 11) % 12 + 1


def _short(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(name[:3] for name in names)


def _of(number: Callable[[Clock], Number], width: int) -> Callable[[Clock], Any]:
    return lambda clock: digits(number(clock), width)


def _name(number: Callable[[Clock], Number], names: Sequence[str]) -> Callable[[Clock], Any]:
    return lambda clock: named(number(clock), names, clock.run)


def _constant(text: str) -> Callable[[Clock], Any]:
    return lambda clock: text_column(text, clock.run.rows, clock.run.ops)


# Number and width by specifier; with '-' the width is 1.
_NUMBERS: dict[str, tuple[Callable[[Clock], Number], int]] = {
    "w": (lambda c: c.calendar.isodow % 7, 1),
    "u": (lambda c: c.calendar.isodow, 1),
    "d": (lambda c: c.calendar.day, 2),
    "m": (lambda c: c.calendar.month, 2),
    "y": (lambda c: c.calendar.year.size() % 100, 2),
    "V": (lambda c: c.calendar.iso[1], 2),
    "H": (lambda c: c.hour, 2),
    "I": (_twelve, 2),
    "M": (lambda c: c.minute, 2),
    "S": (lambda c: c.second, 2),
    "f": (lambda c: c.fraction // 1000, 6),
    "g": (lambda c: c.fraction // 1_000_000, 3),
    "n": (lambda c: c.fraction, 9),
    "j": (lambda c: c.calendar.day_of_year, 3),
    "U": (lambda c: c.week(0), 2),
    "W": (lambda c: c.week(1), 2),
}
_WRITE: dict[str, Callable[[Clock], Any]] = {
    **{f"%{letter}": _of(number, width) for letter, (number, width) in _NUMBERS.items()},
    **{f"%-{letter}": _of(number, 1) for letter, (number, _) in _NUMBERS.items()},
    "%a": _name(lambda c: c.calendar.isodow % 7, _short(DAYS)),
    "%A": _name(lambda c: c.calendar.isodow % 7, DAYS),
    "%b": _name(lambda c: c.calendar.month - 1, _short(MONTHS)),
    "%B": _name(lambda c: c.calendar.month - 1, MONTHS),
    "%Y": lambda c: _year(c.calendar.year),
    "%G": lambda c: _year(c.calendar.iso[0]),
    "%p": _name(lambda c: c.hour // 12, ("AM", "PM")),
    "%z": _constant("+00"),
    "%Z": _constant(""),
}


def with_infinities(text: Any, value: Value, run: Evaluation) -> Any:
    """The texts of moments, with the words for those that are infinite."""
    gone = infinite(value, run)
    if gone is None:
        return text
    ops: Ops = run.ops
    below = ops.both(gone, stored(value, run).below(0))
    text = ops.choose(text_scalar("infinity", ops), text, gone)
    return ops.choose(text_scalar("-infinity", ops), text, below)


@scalar("strftime")
def strftime(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """The moment in the format; either may come first."""
    moment, text = args[::-1] if args[0].type.is_string else args
    clock = Clock(moment, run)
    parts = [
        _WRITE[piece.text](clock) if piece.is_specifier else text_column(piece.text, run.rows, run.ops)
        for piece in pieces(text.literal)
    ]
    if not any(piece.is_specifier and piece.text not in ("%z", "%Z") for piece in pieces(text.literal)):
        # Nothing in it is NULL where the moment is.
        parts.append(named(clock.hour * 0, ("",), run))
    return Value(VARCHAR, with_infinities(joined(parts, run.ops), moment, run))
