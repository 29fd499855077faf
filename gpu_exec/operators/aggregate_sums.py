"""Exact sums of integers and decimals. libcudf's SUM wraps, so 64-bit values are summed in two halves.

The high half (signed) and the low half (unsigned) of 32 bits each are summed as INT64, which 2^31 rows cannot
overflow; the low sum's carry goes to the high sum whenever sums are merged.
"""

from __future__ import annotations

import decimal
from typing import Any

import pyarrow as pa

from ...planner.types import SQLType
from ..integers import as_wide
from ..ops import Ops
from ..storage import named_type
from ..values import Evaluation, Value
from .grouping import Groups

_LOW = (1 << 32) - 1


def _int64(value: int, ops: Ops) -> Any:
    return ops.scalar(pa.scalar(value, pa.int64()))


def exact_parts(value: Value, groups: Groups, run: Evaluation) -> list[Any]:
    """High and low sums of 64-bit values; of wide ones the sum as it is."""
    ops, whole = run.ops, named_type("INT64")
    total = ops.plc.aggregation.sum()
    column = run.column(value)
    value = Value(value.type, column, bounds=value.bounds)
    if value.is_wide or column.type().id() == ops.plc.TypeId.UINT64:
        wide = ops.bits_as(as_wide(value, run), named_type("DECIMAL128", 0))
        return groups.aggregate([(wide, total)])
    column = ops.cast(column, whole)
    high = ops.binary("SHIFT_RIGHT", column, _int64(32, ops), whole)
    low = ops.binary("BITWISE_AND", column, _int64(_LOW, ops), whole)
    return groups.aggregate([(high, total), (low, total)])


def merged_parts(columns: list[Any], groups: Groups) -> list[Any]:
    """Sums of sums; the carry of the low half is moved up first."""
    ops = groups.ops
    total = ops.plc.aggregation.sum()
    if len(columns) == 1:
        return groups.aggregate([(columns[0], total)])
    whole = named_type("INT64")
    high, low = columns
    carry = ops.binary("SHIFT_RIGHT", low, _int64(32, ops), whole)
    high = ops.binary("ADD", high, carry, whole)
    low = ops.binary("BITWISE_AND", low, _int64(_LOW, ops), whole)
    return groups.aggregate([(high, total), (low, total)])


def _together(columns: list[Any], ops: Ops) -> Any:
    """The sum as DECIMAL128 without digits after the point."""
    if len(columns) == 1:
        return columns[0]
    wide = named_type("DECIMAL128", 0)
    factor = ops.scalar(pa.scalar(decimal.Decimal(1 << 32), pa.decimal128(38, 0)))
    high = ops.binary("MUL", ops.cast(columns[0], wide), factor, wide)
    return ops.binary("ADD", high, ops.cast(columns[1], wide), wide)


def exact_sum(columns: list[Any], type_: SQLType, ops: Ops) -> Any:
    """The sum in the storage of its type."""
    return ops.bits_as(_together(columns, ops), named_type("DECIMAL128", type_.scale))


def average(columns: list[Any], source: SQLType, ops: Ops) -> Any:
    """(count, sum...) as a double: NULL where nothing was counted."""
    double = named_type("FLOAT64")
    number, sums = columns[0], columns[1:]
    total = sums[0] if source.is_float else ops.cast(_together(sums, ops), double)
    if source.scale:
        total = ops.binary("DIV", total, ops.scalar(pa.scalar(10.0**source.scale, pa.float64())), double)
    return ops.binary("DIV", total, ops.cast(number, double), double)
