"""Functions of doubles: roots, powers, logarithms, trigonometry, tests. None raises: outside its domain a
function gives NaN, at a pole an infinity.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from ...planner.expr import Call
from ...planner.types import BOOLEAN, DOUBLE, TypeId
from ..moments import infinite
from ..number import Number, constant
from ..storage import data_type, named_type
from ..values import Evaluation, Value
from .registry import scalar
from .rounding import with_sign

_UNARY = {
    "sin": "SIN",
    "cos": "COS",
    "tan": "TAN",
    "asin": "ARCSIN",
    "acos": "ARCCOS",
    "atan": "ARCTAN",
    "sinh": "SINH",
    "cosh": "COSH",
    "tanh": "TANH",
    "asinh": "ARCSINH",
    "acosh": "ARCCOSH",
    "atanh": "ARCTANH",
    "exp": "EXP",
    "ln": "LOG",
    "sqrt": "SQRT",
    "cbrt": "CBRT",
}


def _even(x: Number) -> Number:
    """The next even number away from zero."""
    whole = x.size().of("CEIL")
    return with_sign(whole + Number(whole.rest(2.0).equals(1.0), x.ops, "FLOAT64"), x)


def logarithm(x: Number, base: float) -> Number:
    """To a constant base: exact where the power of the base is, which the quotient of logarithms misses."""
    made = x.of("LOG").over(math.log(base))
    whole = made.of("RINT")
    power = Number(
        x.ops.binary(
            "POW", constant(base, x.column.size(), x.ops, "FLOAT64").column, whole.column, x.column.type()
        ),
        x.ops,
        "FLOAT64",
    )
    return made.unless(power.equals(x), whole)


_MADE: dict[str, Callable[[Number], Number]] = {
    "cot": lambda x: constant(1.0, x.column.size(), x.ops, "FLOAT64").over(x.of("TAN")),
    "log2": lambda x: logarithm(x, 2.0),
    "log10": lambda x: logarithm(x, 10.0),
    "degrees": lambda x: x * (180.0 / math.pi),
    "radians": lambda x: x * (math.pi / 180.0),
    "even": _even,
}


def _double(arg: Value, run: Evaluation) -> Number:
    return Number(run.column(arg), run.ops, "FLOAT64")


@scalar(*_UNARY, *_MADE)
def unary(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """A function of one double."""
    x = _double(args[0], run)
    name = node.function
    made = x.of(_UNARY[name]) if name in _UNARY else _MADE[name](x)
    return Value(node.type, made.column)


@scalar("log")
def log(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """To base 10, or to the base of the first of two arguments."""
    made = logarithm(_double(args[-1], run), 10.0)
    if len(args) == 2:
        made = made.over(logarithm(_double(args[0], run), 10.0))
    return Value(node.type, made.column)


@scalar("pow", "atan2")
def binary(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """x to the power of y; the angle of the point (x, y) by y and x."""
    left, right = (run.operand(arg) for arg in args)
    operator = {"pow": "POW", "atan2": "ATAN2"}[node.function]
    return Value(node.type, run.ops.binary(operator, left, right, data_type(node.type)))


@scalar("fmod")
def floored_remainder(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """What the division that is rounded down leaves, with the sign of the divisor; NaN by zero."""
    ops = run.ops
    x, y = (_double(arg, run) for arg in args)
    rest = x.rest(y)
    apart = rest.bits("INT64").bit("BITWISE_XOR", y.bits("INT64")).below(0)
    moved = ops.both(rest.differs(0.0), apart)
    made = rest.unless(moved, rest + y)
    # A zero has the sign of the divisor.
    made = made.unless(rest.equals(0.0), with_sign(rest.size(), y))
    made = made.unless(ops.both(y.equals(0.0), ops.is_valid(x.column)), math.nan)
    return Value(node.type, ops.cast(made.column, data_type(node.type)))


@scalar("pi")
def pi(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """The constant."""
    return Value(DOUBLE, None, math.pi)


def _is_infinite(arg: Value, run: Evaluation) -> Any:
    """True at infinite numbers and moments, NULL at NULL."""
    if arg.type.is_float:
        return _double(arg, run).size().equals(math.inf)
    known = infinite(arg, run)
    column = run.column(arg)
    # It is never infinite: false, but NULL where it is.
    return run.ops.binary("NOT_EQUAL", column, column) if known is None else known


@scalar("isnan", "isinf", "isfinite", "signbit")
def test(node: Call, args: Sequence[Value], run: Evaluation) -> Value:
    """A test of floats; dates and timestamps can be infinite too."""
    (arg,) = args
    ops = run.ops
    match node.function:
        case "isnan":
            column = run.column(arg)
            made = ops.binary("NOT_EQUAL", column, column)
        case "isinf":
            made = _is_infinite(arg, run)
        case "isfinite" if arg.type.is_float:
            made = _double(arg, run).size().below(math.inf)
        case "isfinite":
            made = ops.inverse(_is_infinite(arg, run))
        case _:
            made = _sign_bit(arg, run)
    return Value(BOOLEAN, made)


def _sign_bit(arg: Value, run: Evaluation) -> Any:
    """Of the stored bits: a cast need not keep the sign of a NaN."""
    kind = "INT32" if arg.type.id is TypeId.FLOAT else "INT64"
    return Number(run.ops.bits_as(run.column(arg), named_type(kind)), run.ops, kind).below(0)
