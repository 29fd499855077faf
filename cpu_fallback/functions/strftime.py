"""strftime: dates and timestamps as text in a format."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...planner.expr import Call
from ...planner.temporal import civil_from_days, days_from_civil
from ...planner.time_formats import DAYS, MONTHS, pieces
from ...planner.types import VARCHAR, TypeId
from ..casts.temporal import DATE_INFINITY, TIMESTAMP_INFINITY, UNITS
from ..vector import Vector
from .registry import Evaluate, scalar
from .rowwise import rowwise


class Moment:
    """One moment and its parts."""

    __slots__ = ("day", "days", "hour", "minute", "month", "nanos", "second", "year")

    def __init__(self, days: int, nanos: int) -> None:
        """Days since 1970-01-01 and nanoseconds of the day."""
        self.days = days
        self.year, self.month, self.day = civil_from_days(days)
        seconds, self.nanos = divmod(nanos, 1_000_000_000)
        self.hour, self.minute, self.second = seconds // 3600, seconds // 60 % 60, seconds % 60

    @property
    def weekday(self) -> int:
        """Sunday is 0."""
        return (self.days + 4) % 7

    @property
    def day_of_year(self) -> int:
        """1 to 366."""
        return self.days - days_from_civil(self.year, 1, 1) + 1

    def week(self, first: int) -> int:
        """Week of the year when weeks begin with weekday `first`; the days before the first such day are in
        week 0.
        """
        return (self.day_of_year + 6 - (self.weekday - first) % 7) // 7

    def iso_week(self) -> tuple[int, int]:
        """ISO year and week: those of the week's Thursday."""
        thursday = self.days - (self.weekday + 6) % 7 + 3
        year = civil_from_days(thursday)[0]
        return year, (thursday - days_from_civil(year, 1, 1)) // 7 + 1


def _year(year: int) -> str:
    return f"{year:04d}" if 0 <= year <= 9999 else str(year)


_WRITE: dict[str, Callable[[Moment], str]] = {
    "%a": lambda m: DAYS[m.weekday][:3],
    "%A": lambda m: DAYS[m.weekday],
    "%w": lambda m: str(m.weekday),
    "%u": lambda m: str((m.weekday + 6) % 7 + 1),
    "%d": lambda m: f"{m.day:02d}",
    "%-d": lambda m: str(m.day),
    "%b": lambda m: MONTHS[m.month - 1][:3],
    "%B": lambda m: MONTHS[m.month - 1],
    "%m": lambda m: f"{m.month:02d}",
    "%-m": lambda m: str(m.month),
    "%y": lambda m: f"{abs(m.year) % 100:02d}",
    "%-y": lambda m: str(abs(m.year) % 100),
    "%Y": lambda m: _year(m.year),
    "%G": lambda m: _year(m.iso_week()[0]),
    "%V": lambda m: f"{m.iso_week()[1]:02d}",
    "%H": lambda m: f"{m.hour:02d}",
    "%-H": lambda m: str(m.hour),
    "%I": lambda m: f"{(m.hour + 11) % 12 + 1:02d}",
    "%-I": lambda m: str((m.hour + 11) % 12 + 1),
    "%p": lambda m: "AM" if m.hour < 12 else "PM",
    "%M": lambda m: f"{m.minute:02d}",
    "%-M": lambda m: str(m.minute),
    "%S": lambda m: f"{m.second:02d}",
    "%-S": lambda m: str(m.second),
    "%f": lambda m: f"{m.nanos // 1000:06d}",
    "%g": lambda m: f"{m.nanos // 1_000_000:03d}",
    "%n": lambda m: f"{m.nanos:09d}",
    "%z": lambda m: "+00",
    "%Z": lambda m: "",
    "%j": lambda m: f"{m.day_of_year:03d}",
    "%-j": lambda m: str(m.day_of_year),
    "%U": lambda m: f"{m.week(0):02d}",
    "%W": lambda m: f"{m.week(1):02d}",
}


def format_moment(days: int, nanos: int, text: str) -> str:
    """Days since 1970-01-01 and nanoseconds of the day in a strftime format.

    >>> format_moment(10471, 0, "%d/%m/%Y")
    '02/09/1998'
    """
    moment = Moment(days, nanos)
    return "".join(_WRITE[piece.text](moment) if piece.is_specifier else piece.text for piece in pieces(text))


@scalar("strftime")
def strftime(call: Call) -> Evaluate:
    """The moment in the format; either may come first. Infinities are written out."""
    moment_at = 1 if call.args[0].type.is_string else 0
    kind = call.args[moment_at].type.id
    infinity = DATE_INFINITY if kind is TypeId.DATE else TIMESTAMP_INFINITY
    unit = 0 if kind is TypeId.DATE else UNITS[kind]
    zone = "UTC" if kind is TypeId.TIMESTAMPTZ else ""

    def one(value: int, text: str) -> str:
        if abs(value) == infinity:
            return "infinity" if value > 0 else "-infinity"
        if not unit:
            return format_moment(value, 0, text)
        days, rest = divmod(value, 86_400 * unit)
        return format_moment(days, rest * (1_000_000_000 // unit), text.replace("%Z", zone) if zone else text)

    by_row = rowwise(one, VARCHAR)

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        moments, formats = args[moment_at], args[1 - moment_at]
        if formats.is_constant:
            pieces(formats.value)
        return by_row((moments, formats), n)

    return evaluate
