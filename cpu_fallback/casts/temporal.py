"""Casts between DATE, TIME and the TIMESTAMP types.

Three stored values are not points in time: the greatest integer is infinity, its negative (one above the
least integer) -infinity.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...planner.types import SQLType, TypeId
from .. import messages
from ..functions.registry import Evaluate
from ..vector import Vector
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
    limit = (2**63 - 1) // unit

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
