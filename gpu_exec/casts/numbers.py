"""Casts between exact numbers: BOOLEAN, integers and DECIMAL, all of them scaled integers."""

from __future__ import annotations

import decimal
from typing import Any

import pyarrow as pa

from ...physical.stored import Bounds, values_range
from ...planner.expr import Cast
from ...planner.types import BOOLEAN, SQLType, TypeId
from ..integers import as_wide, fits_64, fits_128, outside, stored
from ..storage import named_type
from ..values import Evaluation, Value
from .shared import settled, unfit


def _settled(node: Cast, column: Any, bounds: Bounds, arg: Value, run: Evaluation, *, wide: bool) -> Value:
    """Stored integers within `bounds` as the target: those it cannot hold fail or become NULL."""
    low, high = values_range(node.type)
    if low <= bounds[0] and bounds[1] <= high:
        return Value(node.type, stored(column, node.type, bounds, run), bounds=bounds)
    failure = unfit(arg, outside(column, node.type, run, wide=wide), node.type, run)
    bounds = max(bounds[0], low), min(bounds[1], high)
    made = stored(column, node.type, bounds, run)
    return settled(node, made, failure, run, bounds=bounds)


def exact_to_exact(node: Cast, arg: Value, run: Evaluation) -> Value:
    """Integers, decimals and booleans: times or over a power of ten, rounded half away from zero."""
    ops = run.ops
    shift = node.type.scale - arg.type.scale
    if arg.type.id is TypeId.BOOLEAN:
        arg = Value(SQLType(TypeId.BIGINT), ops.cast(arg.column, named_type("INT64")), bounds=(0, 1))
    low, high = arg.known_bounds()
    if shift >= 0:
        bounds = low * 10**shift, high * 10**shift
    else:
        bounds = _rounded(low, 10**-shift), _rounded(high, 10**-shift)
    wide = arg.is_wide or not fits_64(bounds) or not fits_64((low, high))
    if not wide:
        column = ops.cast(arg.column, named_type("INT64"))
        if shift > 0:
            factor = ops.scalar(pa.scalar(10**shift, pa.int64()))
            column = ops.binary("MUL", column, factor, named_type("INT64"))
        elif shift < 0:
            column = _over(column, 10**-shift, run)
        return _settled(node, column, bounds, arg, run, wide=False)
    column = as_wide(arg, run)
    if shift > 0 and not fits_128(bounds):
        # Times ten, a value may wrap to one that fits: what the target cannot hold is cut down first.
        column = _capped(column, values_range(node.type)[1] // 10**shift, run)
    if shift:
        column = _rescaled(column, arg.type.scale, node.type.scale, run)
    return _settled(node, column, bounds, arg, run, wide=True)


def _capped(column: Any, limit: int, run: Evaluation) -> Any:
    """DECIMAL128 with values of a size above `limit` replaced by the next one above it."""
    scale = -column.type().scale()
    above, least, most = (
        run.operand(Value(SQLType(TypeId.DECIMAL, 38, scale), None, value), wide=True)
        for value in (limit + 1, -limit, limit)
    )
    beyond = run.ops.either(run.ops.binary("LESS", column, least), run.ops.binary("GREATER", column, most))
    return run.ops.choose(above, column, run.ops.is_true(beyond))


def _rescaled(column: Any, scale: int, wanted: int, run: Evaluation) -> Any:
    """DECIMAL128 of another scale, rounded half away from zero."""
    if wanted >= scale:
        factor = pa.scalar(decimal.Decimal(10 ** (wanted - scale)), pa.decimal128(38, 0))
        kind = named_type("DECIMAL128", scale)
        column = run.ops.binary("MUL", column, run.ops.scalar(factor), kind)
        return run.ops.bits_as(column, named_type("DECIMAL128", wanted))
    half_up = run.ops.plc.round.RoundingMethod.HALF_UP
    rounded = run.ops.plc.round.round_decimal(column, wanted, half_up, stream=run.ops.stream)
    return run.ops.cast(rounded, named_type("DECIMAL128", wanted))


def _rounded(value: int, divisor: int) -> int:
    """An integer over a divisor, rounded half away from zero.

    >>> _rounded(-25, 10), _rounded(24, 10)
    (-3, 2)
    """
    quotient = (2 * abs(value) + divisor) // (2 * divisor)
    return -quotient if value < 0 else quotient


def _over(column: Any, divisor: int, run: Evaluation) -> Any:
    """INT64 over a power of ten, rounded half away from zero: truncate, then look at what is left."""
    ops, whole = run.ops, named_type("INT64")
    by = ops.scalar(pa.scalar(divisor, pa.int64()))
    quotient = ops.binary("DIV", column, by, whole)
    rest = ops.binary("SUB", column, ops.binary("MUL", quotient, by, whole), whole)
    # The rest has the sign of the dividend; twice it may not fit, so it is compared with the half itself.
    half = (divisor + 1) // 2
    up = ops.binary("GREATER_EQUAL", rest, ops.scalar(pa.scalar(half, pa.int64())))
    down = ops.binary("LESS_EQUAL", rest, ops.scalar(pa.scalar(-half, pa.int64())))
    quotient = ops.binary("ADD", quotient, ops.cast(up, whole), whole)
    return ops.binary("SUB", quotient, ops.cast(down, whole), whole)


def to_boolean(node: Cast, arg: Value, run: Evaluation) -> Value:
    """Every number but 0 is true, NaN too."""
    zero = Value(arg.type, None, 0.0 if arg.type.is_float else 0)
    made = run.ops.binary("NOT_EQUAL", arg.column, run.operand(zero, wide=arg.is_wide))
    return Value(BOOLEAN, made)
