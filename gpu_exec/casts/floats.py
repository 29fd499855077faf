"""Casts to and from FLOAT and DOUBLE."""

from __future__ import annotations

import decimal
from typing import Any

import pyarrow as pa

from ...physical.stored import INT64_HIGH, values_range
from ...planner.expr import Cast
from ...planner.types import SQLType, TypeId
from ..functions.rounding import half_away
from ..integers import as_wide
from ..number import Number
from ..storage import data_type, named_type
from ..values import Evaluation, Value
from .shared import settled, unfit

# The largest FLOAT, and the least double that is rounded up from it.
_BEYOND_FLOAT = 2.0**128 - 2.0**103
_EXACT = {TypeId.DOUBLE: 2**53, TypeId.FLOAT: 2**24}


def to_float(node: Cast, arg: Value, run: Evaluation) -> Value:
    """The nearest double of an integer or BOOLEAN; of decimals beyond the exact range of the float, whole and
    broken part are converted by themselves.
    """
    ops, type_ = run.ops, node.type
    if arg.type.id is TypeId.BOOLEAN or not arg.type.scale:
        column = ops.bits_as(arg.column, named_type("DECIMAL128", 0)) if arg.is_wide else arg.column
        return Value(type_, ops.cast(column, data_type(type_)))
    low, high = arg.known_bounds()
    exact = _EXACT[type_.id]
    plain = _plain(arg, node, run)
    if -exact <= low and high <= exact:
        return Value(type_, plain)
    return Value(type_, _in_parts(arg, node, plain, exact, run))


def _power(scale: int, type_: SQLType, run: Evaluation) -> Any:
    kind = pa.float32() if type_.id is TypeId.FLOAT else pa.float64()
    return run.ops.scalar(pa.scalar(10.0**scale, kind))


def _plain(arg: Value, node: Cast, run: Evaluation) -> Any:
    ops, kind = run.ops, data_type(node.type)
    whole = ops.bits_as(arg.column, named_type("DECIMAL128", 0)) if arg.is_wide else arg.column
    return ops.binary("DIV", ops.cast(whole, kind), _power(arg.type.scale, node.type, run), kind)


def _in_parts(arg: Value, node: Cast, plain: Any, exact: int, run: Evaluation) -> Any:
    """Beyond the exact range: the whole part plus what is left of it, in the float's own arithmetic."""
    ops, kind, scale = run.ops, data_type(node.type), arg.type.scale
    if arg.is_wide:
        double, wide = named_type("FLOAT64"), named_type("DECIMAL128", 0)
        stored = ops.bits_as(as_wide(arg, run), wide)

        def number(value: int) -> Any:
            return ops.scalar(pa.scalar(decimal.Decimal(value), pa.decimal128(38, 0)))

        # 10**38 is beyond the type: divided by it every value is 0.
        by = number(10**scale) if scale < 38 else None
        whole = (
            ops.binary("MUL", stored, number(0), wide) if by is None else ops.binary("DIV", stored, by, wide)
        )
        back = whole if by is None else ops.binary("MUL", whole, by, wide)
        rest = ops.binary("SUB", stored, back, wide)
        broken = Number(ops.cast(rest, double), ops, "FLOAT64").over(10.0**scale)
        made = Number(ops.cast(whole, double), ops, "FLOAT64") + broken
        beyond = ops.either(
            ops.binary("LESS", stored, number(-exact)), ops.binary("GREATER", stored, number(exact))
        )
        return ops.choose(ops.cast(made.column, kind), plain, ops.is_true(beyond))
    stored = Number(arg.column, ops)
    whole = stored.over(10**scale)
    rest = stored - whole * 10**scale
    broken = ops.binary("DIV", ops.cast(rest.column, kind), _power(scale, node.type, run), kind)
    made = ops.binary("ADD", ops.cast(whole.column, kind), broken, kind)
    return ops.choose(made, plain, ops.is_true(stored.outside(-exact, exact)))


def float_to_float(node: Cast, arg: Value, run: Evaluation) -> Value:
    """A finite DOUBLE beyond FLOAT's range fails; infinities and NaN are kept."""
    narrow = run.ops.cast(arg.column, data_type(node.type))
    if node.type.id is TypeId.DOUBLE:
        return Value(node.type, narrow)
    size = Number(arg.column, run.ops, "FLOAT64").size()
    beyond = run.ops.both(size.at_least(_BEYOND_FLOAT), size.below(float("inf")))
    return settled(node, narrow, unfit(arg, beyond, node.type, run), run)


def float_to_integer(node: Cast, arg: Value, run: Evaluation) -> Value:
    """Rounded half to even; NaN, infinities and what is out of range fail."""
    ops = run.ops
    low, high = values_range(node.type)
    rounded = Number(arg.column, ops, "FLOAT64").of("RINT")
    # The upper limit is compared as an open one: 2**63 - 1 is no double, 2**63 is. NaN is on no side.
    inside = ops.both(rounded.at_least(float(low)), rounded.below(float(high + 1)))
    failure = unfit(arg, ops.inverse(inside), node.type, run)
    # What cannot be converted is undefined in libcudf: it is replaced first.
    made = ops.cast(rounded.unless(failure.rows, 0.0).column, data_type(node.type))
    return settled(node, made, failure, run)


def float_to_decimal(node: Cast, arg: Value, run: Evaluation) -> Value:
    """The double nearest to the value times 10**scale, rounded half away from zero; HUGEINT half to even."""
    ops, type_ = run.ops, node.type
    low, high = values_range(type_)
    scaled = Number(arg.column, ops, "FLOAT64")
    if type_.is_decimal:
        rounded = half_away(scaled * 10.0**type_.scale)
        inside = ops.both(rounded.above(float(low - 1)), rounded.below(float(high + 1)))
    else:
        rounded = scaled.of("RINT")
        inside = ops.both(rounded.at_least(float(low)), rounded.below(float(high + 1)))
    failure = unfit(arg, ops.inverse(inside), type_, run)
    kept = rounded.unless(failure.rows, 0.0)
    if high <= INT64_HIGH:
        return settled(node, kept.to("INT64").column, failure, run)
    column = ops.bits_as(whole_doubles(kept), data_type(type_, wide=True))
    return settled(node, column, failure, run)


def whole_doubles(x: Number) -> Any:
    """Whole doubles below 2**127 as DECIMAL128, exactly: by their parts above and below 2**64."""
    ops, wide = x.ops, named_type("DECIMAL128", 0)
    size = x.size()
    upper = (size * 2.0**-64).of("FLOOR")
    lower = size - upper * 2.0**64
    factor = ops.scalar(pa.scalar(decimal.Decimal(2**64), pa.decimal128(38, 0)))
    high = ops.binary("MUL", ops.cast(upper.to("INT64").column, wide), factor, wide)
    total = ops.binary("ADD", high, ops.cast(lower.to("UINT64").column, wide), wide)
    zero = ops.scalar(pa.scalar(decimal.Decimal(0), pa.decimal128(38, 0)))
    negative = ops.binary("SUB", ops.repeated(zero, x.column.size()), total, wide)
    return ops.choose(negative, total, ops.is_true(x.below(0.0)))
