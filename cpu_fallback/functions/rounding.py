"""round, trunc, ceil and floor of floats, integers and decimals."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...physical.stored import INT64_HIGH, INT64_LOW, stored_range, values_range
from ...planner import messages_values as messages
from ...planner.expr import Call
from ...planner.types import SQLType
from ..expr_merge import Piece, merge
from ..storage import numpy_dtype
from ..vector import Vector, combined_valid
from .registry import Evaluate, scalar
from .wide import narrowed, wide_function

# How an exact quotient of a scaled integer by 10**k is rounded: (value, 10**k) -> integer.
_Exact = Callable[[int, int], int]


def half_away(value: int, divisor: int) -> int:
    """Nearest integer of the quotient, halves away from zero."""
    quotient = (abs(value) + divisor // 2) // divisor
    return quotient if value >= 0 else -quotient


def toward_zero(value: int, divisor: int) -> int:
    """The quotient without its fraction."""
    return abs(value) // divisor if value >= 0 else -(abs(value) // divisor)


def half_even(value: int, divisor: int) -> int:
    """Nearest integer of the quotient, halves to the even neighbour."""
    quotient, rest = divmod(value, divisor)
    return quotient + (2 * rest > divisor or (2 * rest == divisor and quotient % 2 == 1))


_EXACT: dict[str, _Exact] = {
    "round_even": half_even,
    "round": half_away,
    "trunc": toward_zero,
    "ceil": lambda value, divisor: -(-value // divisor),
    "floor": lambda value, divisor: value // divisor,
}


def round_half_away(values: Any) -> Any:
    """Floats to whole numbers, halves away from zero."""
    rounded = np.rint(values)
    # Halves went to the even neighbour; they are few, and the difference is exact.
    halves = np.flatnonzero(np.abs(values - rounded) == 0.5)
    if len(halves):
        given = values.take(halves)
        rounded[halves] = np.trunc(given) + np.copysign(1, given)
    return rounded


def _without_false_halves(values: Any, power: Any, scaled: Any, rounded: Any) -> Any:
    """Corrects products that lie below a half but were rounded to it: 1000.05 is less than that, and 10 times
    it is less than 10000.5.

    The error of the product is exact by T. J. Dekker's "A floating-point technique for extending the
    available precision".
    """
    half = np.abs(scaled - np.trunc(scaled)) == 0.5
    if not half.any():
        return rounded
    x, p = np.broadcast_arrays(values.astype(np.float64, copy=False), power)
    x_high, p_high = _high_half(x), _high_half(p)
    x_low, p_low = x - x_high, p - p_high
    error = ((x_high * p_high - scaled) + x_high * p_low + x_low * p_high) + x_low * p_low
    below = half & (np.sign(error) == -np.sign(scaled))
    return np.where(below, np.trunc(scaled), rounded)


def _high_half(values: Any) -> Any:
    """The upper 26 bits of doubles."""
    spread = values * 134_217_729.0
    return spread - (spread - values)


_FLOATS: dict[str, Callable[[Any], Any]] = {
    "round": round_half_away,
    "trunc": np.trunc,
    "ceil": np.ceil,
    "floor": np.floor,
}


@scalar("round", "trunc", "ceil", "floor", "round_even")
def rounding(call: Call) -> Evaluate:
    """To whole numbers, or to the number of digits that the second argument gives (negative: before the
    point).
    """
    name, kind = call.function, call.args[0].type
    if kind.is_float:
        if name == "round_even":
            from .rowwise import rowwise

            return rowwise(lambda x, digits: round(x, digits) if math.isfinite(x) else x, call.type)
        return _round_floats(_FLOATS[name], call.type)
    if kind.is_decimal:
        return _round_decimals(_EXACT[name], call)
    return _round_integers(_EXACT[name], call.type)


def _round_floats(function: Callable[[Any], Any], type_: SQLType) -> Evaluate:
    dtype = numpy_dtype(type_)

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        values = args[0].values
        with np.errstate(all="ignore"):
            if len(args) == 1:
                return Vector.of_values(type_, function(values), args[0].valid)
            digits = args[1].values.astype(np.float64)
            power = np.power(10.0, np.abs(digits))
            scaled = np.where(digits < 0, values / power, values * power)
            rounded = function(scaled)
            if function is round_half_away:
                rounded = np.where(digits > 0, _without_false_halves(values, power, scaled, rounded), rounded)
            result = np.where(digits < 0, rounded * power, rounded / power)
            # Beyond the range of doubles there is nothing to round on the right, and nothing is left on the
            # left
            # (except that trunc gives the number back).
            lost = ~np.isfinite(result) | ~np.isfinite(power)
            none = values if function is np.trunc else 0.0 * np.sign(values)
            result = np.where(lost, np.where(digits < 0, none, values), result)
            result = np.where(np.isfinite(values), result, values)
        return Vector.of_values(type_, result.astype(dtype), combined_valid(*args))

    return evaluate


def _round_decimals(function: _Exact, call: Call) -> Evaluate:
    source, target = call.args[0].type, call.type
    if len(call.args) == 1:
        return lambda args, n: quotient(function, args[0], source.scale, 0, target, n)

    def to_digits(args: Sequence[Vector], digits: int, n: int) -> Vector:
        if digits >= source.scale:
            return Vector.of_array(target, args[0].expand(n).array, args[0].bounds)
        # Digits before the point become zeros; the result has no fraction then.
        zeros = max(0, -digits)
        if zeros >= source.width:
            zeros = source.width
        return quotient(
            function,
            args[0],
            source.scale - digits if digits >= 0 else source.scale + zeros,
            zeros,
            target,
            n,
        )

    return _for_each_digits(to_digits)


def _for_each_digits(function: Callable[[Sequence[Vector], int, int], Vector]) -> Evaluate:
    """Rows of `function(args, digits, n)` for the number of digits in each row's second argument."""

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        digits = args[1]
        if digits.is_constant:
            return function(args, int(digits.value), n)
        valid = combined_valid(digits)
        present = digits.values if valid is None else digits.values[valid]
        pieces = []
        for count in np.unique(present).tolist():
            mask = digits.values == count
            pieces.append(Piece(mask if valid is None else mask & valid, None, function(args, count, n)))
        type_ = pieces[0].vector.type if pieces else args[0].type
        if valid is not None:
            pieces.append(Piece(~valid, None, Vector.constant(type_, None)))
        return merge(type_, pieces, n)

    return evaluate


