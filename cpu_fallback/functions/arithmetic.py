"""Operators on numbers: + - * / // % and unary minus, by the type of the result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...physical.stored import INT64_HIGH, INT64_LOW, values_range
from ...planner import messages_values as messages
from ...planner.expr import Call
from ...planner.types import SQLType, TypeId
from ..storage import numpy_dtype
from ..vector import Vector, combined_valid
from .integers import first_row, integer_operation
from .registry import Evaluate, scalar
from .temporal_arithmetic import temporal_minus, temporal_negation, temporal_plus, temporal_times
from .wide import narrowed, wide_function


def _floats(operate: Callable[[Any, Any], Any], type_: SQLType) -> Evaluate:
    """IEEE arithmetic: overflow gives infinity, undefined results NaN."""

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        left, right = args
        with np.errstate(all="ignore"):
            values = operate(left.values, right.values)
        return Vector.of_values(type_, values, combined_valid(left, right))

    return evaluate


def _operator(call: Call, symbol: str, on_floats: Callable[[Any, Any], Any]) -> Evaluate:
    type_ = call.type
    if type_.is_float:
        return _floats(on_floats, type_)
    assert type_.is_numeric, call
    return lambda args, n: integer_operation(symbol, args[0], args[1], type_, n)


def _has_temporal(call: Call) -> bool:
    return any(arg.type.is_temporal or arg.type.id is TypeId.INTERVAL for arg in call.args)


@scalar("+")
def plus(call: Call) -> Evaluate:
    """Sum; of one argument, itself."""
    if len(call.args) == 1:
        return lambda args, n: args[0]
    return temporal_plus(call) if _has_temporal(call) else _operator(call, "+", np.add)


@scalar("-")
def minus(call: Call) -> Evaluate:
    """Difference."""
    return temporal_minus(call) if _has_temporal(call) else _operator(call, "-", np.subtract)


@scalar("*")
def times(call: Call) -> Evaluate:
    """Product."""
    return temporal_times(call) if _has_temporal(call) else _operator(call, "*", np.multiply)


@scalar("neg")
def negative(call: Call) -> Evaluate:
    """Unary minus."""
    type_ = call.type
    if type_.id is TypeId.INTERVAL:
        return temporal_negation
    if type_.is_float:
        return lambda args, n: Vector.of_values(type_, -args[0].values, args[0].valid)

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        (arg,) = args
        low, high = values_range(type_)
        bounds = arg.loose_bounds()
        if -bounds[1] < low or -bounds[0] > high:
            bounds = arg.tight_bounds() or (0, 0)
            if -bounds[1] < low or -bounds[0] > high:
                raise messages.negation_overflow()
        narrow = narrowed(arg)
        if narrow is None or -bounds[0] > max(INT64_HIGH, high):
            return wide_function(type_, lambda value: -value, [arg], n)
        if type_.id in (TypeId.DECIMAL, TypeId.HUGEINT) and (narrow.tight_bounds() or (0, 0))[0] == INT64_LOW:
            return wide_function(type_, lambda value: -value, [arg], n)
        known = narrow.bounds
        return Vector.of_values(
            type_, -narrow.values, narrow.valid, None if known is None else (-known[1], -known[0])
        )

    return evaluate


@scalar("/")
def divide(call: Call) -> Evaluate:
    """Division of floats: by zero it gives an infinity or NaN. Intervals are divided by a double."""
    if call.type.id is TypeId.INTERVAL:
        return temporal_times(call)
    return _floats(np.true_divide, call.type)


@scalar("//")
def integer_divide(call: Call) -> Evaluate:
    """Division of integers, truncated toward zero; of floats, plain division. By zero it is an error for
    both.
    """
    type_ = call.type
    if type_.is_float:
        quotient = _floats(np.true_divide, type_)

        def divide_floats(args: Sequence[Vector], n: int) -> Vector:
            _refuse_zero("//", args)
            return quotient(args, n)

        return divide_floats
    return lambda args, n: _integer_division("//", args[0], args[1], type_, n)


@scalar("%")
def remainder(call: Call) -> Evaluate:
    """Remainder with the sign of the dividend. By zero it is an error for integers and decimals, NaN for
    floats.
    """
    if call.type.is_float:
        return _floats(np.fmod, call.type)
    return lambda args, n: _integer_division("%", args[0], args[1], call.type, n)


def _refuse_zero(symbol: str, args: Sequence[Vector]) -> None:
    divisor = args[1]
    if divisor.is_wide:
        bounds = divisor.tight_bounds()
        if bounds is None or bounds[0] > 0 or bounds[1] < 0:
            return
        zero = np.array([value == 0 for value in _wide_values(divisor)])
    else:
        zero = np.atleast_1d(divisor.values == 0)
    valid = combined_valid(*args)
    if first_row(np.broadcast_to(zero, valid.shape) if valid is not None else zero, valid) >= 0:
        raise messages.division_by_zero(symbol)


def _wide_values(vector: Vector) -> list[int]:
    from .wide import to_ints

    return to_ints(vector.expand(1))


def _integer_division(symbol: str, left: Vector, right: Vector, type_: SQLType, n: int) -> Vector:
    _refuse_zero(symbol, (left, right))
    dividend, divisor = narrowed(left), narrowed(right)
    if dividend is None or divisor is None:
        return wide_function(
            type_, truncating_divide if symbol == "//" else truncating_modulo, [left, right], n
        )
    dtype = numpy_dtype(type_)
    x, y, valid = dividend.values, divisor.values, combined_valid(dividend, divisor)
    if dtype.kind == "i" and symbol == "//":
        low = np.iinfo(dtype).min
        row = first_row(np.atleast_1d((x == low) & (y == -1)), valid)
        if row >= 0:
            if type_.id is TypeId.HUGEINT:
                return wide_function(type_, truncating_divide, [left, right], n)
            raise messages.division_overflow(low, -1)
    # Zero is left at NULL rows only. The remainder by -1 is 0, which numpy cannot tell of the least integer.
    y = np.where(y == 0, dtype.type(1), y) if np.ndim(y) else y
    with np.errstate(all="ignore"):
        if symbol == "%":
            values = np.fmod(x, np.where(y == -1, dtype.type(1), y)) if dtype.kind == "i" else np.fmod(x, y)
        else:
            quotient = np.floor_divide(x, y)
            if dtype.kind == "i":
                # numpy rounds down.
                inexact = (quotient * y != x) & ((x < 0) != (y < 0))
                quotient = quotient + inexact
            values = quotient
    return Vector.of_values(type_, values.astype(dtype, copy=False), valid)


def truncating_divide(x: int, y: int) -> int:
    """x / y rounded toward zero."""
    quotient = abs(x) // abs(y)
    return quotient if (x < 0) == (y < 0) else -quotient


def truncating_modulo(x: int, y: int) -> int:
    """What is left of x after `truncating_divide`; it has the sign of x."""
    return x - y * truncating_divide(x, y)
