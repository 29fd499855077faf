"""round, trunc, ceil and floor of floats, integers and decimals; digits are constant."""

from __future__ import annotations

import decimal
from collections.abc import Callable, Sequence
from typing import Any

import pyarrow as pa

from ...physical.stored import INT64_HIGH, INT64_LOW, Bounds, values_range
from ...planner import messages_values as messages
from ...planner.expr import Call
from ...planner.types import SQLType, TypeId
from ..integers import as_wide, fits_64
from ..integers import stored as as_stored
from ..number import Number
from ..storage import data_type, named_type
from ..values import Evaluation, Failure, Value
from .registry import scalar


# Doubles ----------------------------------------------------------------------------------------------------
def truncated(x: Number) -> Number:
    """Towards zero, with the sign kept: -0.5 gives -0.0."""
    return x.of("FLOOR").unless(x.below(0.0), x.of("CEIL"))


def with_sign(size: Number, of: Number) -> Number:
    """A number that is not negative, with the sign bit of another."""
    return size.unless(of.bits("INT64").below(0), -size)


def half_away(x: Number) -> Number:
    """To whole numbers, halves away from zero."""
    whole = truncated(x)
    step = Number((x - whole).size().at_least(0.5), x.ops, "FLOAT64")
    return whole + with_sign(step, x)


_FLOATS: dict[str, Callable[[Number], Number]] = {
    "round": half_away,
    "trunc": truncated,
    "ceil": lambda x: x.of("CEIL"),
    "floor": lambda x: x.of("FLOOR"),
}


def _high_half(x: Number) -> Number:
    """The upper 26 bits of doubles."""
    spread = x * 134_217_729.0
    return spread - (spread - x)


def _without_false_halves(x: Number, power: float, scaled: Number, rounded: Number) -> Number:
    """Corrects products that lie below a half but were rounded to it: 1000.05 is less than that, and 10 times
    it is less than 10000.5.

    The error of the product is exact by T. J. Dekker's "A floating-point technique for extending the
    available precision".
    """
    ops = x.ops
    whole = truncated(scaled)
    half = (scaled - whole).size().equals(0.5)
    spread = power * 134_217_729.0
    power_high = spread - (spread - power)
    power_low = power - power_high
    high = _high_half(x)
    low = x - high
    error = (((high * power_high - scaled) + high * power_low) + low * power_high) + low * power_low
    against = ops.either(
        ops.both(error.below(0.0), scaled.above(0.0)), ops.both(error.above(0.0), scaled.below(0.0))
    )
    return rounded.unless(ops.both(half, against), whole)


def _round_floats(node: Call, arg: Value, digits: int | None, run: Evaluation) -> Value:
    ops, function = run.ops, _FLOATS[node.function]
    x = Number(run.column(arg), ops, "FLOAT64")
    if digits is None:
        return Value(node.type, ops.cast(function(x).column, data_type(node.type)))
    power = 10.0 ** abs(digits) if abs(digits) <= 308 else float("inf")
    if power == float("inf"):
        made = x if digits > 0 or node.function == "trunc" else _nothing(x)
    else:
        scaled = x.over(power) if digits < 0 else x * power
        rounded = function(scaled)
        if digits > 0 and node.function == "round":
            rounded = _without_false_halves(x, power, scaled, rounded)
        made = rounded * power if digits < 0 else rounded.over(power)
        # Beyond the range of doubles there is nothing to round.
        lost = ops.inverse(_finite(made))
        made = made.unless(lost, x if digits >= 0 or node.function == "trunc" else _nothing(x))
    made = made.unless(ops.inverse(_finite(x)), x)
    return Value(node.type, ops.cast(made.column, data_type(node.type)))


def _finite(x: Number) -> Any:
    """True at numbers that are neither infinite nor NaN."""
    return x.size().below(float("inf"))


def _nothing(x: Number) -> Number:
    """A zero with the sign of a number, 0.0 of zeros."""
    return (x * 0.0).unless(x.equals(0.0), 0.0)


# Integers and decimals --------------------------------------------------------------------------------------
def _over_power(whole: Any, digits: int, name: str, run: Evaluation, *, wide: bool) -> Any:
    """Whole numbers (INT64, or DECIMAL128 of scale 0) over 10**digits, digits at least 1, rounded."""
    ops = run.ops
    kind = named_type("DECIMAL128" if wide else "INT64")

    def number(value: int) -> Any:
        form = (
            pa.scalar(decimal.Decimal(value), pa.decimal128(38, 0)) if wide else pa.scalar(value, pa.int64())
        )
        return ops.scalar(form)

    if digits > (37 if wide else 18):
        quotient = ops.binary("MUL", whole, number(0), kind)
        rest, half = whole, None
    else:
        quotient = ops.binary("DIV", whole, number(10**digits), kind)
        rest = ops.binary("SUB", whole, ops.binary("MUL", quotient, number(10**digits), kind), kind)
        half = 5 * 10 ** (digits - 1)
    if name == "trunc":
        return quotient
    if name == "round":
        if half is None:
            half = 5 * 10 ** (digits - 1)
            if half > (10**38 - 1 if wide else INT64_HIGH):
                return quotient
        up, down = (
            ops.binary("GREATER_EQUAL", rest, number(half)),
            ops.binary("LESS_EQUAL", rest, number(-half)),
        )
    else:
        zero = number(0)
        up = ops.binary("GREATER", rest, zero) if name == "ceil" else None
        down = ops.binary("LESS", rest, zero) if name == "floor" else None
    for operator, mask in (("ADD", up), ("SUB", down)):
        if mask is not None:
            step = ops.cast(mask, named_type("INT64"))
            quotient = ops.binary(operator, quotient, ops.cast(step, kind), kind)
    return quotient