def quotient(function: _Exact, arg: Vector, cut: int, zeros: int, target: SQLType, n: int) -> Vector:
    """Stored integers over 10**cut, rounded by `function`, times 10**zeros, as `target`."""
    divisor, factor = 10**cut, 10**zeros
    limits = stored_range(target)
    assert limits is not None

    def exact(value: int) -> int:
        result = function(value, divisor) * factor
        if not limits[0] <= result <= limits[1]:
            raise messages.out_of_range("Overflow in rounding a number")
        return result

    narrow = narrowed(arg)
    if narrow is None or cut > 18:
        return wide_function(target, exact, [arg], n)
    narrow = narrow.expand(n)
    low, high = narrow.tight_bounds() or (0, 0)
    if exact(low) < INT64_LOW or exact(high) > INT64_HIGH:
        return wide_function(target, exact, [arg], n)
    values = narrow.values.astype(np.int64, copy=False)
    down = values // divisor
    rest = values - down * divisor
    if function is half_away:
        twice = rest * 2
        down = down + ((twice > divisor) | ((twice == divisor) & (values >= 0)))
    elif function is half_even:
        twice = rest * 2
        down = down + ((twice > divisor) | ((twice == divisor) & (down % 2 == 1)))
    elif function is toward_zero:
        down = down + ((rest > 0) & (values < 0))
    elif function is _EXACT["ceil"]:
        down = down + (rest > 0)
    return Vector.of_values(target, (down * factor).astype(numpy_dtype(target)), narrow.valid)


def _round_integers(function: _Exact, type_: SQLType) -> Evaluate:
    def to_digits(args: Sequence[Vector], digits: int, n: int) -> Vector:
        if digits >= 0:
            return args[0].expand(n)
        if digits < -38:
            digits = -39
        narrow = narrowed(args[0])
        if narrow is None or -digits > 18 or numpy_dtype(type_).kind == "u":
            return _round_large(function, args[0], -digits, type_, n)
        return quotient(function, args[0], -digits, -digits, type_, n)

    by_digits = _for_each_digits(to_digits)
    return lambda args, n: args[0] if len(args) == 1 else by_digits(args, n)


def _round_large(function: _Exact, arg: Vector, cut: int, type_: SQLType, n: int) -> Vector:
    """Integers that int64 arithmetic does not hold."""
    from .rowwise import rowwise

    divisor = 10**cut
    low, high = values_range(type_)

    def exact(value: int) -> int:
        result = function(value, divisor) * divisor
        if not low <= result <= high:
            raise messages.out_of_range("Overflow in rounding a number")
        return result

    return rowwise(exact, type_)([arg], n)
