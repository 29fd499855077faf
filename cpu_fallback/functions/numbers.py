"""abs, sign, gcd, lcm, factorial, greatest and least."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ...physical.stored import values_range
from ...planner import messages_values as messages
from ...planner.expr import Call
from ...planner.types import TINYINT, TypeId
from ..expr_compare import compare
from ..expr_merge import Piece, merge
from ..storage import numpy_dtype
from ..vector import Vector, null_constant
from .integers import first_row
from .registry import Evaluate, scalar
from .rowwise import rowwise
from .wide import narrowed, to_ints, wide_function


def _magnitude(value: int) -> int:
    return -value if value < 0 else value


@scalar("abs")
def absolute(call: Call) -> Evaluate:
    """Absolute value; the least integer has none."""
    type_ = call.type
    dtype = numpy_dtype(type_)

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        (arg,) = args
        if dtype.kind in "uf":
            return Vector.of_values(type_, np.abs(arg.values), arg.valid, arg.bounds)
        narrow = narrowed(arg)
        if narrow is None:
            return wide_function(type_, _magnitude, [arg], n)
        least = np.iinfo(dtype).min
        if first_row(narrow.values == least, narrow.valid) >= 0:
            if type_.id in (TypeId.HUGEINT, TypeId.DECIMAL):
                return wide_function(type_, _magnitude, [narrow], n)
            raise messages.out_of_range(f"Overflow on abs({least})")
        bounds = narrow.bounds
        known = None if bounds is None else (0, max(-bounds[0], bounds[1]))
        return Vector.of_values(type_, np.abs(narrow.values), narrow.valid, known)

    return evaluate


@scalar("sign")
def sign(call: Call) -> Evaluate:
    """-1, 0 or 1; 0 for NaN."""

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        (arg,) = args
        if arg.is_wide:
            values = np.array([(value > 0) - (value < 0) for value in to_ints(arg)], dtype=np.int8)
            return Vector.of_values(TINYINT, values, arg.valid)
        values = arg.values
        signs = (values > 0).view(np.int8) - (values < 0).view(np.int8)
        return Vector.of_values(TINYINT, signs, arg.valid, (-1, 1))

    return evaluate


@scalar("gcd")
def gcd(call: Call) -> Evaluate:
    """Greatest common divisor, not negative."""
    high = values_range(call.type)[1]

    def one(left: int, right: int) -> int:
        result = math.gcd(left, right)
        if result > high:
            raise messages.out_of_range(f"Overflow on abs({left})")
        return result

    return rowwise(one, call.type)


@scalar("lcm")
def lcm(call: Call) -> Evaluate:
    """Least common multiple, not negative."""
    high = values_range(call.type)[1]

    def one(left: int, right: int) -> int:
        result = math.lcm(left, right)
        if result > high:
            raise messages.out_of_range("lcm value is out of range")
        return result

    return rowwise(one, call.type)


@scalar("factorial")
def factorial(call: Call) -> Evaluate:
    """1 * 2 * ... * n as HUGEINT, up to 33."""

    def one(value: int) -> int:
        if value < 0:
            raise messages.out_of_range("factorial of a negative number is undefined")
        if value > 33:
            raise messages.out_of_range("Value out of range")
        return math.factorial(value)

    return rowwise(one, call.type)


@scalar("binom")
def binom(call: Call) -> Evaluate:
    """In how many ways k of n things can be chosen."""
    high = values_range(call.type)[1]

    def one(n: int, k: int) -> int:
        if n < 0 or k < 0:
            raise messages.out_of_range("binom with negative input is undefined")
        result = 0 if k > n else math.comb(n, k) if min(k, n - k) < 200 else high + 1
        if result > high:
            raise messages.out_of_range("Value out of range")
        return result

    return rowwise(one, call.type)


@scalar("greatest", "least")
def extreme(call: Call) -> Evaluate:
    """The first of the largest or smallest arguments that are not NULL; NULL if all are."""
    op, type_ = (">" if call.function == "greatest" else "<"), call.type

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        best: Vector | None = None
        for arg in args:
            if arg.is_null:
                continue
            best = arg.expand(n) if best is None else _better(op, best, arg)
        return null_constant(type_) if best is None else best

    def _better(op: str, best: Vector, arg: Vector) -> Vector:
        better = compare(op, type_, arg, best).expand(len(best)).values
        if best.valid is not None:
            present = np.ones(len(best), dtype=np.bool_) if arg.valid is None else arg.valid
            better = better | (present & ~best.valid)
        if not better.any():
            return best
        return merge(type_, [Piece(better, None, arg), Piece(~better, None, best)], len(best))

    return evaluate
