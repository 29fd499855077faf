"""Type objects and constructors of PEP 249: a type code of `description` equals its kind's type object."""

from __future__ import annotations

import datetime

from ..planner.types import INTEGER_RANGES, TEMPORAL, SQLType, TypeId

Date = datetime.date
Time = datetime.time
Timestamp = datetime.datetime
Binary = bytes


def DateFromTicks(ticks: float) -> datetime.date:
    """The local date of a number of seconds since the epoch."""
    return datetime.date.fromtimestamp(ticks)


def TimeFromTicks(ticks: float) -> datetime.time:
    """The local time of day of a number of seconds since the epoch."""
    return datetime.datetime.fromtimestamp(ticks).time()


def TimestampFromTicks(ticks: float) -> datetime.datetime:
    """The local time of a number of seconds since the epoch."""
    return datetime.datetime.fromtimestamp(ticks)


class TypeGroup:
    """Equal to every SQL type of its kind.

    >>> from ..planner.types import INTEGER, VARCHAR
    >>> NUMBER == INTEGER, NUMBER == VARCHAR
    (True, False)
    """

    def __init__(self, *kinds: TypeId) -> None:
        self._kinds = frozenset(kinds)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, SQLType):
            return other.id in self._kinds
        return self is other

    def __hash__(self) -> int:
        return hash(self._kinds)


STRING = TypeGroup(TypeId.VARCHAR)
BINARY = TypeGroup(TypeId.BLOB)
NUMBER = TypeGroup(*INTEGER_RANGES, TypeId.FLOAT, TypeId.DOUBLE, TypeId.DECIMAL)
DATETIME = TypeGroup(*TEMPORAL, TypeId.INTERVAL)
# No column identifies a row: equal to no type.
ROWID = TypeGroup()
