"""CAST and TRY_CAST between all types."""

from __future__ import annotations

from ...physical.stored import stored_range
from ...planner.types import SQLType, TypeId
from ..functions.registry import Evaluate
from ..vector import null_constant
from .registry import FLOATS, find_cast

__all__ = ["can_fail", "compile_cast"]


def compile_cast(source: SQLType, target: SQLType, safe: bool) -> Evaluate:
    """The conversion of vectors of `source` to `target`; the planner has refused pairs that have none."""
    if source.id is TypeId.NULL:
        return lambda args, n: null_constant(target)
    if source == target:
        return lambda args, n: args[0]
    return find_cast(source, target)(source, target, safe)


def can_fail(source: SQLType, target: SQLType, bounds: tuple[int, int] | None) -> bool:
    """Whether a value of `source` (stored integers within `bounds`, if given) may have no equal in
    `target`.
    """
    if source == target or source.id is TypeId.NULL:
        return False
    exact = source.is_integer or source.is_decimal
    if exact and (target.is_integer or target.is_decimal):
        low, high = bounds or stored_range(source) or (0, 0)
        limits = stored_range(target)
        assert limits is not None
        # One more covers rounding at the cut digits.
        up = 10 ** max(0, target.scale - source.scale)
        down = 10 ** max(0, source.scale - target.scale)
        round_up = 1 if down > 1 else 0
        return low * up // down - round_up < limits[0] or -(-high * up // down) + round_up > limits[1]
    if exact and target.id in (*FLOATS, TypeId.BOOLEAN):
        return False
    if source.id is TypeId.FLOAT and target.id is TypeId.DOUBLE:
        return False
    if source.id is TypeId.BOOLEAN and (target.is_integer or target.is_float):
        return False
    if source.id is TypeId.DATE and target.id is TypeId.TIMESTAMP and bounds is not None:
        return not (bounds[0] > -106_751_991 and bounds[1] < 106_751_991)
    return target.id is not TypeId.VARCHAR
