"""Casts on the device. Which there are `support.py` says; the rest run on the CPU.

A value that its target cannot hold is a failure, or NULL with TRY_CAST.
"""

from __future__ import annotations

import decimal
from collections.abc import Callable
from typing import Any

import pyarrow as pa

from ..physical.stored import INT64_HIGH, Bounds, values_range
from ..planner import messages_values as messages
from ..planner.errors import SqlError
from ..planner.expr import Cast
from ..planner.types import BOOLEAN, SQLType, TypeId
from .integers import as_wide, fits_64, fits_128, outside, stored
from .storage import data_type, named_type
from .values import Evaluation, Value, null_value

UNITS = {
    TypeId.TIMESTAMP: 1_000_000,
    TypeId.TIMESTAMP_S: 1,
    TypeId.TIMESTAMP_MS: 1_000,
    TypeId.TIMESTAMP_NS: 1_000_000_000,
}


def cast(node: Cast, arg: Value, run: Evaluation) -> Value:
    """CAST and TRY_CAST of a value."""
    if arg.is_null:
        return null_value(node.type).failing(arg)
    if arg.is_constant:
        arg = Value(arg.type, run.column(arg), bounds=arg.bounds)
    source, target = arg.type, node.type
    if source == target:
        return arg
    made = _builder(source, target)(node, arg, run)
    return made.failing(arg)


def _builder(source: SQLType, target: SQLType) -> Callable[[Cast, Value, Evaluation], Value]:
    if source.id is TypeId.NULL:
        return lambda node, arg, run: null_value(node.type)
    if source.is_string and target.is_string:
        return lambda node, arg, run: Value(node.type, arg.column)
    exact = source.is_integer or source.is_decimal or source.id is TypeId.BOOLEAN
    if exact and (target.is_integer or target.is_decimal):
        return _exact
    if target.id is TypeId.BOOLEAN:
        return _to_boolean
    if target.is_float:
        return _to_float
    if source.is_float:
        return _from_float
    if source.is_integer and target.is_string:
        return _integer_to_text
    assert source.is_temporal, source
    assert target.is_temporal, target
    return _temporal


def _settled(
    node: Cast, column: Any, bounds: Bounds, arg: Value, run: Evaluation, *, wide: bool, what: str = ""
) -> Value:
    """Stored integers within `bounds` as the target: those it cannot hold fail or become NULL."""
    low, high = values_range(node.type)
    if low <= bounds[0] and bounds[1] <= high:
        return Value(node.type, stored(column, node.type, bounds, run), bounds=bounds)
    failure = outside(column, node.type, _unfit(arg.type, node.type), run, wide=wide)
    bounds = max(bounds[0], low), min(bounds[1], high)
    if node.safe:
        rows = run.ops.inverse(failure.rows)
        made = stored(_only(column, rows, run), node.type, bounds, run)
        return Value(node.type, made, bounds=bounds)
    return Value(node.type, stored(column, node.type, bounds, run), bounds=bounds, failures=(failure,))


def _only(column: Any, rows: Any, run: Evaluation) -> Any:
    """The column with NULL where the mask is false."""
    kind = column.type()
    null = run.ops.plc.Column.all_null_like(column, run.rows, stream=run.ops.stream)
    assert null.type() == kind
    return run.ops.choose(column, null, rows)


def _unfit(source: SQLType, target: SQLType) -> Callable[[], SqlError]:
    return lambda: messages.conversion(
        f"Could not cast a value of type {source} to {target}: it is out of the range of {target}"
    )


def _exact(node: Cast, arg: Value, run: Evaluation) -> Value:
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


def _to_boolean(node: Cast, arg: Value, run: Evaluation) -> Value:
    zero = Value(arg.type, None, 0.0 if arg.type.is_float else 0)
    made = run.ops.binary("NOT_EQUAL", arg.column, run.operand(zero, wide=arg.is_wide))
    return Value(BOOLEAN, made)


