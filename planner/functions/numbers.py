"""Functions of numbers."""

from __future__ import annotations

from .. import messages
from ..coercion import common_type
from ..types import (
    BIGINT,
    BOOLEAN,
    DATE,
    DOUBLE,
    FLOAT,
    HUGEINT,
    INTEGER,
    NULL,
    SMALLINT,
    TIMESTAMP,
    TIMESTAMPTZ,
    TINYINT,
    SQLType,
    decimal,
)
from .arithmetic import DECIMAL_UNARY, FLOATS, INTEGERS, SIGNED, over
from .signature import ANY, ANY_DECIMAL, BoundTypes, Nulls, Overload, ScalarFunction, Values, Volatility

_TO_DOUBLE = (Overload((DOUBLE,), DOUBLE),)
_TWO_DOUBLES = (Overload((DOUBLE, DOUBLE), DOUBLE),)


def _scale_dropped(kinds: tuple[SQLType, ...], values: Values) -> BoundTypes:
    """ceil, floor, round, trunc of a DECIMAL: same width, no scale."""
    kind = kinds[0]
    if not kind.is_decimal:
        return BoundTypes(kinds, NULL) if kind is NULL else BoundTypes((DOUBLE,), DOUBLE)
    return BoundTypes((kind,), decimal(kind.width, 0))


def _scale_cut(kinds: tuple[SQLType, ...], values: Values) -> BoundTypes:
    """round(DECIMAL, digits): the scale becomes the digits where that is less."""
    kind, digits = kinds[0], values(1)
    if NULL in kinds:
        return BoundTypes(kinds, NULL)
    if not kind.is_decimal:
        return BoundTypes((DOUBLE, INTEGER), DOUBLE)
    if isinstance(digits, str) and digits.strip().lstrip("+-").isdigit():
        digits = int(digits)
    if not isinstance(digits, int):
        raise messages.constant_argument("round", "the number of digits of a DECIMAL", None)
    return BoundTypes((kind, INTEGER), decimal(kind.width, min(kind.scale, max(0, digits))))


_ROUND = (
    *over(SIGNED, 1),
    *over(FLOATS, 1),
    Overload((ANY_DECIMAL,), None, bind=_scale_dropped),
    *(Overload((t, INTEGER), t) for t in (*SIGNED, *FLOATS)),
    Overload((ANY_DECIMAL, INTEGER), None, bind=_scale_cut),
)
_TRUNC = (
    *over(INTEGERS, 1),
    *over(FLOATS, 1),
    Overload((ANY_DECIMAL,), None, bind=_scale_dropped),
    *(Overload((t, INTEGER), t) for t in (*INTEGERS, *FLOATS)),
    Overload((ANY_DECIMAL, INTEGER), None, bind=_scale_cut),
)
_CEIL = (*over(FLOATS, 1), Overload((ANY_DECIMAL,), None, bind=_scale_dropped))


def _largest(kinds: tuple[SQLType, ...], values: Values) -> BoundTypes:
    common = common_type(kinds)
    assert common is not None  # the binder has cast them to one type
    return BoundTypes((common,) * len(kinds), common)


_LARGEST = (Overload((ANY,), None, variadic=ANY, bind=_largest),)
_FLOAT_TEST = (Overload((FLOAT,), BOOLEAN), Overload((DOUBLE,), BOOLEAN))
_INFINITE_TEST = (*_FLOAT_TEST, *(Overload((t,), BOOLEAN) for t in (DATE, TIMESTAMP, TIMESTAMPTZ)))


def _double(name: str, text: str, *aliases: str, can_fail: bool = False) -> ScalarFunction:
    return ScalarFunction(name, _TO_DOUBLE, text, aliases, can_fail=can_fail)


