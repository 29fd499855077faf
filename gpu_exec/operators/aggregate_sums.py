"""Exact sums of integers and decimals. libcudf's SUM wraps, so values are summed in two halves.

INT64 columns: the high half (signed) and the low half (unsigned) of 32 bits each are summed as INT64. Types
that may be stored in 128 bits, and UBIGINT: DECIMAL128 sums of what is above and below 10^19, also of the
batches that are stored narrow, so that all partial results have one form. 2^31 rows cannot overflow either;
the low sum's carry goes to the high sum whenever sums are merged.
"""

from __future__ import annotations

import decimal
from typing import Any

import pyarrow as pa

from ...physical.stored import may_be_wide
from ...planner.messages_runtime import sum_overflow
from ...planner.types import SQLType, TypeId
from ..integers import as_wide
from ..ops import Ops
from ..storage import is_wide, named_type
from ..values import Evaluation, Value
from .grouping import Groups

_LOW = (1 << 32) - 1
# Half of the 38 digits that a sum may have.
_HALF = 10**19


def _int64(value: int, ops: Ops) -> Any:
    return ops.scalar(pa.scalar(value, pa.int64()))


def _int128(value: int, ops: Ops) -> Any:
    return ops.scalar(pa.scalar(decimal.Decimal(value), pa.decimal128(38, 0)))


def value_halves(value: Value, run: Evaluation) -> list[Any]:
    """Every value as its high and its low half: INT64, or DECIMAL128 where they are in 128 bits."""
    ops = run.ops
    column = run.column(value)
    value = Value(value.type, column, bounds=value.bounds)
    if value.is_wide or value.type.id is TypeId.UBIGINT:
        return _halves(ops.bits_as(as_wide(value, run), named_type("DECIMAL128", 0)), ops)
    column = ops.cast(column, named_type("INT64"))
    high = ops.binary("SHIFT_RIGHT", column, _int64(32, ops), named_type("INT64"))
    return [high, ops.binary("BITWISE_AND", column, _int64(_LOW, ops), named_type("INT64"))]


def exact_parts(value: Value, groups: Groups, run: Evaluation) -> list[Any]:
    """High and low sums."""
    ops = run.ops
    sums = _sums(value_halves(value, run), groups)
    return _halves(one_part(sums, ops), ops) if may_be_wide(value.type) and not is_wide(sums[0]) else sums


def merged_parts(columns: list[Any], groups: Groups) -> list[Any]:
    """Sums of sums; the carry of the low half is moved up first."""
    return _sums(_carried(columns, groups.ops), groups)


def _sums(columns: list[Any], groups: Groups) -> list[Any]:
    total = groups.ops.plc.aggregation.sum()
    return groups.aggregate([(column, total) for column in columns])


def _halves(column: Any, ops: Ops) -> list[Any]:
    """What of a DECIMAL128 column is above and below 10^19, both with its sign."""
    wide = named_type("DECIMAL128", 0)
    high = ops.binary("DIV", column, _int128(_HALF, ops), wide)
    return [high, ops.binary("SUB", column, ops.binary("MUL", high, _int128(_HALF, ops), wide), wide)]


def _carried(columns: list[Any], ops: Ops) -> list[Any]:
    """The sums with a low one that is again a half."""
    high, low = columns
    if is_wide(low):
        carry, low = _halves(low, ops)
        return [ops.binary("ADD", high, carry, named_type("DECIMAL128", 0)), low]
    whole = named_type("INT64")
    carry = ops.binary("SHIFT_RIGHT", low, _int64(32, ops), whole)
    return [ops.binary("ADD", high, carry, whole), ops.binary("BITWISE_AND", low, _int64(_LOW, ops), whole)]


def one_part(columns: list[Any], ops: Ops) -> Any:
    """The sum as DECIMAL128 without digits after the point, where that can hold it."""
    wide = named_type("DECIMAL128", 0)
    factor = _HALF if is_wide(columns[0]) else 1 << 32
    high, low = (ops.cast(column, wide) for column in columns)
    return ops.binary("ADD", ops.binary("MUL", high, _int128(factor, ops), wide), low, wide)


def _checked(columns: list[Any], ops: Ops) -> Any:
    """The sum as DECIMAL128 without digits after the point. Raises OutOfRangeError where it has over 38."""
    columns = _carried(columns, ops)
    total = one_part(columns, ops)
    if is_wide(columns[0]):
        # Up to 10^19 the high half leaves the sum within 128 bits, so that it can be looked at itself.
        beyond = ops.either(_outside(columns[0], _HALF, ops), _outside(total, 10**38 - 1, ops))
        if ops.any_true(ops.is_true(beyond)):
            raise sum_overflow()
    return total


def _outside(column: Any, limit: int, ops: Ops) -> Any:
    """Where the size of a number is above a limit."""
    above = ops.binary("GREATER", column, _int128(limit, ops))
    return ops.either(above, ops.binary("LESS", column, _int128(-limit, ops)))


def exact_sum(columns: list[Any], type_: SQLType, ops: Ops) -> Any:
    """The sum in the storage of its type. Raises OutOfRangeError."""
    return ops.bits_as(_checked(columns, ops), named_type("DECIMAL128", type_.scale))


def average(columns: list[Any], source: SQLType, ops: Ops, *, grouped: bool) -> Any:
    """(count, sum...) as a double: NULL where nothing was counted. Raises OutOfRangeError.

    A DECIMAL's power of ten divides the sum where there are no groups, and multiplies the count where there
    are, as on the CPU: the last bit decides ties of ORDER BY and DISTINCT.
    """
    double = named_type("FLOAT64")
    number, sums = ops.cast(columns[0], double), columns[1:]
    total = sums[0] if source.is_float else ops.cast(_checked(sums, ops), double)
    if source.scale:
        power = ops.scalar(pa.scalar(10.0**source.scale, pa.float64()))
        if grouped:
            number = ops.binary("MUL", number, power, double)
        else:
            total = ops.binary("DIV", total, power, double)
    return ops.binary("DIV", total, number, double)
