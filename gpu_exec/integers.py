"""Exact arithmetic of stored integers: INT64 where no result can leave it, else DECIMAL128.

Results are checked against the range of their type.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pyarrow as pa

from ..physical.stored import (
    INT64_HIGH,
    INT64_LOW,
    Bounds,
    may_be_wide,
    physical_name,
    range_of,
    values_range,
)
from ..planner import messages_values as messages
from ..planner.errors import SqlError
from ..planner.types import SQLType, TypeId
from .storage import data_type, named_type
from .values import Evaluation, Failure, Value

_LIBRARY = {"+": "ADD", "-": "SUB", "*": "MUL"}
_WORDS = {"+": "addition", "-": "subtraction", "*": "multiplication"}


def fits_64(bounds: Bounds) -> bool:
    """Whether INT64 holds all of a range."""
    return bounds[0] >= INT64_LOW and bounds[1] <= INT64_HIGH


def fits_128(bounds: Bounds) -> bool:
    """Whether 128 bits hold all of a range."""
    return bounds[0] >= -(2**127) and bounds[1] < 2**127


# The error of operands, as they are stored, whose result the type cannot hold.
Beyond = Callable[[Sequence[Any]], SqlError]


def arithmetic(
    symbol: str, left: Value, right: Value, type_: SQLType, run: Evaluation, beyond: Beyond | None = None
) -> Value:
    """+ - * of integers or decimals; not both constants. `beyond` is the error where not the usual one."""
    ops = run.ops
    error = beyond or _overflow(symbol, type_)
    exact = range_of(symbol, left.known_bounds(), right.known_bounds())
    low, high = values_range(type_)
    wide = left.is_wide or right.is_wide or not fits_64(exact)
    scale = left.type.scale + right.type.scale if symbol == "*" else type_.scale
    a, b = (_wide(left, run), _wide(right, run)) if wide else (_narrow(left, run), _narrow(right, run))
    if wide:
        column = ops.binary(_LIBRARY[symbol], a, b, named_type("DECIMAL128", scale))
    else:
        whole = named_type("INT64")
        column = ops.binary(_LIBRARY[symbol], a, b, whole)
    bounds = max(exact[0], low), min(exact[1], high)
    failures: tuple[Failure, ...] = ()
    if exact[0] < low or exact[1] > high:
        failures = (run.failure_of(outside(column, type_, run, wide=wide), (left, right), error),)
    if symbol == "*" and wide and not fits_128(exact):
        # A sum that wraps is never within 38 digits, a product may be.
        failures += (run.failure_of(_wrapped(a, b, scale, run), (left, right), error),)
    return Value(type_, stored(column, type_, bounds, run), bounds=bounds, failures=failures)


def _wrapped(a: Any, b: Any, scale: int, run: Evaluation) -> Any:
    """The rows whose product may have left 128 bits, where it would look like any other: in doubles it is
    above all that 38 digits hold, and what is not is within 128 bits.
    """
    ops, double = run.ops, named_type("FLOAT64")
    x, y = (_double(value, run) for value in (a, b))
    limit = ops.scalar(pa.scalar(1.1e38 / 10.0**scale, pa.float64()))
    size = ops.unary("ABS", ops.binary("MUL", x, y, double))
    return ops.binary("GREATER", size, limit)


def _double(value: Any, run: Evaluation) -> Any:
    """FLOAT64 of a DECIMAL128 column or scalar, as a column."""
    column = value if isinstance(value, run.ops.plc.Column) else run.ops.repeated(value, run.rows)
    return run.ops.cast(column, named_type("FLOAT64"))


def _overflow(symbol: str, type_: SQLType) -> Beyond:
    return lambda values: messages.overflow(_WORDS[symbol], physical_name(type_), symbol, *values)


def _narrow(value: Value, run: Evaluation) -> Any:
    """INT64 of a column or constant of integers."""
    if value.is_constant:
        return run.ops.scalar(pa.scalar(value.literal, pa.int64()))
    return run.ops.cast(value.column, named_type("INT64"))


def _wide(value: Value, run: Evaluation) -> Any:
    """DECIMAL128 of a column or constant of integers or decimals, with the type's scale."""
    if value.is_constant:
        holder = SQLType(TypeId.DECIMAL, 38, value.type.scale)
        return run.operand(Value(holder, None, value.literal), wide=True)
    return as_wide(value, run)


def as_wide(value: Value, run: Evaluation) -> Any:
    """DECIMAL128 of a column of integers or decimals, with the type's scale."""
    if value.is_wide:
        return value.column
    # UINT64 may be above INT64: it is widened directly.
    plain = (
        value.column if value.type.id is TypeId.UBIGINT else run.ops.cast(value.column, named_type("INT64"))
    )
    whole = run.ops.cast(plain, named_type("DECIMAL128", 0))
    return run.ops.bits_as(whole, named_type("DECIMAL128", value.type.scale))


def outside(column: Any, type_: SQLType, run: Evaluation, *, wide: bool) -> Any:
    """The rows whose stored integer is outside the range of a type."""
    low, high = values_range(type_)
    if wide:
        holder = SQLType(TypeId.DECIMAL, 38, -column.type().scale())
        limits = [run.operand(Value(holder, None, limit), wide=True) for limit in (low, high)]
    else:
        limits = [
            run.ops.scalar(pa.scalar(limit, pa.int64()))
            for limit in (max(low, INT64_LOW), min(high, INT64_HIGH))
        ]
    below, above = (
        run.ops.binary(op, column, limit) for op, limit in zip(("LESS", "GREATER"), limits, strict=True)
    )
    return run.ops.either(below, above)


def stored(column: Any, type_: SQLType, bounds: Bounds, run: Evaluation) -> Any:
    """Stored integers within `bounds` in the storage of a type; what is outside it is no matter."""
    wide = column.type().id() == run.ops.plc.TypeId.DECIMAL128
    if may_be_wide(type_) and wide and not fits_64(bounds):
        return run.ops.bits_as(column, data_type(type_, wide=True))
    if wide:
        column = run.ops.cast(run.ops.bits_as(column, named_type("DECIMAL128", 0)), named_type("INT64"))
    return run.ops.cast(column, data_type(type_))
