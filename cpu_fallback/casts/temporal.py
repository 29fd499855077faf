"""Casts between DATE, TIME and the TIMESTAMP types.

Three stored values are not points in time: the greatest integer is infinity, its negative (one above the
least integer) -infinity.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...planner import messages_values as messages
from ...planner.types import SQLType, TypeId
from ..functions.registry import Evaluate
from ..vector import Vector
from .numeric import divide_rounded
from .registry import TIMESTAMPS, cast, reject

# Stored units a second.
UNITS = {
    TypeId.TIMESTAMP: 1_000_000,
    TypeId.TIMESTAMPTZ: 1_000_000,
    TypeId.TIMESTAMP_S: 1,
    TypeId.TIMESTAMP_MS: 1_000,
    TypeId.TIMESTAMP_NS: 1_000_000_000,
}
DATE_INFINITY = 2**31 - 1
TIMESTAMP_INFINITY = 2**63 - 1
DAY_SECONDS = 86_400


@cast((TypeId.DATE,), TIMESTAMPS)
def date_to_timestamp(source: SQLType, target: SQLType, safe: bool) -> Evaluate:
    """Midnight; infinities are kept."""
    unit = DAY_SECONDS * UNITS[target.id]
    limit = min((2**63 - 1) // unit, DATE_INFINITY - 1)

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        (arg,) = args
        days, valid = arg.values, arg.valid
        values = days.astype(np.int64) * unit
        low, high = arg.loose_bounds()
        if low < -limit or high > limit:
            tight = arg.tight_bounds()
            if tight is not None and (tight[0] < -limit or tight[1] > limit):
                return _beyond(arg, values, limit, target, safe)
            low, high = tight or (0, 0)
        return Vector.of_values(target, values, valid, (low * unit, high * unit))

    return evaluate


def _beyond(arg: Vector, values: Any, limit: int, target: SQLType, safe: bool) -> Vector:
    days = arg.values
    infinite = np.abs(days) == DATE_INFINITY
    wrong = ((days > limit) | (days < -limit)) & ~infinite
    valid = reject(
        wrong, arg.valid, safe, lambda row: messages.conversion("Date is out of the range of " + str(target))
    )
    values = np.where(infinite, np.sign(days).astype(np.int64) * TIMESTAMP_INFINITY, values)
    return Vector.of_values(target, values, valid)


@cast(TIMESTAMPS, (TypeId.DATE,))
def timestamp_to_date(source: SQLType, target: SQLType, safe: bool) -> Evaluate:
    """The day; infinities are kept."""
    unit = DAY_SECONDS * UNITS[source.id]

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        (arg,) = args
        given = arg.values
        days = given // unit
        infinite = _infinite(arg)
        if infinite is not None:
            days = np.where(infinite, np.sign(given) * DATE_INFINITY, days)
        wrong = (days > DATE_INFINITY) | (days < -DATE_INFINITY)
        valid = reject(
            wrong, arg.valid, safe, lambda row: messages.conversion("Timestamp is out of range of DATE")
        )
        return Vector.of_values(target, days.astype(np.int32), valid)

    return evaluate


def _infinite(arg: Vector) -> Any:
    """Rows that are infinite, None when no row is."""
    values = arg.values
    infinite = (values == TIMESTAMP_INFINITY) | (values == -TIMESTAMP_INFINITY)
    return infinite if infinite.any() else None


@cast(tuple(kind for kind in TIMESTAMPS if kind is not TypeId.TIMESTAMPTZ), (TypeId.TIME,))
def timestamp_to_time(source: SQLType, target: SQLType, safe: bool) -> Evaluate:
    """The time of the day; infinities have none."""
    unit = UNITS[source.id]

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        (arg,) = args
        infinite = _infinite(arg)
        valid = arg.valid
        if infinite is not None:
            valid = reject(
                infinite, valid, safe, lambda row: messages.conversion("Can't get TIME of infinite TIMESTAMP")
            )
        rest = arg.values % (DAY_SECONDS * unit)
        micros = rest * (1_000_000 // unit) if unit <= 1_000_000 else rest // (unit // 1_000_000)
        return Vector.of_values(target, micros, valid)

    return evaluate


@cast(TIMESTAMPS, TIMESTAMPS)
def timestamp_to_timestamp(source: SQLType, target: SQLType, safe: bool) -> Evaluate:
    """Another unit: to a finer one it must fit, to a coarser one it is rounded, halves away from 0."""
    have, want = UNITS[source.id], UNITS[target.id]

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        (arg,) = args
        given = arg.values
        if have == want:
            return Vector.of_values(target, given, arg.valid, arg.bounds)
        infinite = _infinite(arg)
        valid = arg.valid
        if want > have:
            factor = want // have
            limit = TIMESTAMP_INFINITY // factor
            wrong = (given > limit) | (given < -limit)
            if infinite is not None:
                wrong &= ~infinite
            valid = reject(
                wrong,
                valid,
                safe,
                lambda row: messages.conversion("Could not convert Timestamp to higher precision."),
            )
            values = given * factor
        else:
            values = divide_rounded(arg, have // want)
        if infinite is not None:
            values = np.where(infinite, given, values)
        return Vector.of_values(target, values, valid)

    return evaluate