def _exact_bound(value: int, digits: int, name: str) -> int:
    down, rest = divmod(value, 10**digits)
    if name == "floor":
        return down
    if name == "ceil":
        return down + bool(rest)
    size, left = divmod(abs(value), 10**digits)
    size += name == "round" and 2 * left >= 10**digits
    return -size if value < 0 else size


def quotient(name: str, arg: Value, cut: int, zeros: int, target: SQLType, run: Evaluation) -> Value:
    """Stored integers over 10**cut, rounded, times 10**zeros, in the range of `target`."""
    ops = run.ops
    arg = Value(arg.type, run.column(arg), bounds=arg.bounds)
    low, high = arg.known_bounds()
    bounds: Bounds = tuple(_exact_bound(end, cut, name) * 10**zeros for end in (low, high))  # type: ignore[assignment]
    wide = arg.is_wide or arg.type.id is TypeId.UBIGINT or not fits_64(bounds) or not fits_64((low, high))
    if wide:
        whole = ops.bits_as(as_wide(arg, run), named_type("DECIMAL128", 0))
    else:
        whole = ops.cast(arg.column, named_type("INT64"))
    made = _over_power(whole, cut, name, run, wide=wide) if cut else whole
    limits = values_range(target)
    failures: tuple[Failure, ...] = ()
    if zeros:
        # Where the product is out of range is told before it is made: it could wrap.
        factor = 10**zeros
        allowed = -(-limits[0] // factor), limits[1] // factor
        if bounds[0] < limits[0] or bounds[1] > limits[1]:
            failures = (_beyond(made, allowed, run, wide=wide),)
            made = ops.choose(_zero(wide, run), made, failures[0].rows)
        by = decimal.Decimal(factor) if factor < 10**38 else decimal.Decimal(0)
        form = (
            pa.scalar(by, pa.decimal128(38, 0)) if wide else pa.scalar(factor if factor <= INT64_HIGH else 0)
        )
        made = ops.binary("MUL", made, ops.scalar(form), named_type("DECIMAL128" if wide else "INT64"))
    elif bounds[0] < limits[0] or bounds[1] > limits[1]:
        failures = (_beyond(made, limits, run, wide=wide),)
    bounds = max(bounds[0], limits[0]), min(bounds[1], limits[1])
    return Value(target, _placed(made, target, bounds, run), bounds=bounds, failures=failures)


def _zero(wide: bool, run: Evaluation) -> Any:
    zero = pa.scalar(decimal.Decimal(0), pa.decimal128(38, 0)) if wide else pa.scalar(0, pa.int64())
    return run.ops.scalar(zero)


def _beyond(column: Any, limits: Bounds, run: Evaluation, *, wide: bool) -> Failure:
    low, high = limits
    ends = []
    for limit in (low, high):
        if wide:
            ends.append(run.ops.scalar(pa.scalar(decimal.Decimal(limit), pa.decimal128(38, 0))))
        else:
            ends.append(run.ops.scalar(pa.scalar(min(max(limit, INT64_LOW), INT64_HIGH), pa.int64())))
    below, above = run.ops.binary("LESS", column, ends[0]), run.ops.binary("GREATER", column, ends[1])
    return run.failure(
        run.ops.either(below, above), lambda: messages.out_of_range("Overflow in rounding a number")
    )


def _placed(column: Any, target: SQLType, bounds: Bounds, run: Evaluation) -> Any:
    if target.id is TypeId.UBIGINT:
        return run.ops.cast(column, data_type(target))
    return as_stored(column, target, bounds, run)


def _round_decimals(node: Call, arg: Value, digits: int, run: Evaluation) -> Value:
    source, target = arg.type, node.type
    if digits >= source.scale:
        return Value(target, run.column(arg), bounds=arg.bounds)
    if digits >= 0:
        return quotient(node.function, arg, source.scale - digits, 0, target, run)
    # Digits before the point become zeros; the result has no fraction then.
    zeros = min(-digits, source.width)
    return quotient(node.function, arg, source.scale + zeros, zeros, target, run)


@scalar("round", "trunc", "ceil", "floor")
def rounding(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """To whole numbers, or to the constant number of digits (negative: before the point)."""
    arg, kind = args[0], args[0].type
    digits = args[1].literal if len(args) > 1 else None
    if kind.is_float:
        return _round_floats(node, arg, digits, run)
    if kind.is_decimal:
        return _round_decimals(node, arg, digits or 0, run)
    if digits is None or digits >= 0:
        return Value(node.type, run.column(arg), bounds=arg.bounds)
    cut = min(-digits, 39)
    return quotient(node.function, arg, cut, cut, node.type, run)