def _to_float(node: Cast, arg: Value, run: Evaluation) -> Value:
    """The nearest double of an integer or decimal; a FLOAT beyond its range fails."""
    ops, double = run.ops, named_type("FLOAT64")
    if arg.is_wide:
        whole = ops.bits_as(arg.column, named_type("DECIMAL128", 0))
        column = ops.cast(whole, double)
    else:
        column = ops.cast(arg.column, double)
    if arg.type.scale:
        divisor = ops.scalar(pa.scalar(float(10**arg.type.scale), pa.float64()))
        column = ops.binary("DIV", column, divisor, double)
    if node.type.id is TypeId.DOUBLE:
        return Value(node.type, column)
    narrow = ops.cast(column, named_type("FLOAT32"))
    limit = ops.scalar(pa.scalar(3.4028234663852886e38, pa.float64()))
    size = ops.unary("ABS", column)
    infinite = ops.scalar(pa.scalar(float("inf"), pa.float64()))
    beyond = ops.binary("LOGICAL_AND", ops.binary("GREATER", size, limit), ops.binary("LESS", size, infinite))
    failure = run.failure(beyond, _unfit(arg.type, node.type))
    if node.safe:
        return Value(node.type, _only(narrow, ops.inverse(failure.rows), run))
    return Value(node.type, narrow, failures=(failure,))


def _from_float(node: Cast, arg: Value, run: Evaluation) -> Value:
    """To an integer: rounded half to even; NaN, infinities and what is out of range fail."""
    ops, double = run.ops, named_type("FLOAT64")
    low, high = values_range(node.type)
    rounded = ops.unary("RINT", ops.cast(arg.column, double))
    # Limits as doubles: high + 1 and low are exact, high itself may not be.
    below = ops.binary("LESS", rounded, ops.scalar(pa.scalar(float(low), pa.float64())))
    above = ops.binary("GREATER_EQUAL", rounded, ops.scalar(pa.scalar(float(high + 1), pa.float64())))
    nan = ops.binary("NOT_EQUAL", rounded, rounded)
    wrong = ops.either(ops.either(below, above), nan)
    failure = run.failure(wrong, _unfit(arg.type, node.type))
    # What cannot be converted is undefined in libcudf: it is replaced first.
    right = ops.choose(ops.scalar(pa.scalar(0.0, pa.float64())), rounded, failure.rows)
    made = ops.cast(right, data_type(node.type))
    if node.safe:
        return Value(node.type, _only(made, ops.inverse(failure.rows), run))
    return Value(node.type, made, failures=(failure,))


def _integer_to_text(node: Cast, arg: Value, run: Evaluation) -> Value:
    convert = run.ops.plc.strings.convert.convert_integers
    return Value(node.type, convert.from_integers(arg.column, stream=run.ops.stream))


def _temporal(node: Cast, arg: Value, run: Evaluation) -> Value:
    """Between DATE and the TIMESTAMP types, down to days or coarser units by rounding down."""
    ops, whole = run.ops, named_type("INT64")
    integers = ops.cast(run.integers(arg), whole)
    source = 1 if arg.type.id is TypeId.DATE else UNITS[arg.type.id]
    target = 1 if node.type.id is TypeId.DATE else UNITS[node.type.id]
    if arg.type.id is TypeId.DATE:
        factor, divisor = 86_400 * target, 1
    elif node.type.id is TypeId.DATE:
        factor, divisor = 1, 86_400 * source
    else:
        factor, divisor = max(target // source, 1), max(source // target, 1)
    failures = ()
    if factor > 1:
        limit = INT64_HIGH // factor
        low, high = (ops.scalar(pa.scalar(end, pa.int64())) for end in (-limit, limit))
        beyond = ops.either(ops.binary("LESS", integers, low), ops.binary("GREATER", integers, high))
        failures = (run.failure(beyond, _unfit(arg.type, node.type)),)
        integers = ops.binary("MUL", integers, ops.scalar(pa.scalar(factor, pa.int64())), whole)
    if divisor > 1:
        integers = ops.binary("FLOOR_DIV", integers, ops.scalar(pa.scalar(divisor, pa.int64())), whole)
    kind = pa.int32() if node.type.id is TypeId.DATE else pa.int64()
    made = ops.cast(integers, named_type("INT32" if kind == pa.int32() else "INT64"))
    return Value(node.type, ops.bits_as(made, data_type(node.type)), failures=failures)