FUNCTIONS = (
    ScalarFunction(
        "abs", (*over(INTEGERS, 1), *over(FLOATS, 1), DECIMAL_UNARY), "Absolute value", ("@",), can_fail=True
    ),
    ScalarFunction("sign", tuple(Overload((t,), TINYINT) for t in (*INTEGERS, *FLOATS)), "-1, 0 or 1"),
    ScalarFunction("ceil", _CEIL, "Next whole number that is not smaller", ("ceiling",)),
    ScalarFunction("floor", _CEIL, "Next whole number that is not larger"),
    ScalarFunction("round", _ROUND, "Rounded to a number of digits, halves away from zero", can_fail=True),
    ScalarFunction("trunc", _TRUNC, "Digits cut off towards zero"),
    _double("sqrt", "Square root; NaN of a negative number"),
    _double("cbrt", "Cube root"),
    _double("exp", "e to the power of x"),
    _double("ln", "Natural logarithm; an error for zero and negative numbers", can_fail=True),
    _double("log2", "Logarithm to base 2", can_fail=True),
    ScalarFunction("log10", _TO_DOUBLE, "Logarithm to base 10", can_fail=True),
    ScalarFunction("log", (*_TO_DOUBLE, *_TWO_DOUBLES), "log(base, x); log(x) is to base 10", can_fail=True),
    ScalarFunction("pow", _TWO_DOUBLES, "x to the power of y", ("power", "**", "^")),
    _double("sin", "Sine of an angle in radians", can_fail=True),
    _double("cos", "Cosine of an angle in radians", can_fail=True),
    _double("tan", "Tangent of an angle in radians", can_fail=True),
    _double("cot", "Cotangent of an angle in radians", can_fail=True),
    _double("asin", "Arc sine in radians", can_fail=True),
    _double("acos", "Arc cosine in radians", can_fail=True),
    _double("atan", "Arc tangent in radians"),
    ScalarFunction("atan2", _TWO_DOUBLES, "Angle of the point (x, y) in radians; atan2(y, x)"),
    _double("sinh", "Hyperbolic sine"),
    _double("cosh", "Hyperbolic cosine"),
    _double("tanh", "Hyperbolic tangent"),
    _double("asinh", "Inverse hyperbolic sine"),
    _double("acosh", "Inverse hyperbolic cosine"),
    _double("atanh", "Inverse hyperbolic tangent", can_fail=True),
    _double("degrees", "Radians to degrees"),
    _double("radians", "Degrees to radians"),
    ScalarFunction("pi", (Overload((), DOUBLE),), "The number pi"),
    ScalarFunction(
        "gcd",
        over((BIGINT, HUGEINT), 2),
        "Greatest common divisor",
        ("greatest_common_divisor",),
        can_fail=True,
    ),
    ScalarFunction(
        "lcm", over((BIGINT, HUGEINT), 2), "Least common multiple", ("least_common_multiple",), can_fail=True
    ),
    ScalarFunction("factorial", (Overload((INTEGER,), HUGEINT),), "1 * 2 * ... * n", can_fail=True),
    _double("gamma", "Gamma function", can_fail=True),
    _double("lgamma", "Logarithm of the gamma function", can_fail=True),
    _double("even", "Next even number away from zero"),
    ScalarFunction("fmod", over(FLOATS, 2), "Remainder of a floating-point division"),
    ScalarFunction("isnan", _FLOAT_TEST, "Whether the value is NaN"),
    ScalarFunction("isinf", _INFINITE_TEST, "Whether the value is infinite"),
    ScalarFunction("isfinite", _INFINITE_TEST, "Whether the value is neither infinite nor NaN"),
    ScalarFunction("signbit", _FLOAT_TEST, "Whether the sign bit is set; true for -0.0"),
    ScalarFunction(
        "bit_count",
        (
            *(Overload((t,), TINYINT) for t in (TINYINT, SMALLINT, INTEGER, BIGINT)),
            Overload((HUGEINT,), SMALLINT),
        ),
        "Number of set bits",
    ),
    ScalarFunction("greatest", _LARGEST, "The largest argument that is not NULL", nulls=Nulls.HANDLED),
    ScalarFunction("least", _LARGEST, "The smallest argument that is not NULL", nulls=Nulls.HANDLED),
    ScalarFunction(
        "random", (Overload((), DOUBLE),), "A random number from 0 to 1", volatility=Volatility.VOLATILE
    ),
    ScalarFunction("nextafter", over(FLOATS, 2), "The next floating-point number towards the second"),
    ScalarFunction(
        "round_even",
        (
            *(Overload((t, INTEGER), t) for t in (*SIGNED, *FLOATS)),
            Overload((ANY_DECIMAL, INTEGER), None, bind=_scale_cut),
        ),
        "Rounded to a number of digits, halves to the even neighbour",
        ("roundbankers",),
        can_fail=True,
    ),
    ScalarFunction(
        "binom", (Overload((INTEGER, INTEGER), HUGEINT),), "Binomial coefficient n over k", can_fail=True
    ),
)
