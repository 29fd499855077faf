"""Functions of doubles: roots, powers, logarithms, trigonometry, gamma, and tests of floats.

Outside their domain they give NaN, at poles an infinity; none raises.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...planner.expr import Call
from ...planner.types import BOOLEAN, DOUBLE, TypeId
from ..casts.temporal import DATE_INFINITY, TIMESTAMP_INFINITY
from ..vector import Vector, combined_valid
from .registry import Evaluate, scalar
from .rowwise import rowwise


def _even(values: Any) -> Any:
    """The next even number away from zero."""
    whole = np.ceil(np.abs(values))
    return np.copysign(whole + (whole % 2 == 1), values)


def _log_base(base: Any, values: Any) -> Any:
    return np.log10(values) / np.log10(base)


def _floored_remainder(x: Any, y: Any) -> Any:
    return np.where(y == 0, np.nan, np.mod(x, y)).astype(np.result_type(x, y), copy=False)


def _power(x: Any, y: Any) -> Any:
    """C's pow. numpy takes another function for a single exponent such as 0.5, which differs at -0.0 and
    -infinity: exponents are an array.
    """
    return np.power(x, np.full(np.shape(x), y) if np.ndim(y) == 0 and np.ndim(x) else y)


_UNARY: dict[str, Callable[[Any], Any]] = {
    "sqrt": np.sqrt,
    "cbrt": np.cbrt,
    "exp": np.exp,
    "ln": np.log,
    "log2": np.log2,
    "log10": np.log10,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "cot": lambda x: 1.0 / np.tan(x),
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "asinh": np.arcsinh,
    "acosh": np.arccosh,
    "atanh": np.arctanh,
    "degrees": lambda x: x * (180.0 / math.pi),
    "radians": lambda x: x * (math.pi / 180.0),
    "even": _even,
}
_BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "pow": _power,
    "atan2": np.arctan2,
    "fmod": _floored_remainder,
}


@scalar(*_UNARY)
def unary(call: Call) -> Evaluate:
    """A function of one double."""
    function, type_ = _UNARY[call.function], call.type

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        with np.errstate(all="ignore"):
            return Vector.of_values(type_, function(args[0].values), args[0].valid)

    return evaluate


@scalar(*_BINARY)
def binary(call: Call) -> Evaluate:
    """A function of two doubles."""
    return _two(_BINARY[call.function], call)


def _two(function: Callable[[Any, Any], Any], call: Call) -> Evaluate:
    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        left, right = args
        with np.errstate(all="ignore"):
            return Vector.of_values(
                call.type, function(left.values, right.values), combined_valid(left, right)
            )

    return evaluate


@scalar("log")
def log(call: Call) -> Evaluate:
    """To base 10, or to the base of the first of two arguments."""
    if len(call.args) == 2:
        return _two(_log_base, call)

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        with np.errstate(all="ignore"):
            return Vector.of_values(DOUBLE, np.log10(args[0].values), args[0].valid)

    return evaluate


@scalar("pi")
def pi(call: Call) -> Evaluate:
    """The constant."""
    return lambda args, n: Vector.constant(DOUBLE, math.pi)


@scalar("random")
def random(call: Call) -> Evaluate:
    """Uniform from 0 to 1, another number for every row."""
    return lambda args, n: Vector.of_values(DOUBLE, np.random.default_rng().random(n))


def _gamma(x: float) -> float:
    if x == 0:
        return math.copysign(math.inf, x)
    if x == -math.inf or (x < 0 and x.is_integer()):
        return math.nan
    try:
        return math.gamma(x)
    except OverflowError:
        return math.inf


def _log_gamma(x: float) -> float:
    if math.isinf(x) or (x <= 0 and x.is_integer()):
        return math.inf
    try:
        return math.lgamma(x)
    except OverflowError:
        return math.inf


@scalar("gamma")
def gamma(call: Call) -> Evaluate:
    """The gamma function."""
    return rowwise(_gamma, DOUBLE)


@scalar("lgamma")
def lgamma(call: Call) -> Evaluate:
    """Logarithm of the gamma function's absolute value."""
    return rowwise(_log_gamma, DOUBLE)


def _infinite(values: Any) -> Any:
    if values.dtype.kind == "f":
        return np.isinf(values)
    infinity = DATE_INFINITY if values.dtype.itemsize == 4 else TIMESTAMP_INFINITY
    return (values == infinity) | (values == -infinity)


_TESTS: dict[str, Callable[[Any], Any]] = {
    "isnan": np.isnan,
    "isinf": _infinite,
    "isfinite": lambda v: np.isfinite(v) if v.dtype.kind == "f" else ~_infinite(v),
    "signbit": np.signbit,
}


@scalar(*_TESTS)
def test(call: Call) -> Evaluate:
    """A test of floats; dates and timestamps can be infinite too."""
    function = _TESTS[call.function]
    assert call.args[0].type.id is not TypeId.NULL
    return lambda args, n: Vector.of_truth(BOOLEAN, function(args[0].values), args[0].valid)


@scalar("nextafter")
def nextafter(call: Call) -> Evaluate:
    """The next number towards the second argument."""

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        with np.errstate(all="ignore"):
            values = np.nextafter(args[0].values, args[1].values)
        return Vector.of_values(call.type, values, combined_valid(*args))

    return evaluate
