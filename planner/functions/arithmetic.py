"""Operators on numbers, dates and intervals, and the DECIMAL rules of + - * %."""

from __future__ import annotations

from collections.abc import Callable

from .. import messages
from ..coercion import common_type, decimal_shape
from ..types import (
    BIGINT,
    DATE,
    DOUBLE,
    FLOAT,
    HUGEINT,
    INT64_DECIMAL_WIDTH,
    INTEGER,
    INTERVAL,
    MAX_DECIMAL_WIDTH,
    NULL,
    SMALLINT,
    TIME,
    TIMESTAMP,
    TIMESTAMP_MS,
    TIMESTAMP_NS,
    TIMESTAMP_S,
    TIMESTAMPTZ,
    TINYINT,
    UBIGINT,
    UINTEGER,
    USMALLINT,
    UTINYINT,
    VARCHAR,
    SQLType,
    TypeId,
    decimal,
)
from .signature import ANY, ANY_DECIMAL, Bind, BoundTypes, Overload, ScalarFunction, Values

# Types of an operation on DECIMALs of these (width, scale).
Rule = Callable[[list[tuple[int, int]]], BoundTypes]

SIGNED = (TINYINT, SMALLINT, INTEGER, BIGINT, HUGEINT)
INTEGERS = (*SIGNED, UTINYINT, USMALLINT, UINTEGER, UBIGINT)
FLOATS = (FLOAT, DOUBLE)
# (argument, result) of stamp ± interval.
_STAMPS = (
    (DATE, TIMESTAMP),
    (TIME, TIME),
    (TIMESTAMP, TIMESTAMP),
    (TIMESTAMP_S, TIMESTAMP),
    (TIMESTAMP_MS, TIMESTAMP),
    (TIMESTAMP_NS, TIMESTAMP_NS),
    (TIMESTAMPTZ, TIMESTAMPTZ),
)


def over(kinds: tuple[SQLType, ...], arity: int) -> tuple[Overload, ...]:
    """Overloads T, T, ... -> T for each of the types."""
    return tuple(Overload((kind,) * arity, kind) for kind in kinds)


def _decimal_bind(rule: Rule, strings: bool) -> Bind:
    """Wraps a rule over DECIMAL shapes: NULL arguments give NULL; with `strings` a string literal makes it a
    DOUBLE operation, otherwise it is refused."""

    def bind(kinds: tuple[SQLType, ...], values: Values) -> BoundTypes:
        if NULL in kinds:
            return BoundTypes(kinds, NULL)
        shapes = [decimal_shape(k) for k in kinds]
        known = [s for s in shapes if s is not None]
        if len(known) < len(shapes):
            if not strings:
                raise messages.type_mismatch("multiply", kinds[0], kinds[1], None)
            return BoundTypes((DOUBLE,) * len(kinds), DOUBLE)
        return rule(known)

    return bind


def _one_scale(shapes: list[tuple[int, int]], scale: int, width: int) -> tuple[SQLType, ...]:
    """Argument types at one scale: those that have it stay as they are."""
    return tuple(decimal(w, s) if s == scale else decimal(width, scale) for w, s in shapes)


def _add(shapes: list[tuple[int, int]]) -> BoundTypes:
    scale = max(s for _, s in shapes)
    width = min(MAX_DECIMAL_WIDTH, max(w - s for w, s in shapes) + scale + 1)
    return BoundTypes(_one_scale(shapes, scale, width), decimal(width, scale))


def _multiply(shapes: list[tuple[int, int]]) -> BoundTypes:
    scale = sum(s for _, s in shapes)
    width = sum(w for w, _ in shapes)
    if scale > MAX_DECIMAL_WIDTH:
        raise messages.decimal_scale_too_large(scale, None)
    # A product of two int64 decimals stays one, with a check, as long as the scale leaves room.
    if (
        width > INT64_DECIMAL_WIDTH
        and max(w for w, _ in shapes) <= INT64_DECIMAL_WIDTH
        and scale < INT64_DECIMAL_WIDTH
    ):
        width = INT64_DECIMAL_WIDTH
    width = min(MAX_DECIMAL_WIDTH, width)
    return BoundTypes(tuple(decimal(w, s) for w, s in shapes), decimal(width, scale))


def _modulo(shapes: list[tuple[int, int]]) -> BoundTypes:
    scale = max(s for _, s in shapes)
    width = max(w - s for w, s in shapes) + scale
    if width > MAX_DECIMAL_WIDTH:
        return BoundTypes((DOUBLE, DOUBLE), DOUBLE)
    return BoundTypes((decimal(width, scale),) * 2, decimal(width, scale))


def _keep_decimal(kinds: tuple[SQLType, ...], values: Values) -> BoundTypes:
    shape = decimal_shape(kinds[0])
    if shape is None:
        return BoundTypes((DOUBLE,), DOUBLE) if kinds[0] is not NULL else BoundTypes(kinds, NULL)
    return BoundTypes((decimal(*shape),), decimal(*shape))


def decimal_pair(rule: Rule, strings: bool = True) -> Overload:
    """Overload over two DECIMALs with the given shape rule."""
    return Overload((ANY_DECIMAL, ANY_DECIMAL), None, bind=_decimal_bind(rule, strings))


DECIMAL_UNARY = Overload((ANY_DECIMAL,), None, bind=_keep_decimal)


def _concat(kinds: tuple[SQLType, ...], values: Values) -> BoundTypes:
    if NULL in kinds:
        return BoundTypes(kinds, NULL)
    if all(k.id is TypeId.BLOB for k in kinds):
        return BoundTypes(kinds, kinds[0])
    if any(k.is_list for k in kinds):
        return _concat_lists(kinds)
    return BoundTypes((VARCHAR,) * len(kinds), VARCHAR)


def _concat_lists(kinds: tuple[SQLType, ...]) -> BoundTypes:
    joined = common_type(kinds) if all(k.is_list for k in kinds) else None
    if joined is None:
        raise messages.type_mismatch("concatenate", kinds[0], kinds[-1], None)
    return BoundTypes((joined,) * len(kinds), joined)


FUNCTIONS = (
    ScalarFunction(
        "+",
        (
            *over(INTEGERS, 2),
            *over(FLOATS, 2),
            decimal_pair(_add),
            Overload((DATE, INTEGER), DATE),
            Overload((INTEGER, DATE), DATE),
            Overload((DATE, TIME), TIMESTAMP),
            Overload((TIME, DATE), TIMESTAMP),
            Overload((INTERVAL, INTERVAL), INTERVAL),
            *(Overload((kind, INTERVAL), result) for kind, result in _STAMPS),
            *(Overload((INTERVAL, kind), result) for kind, result in _STAMPS),
        ),
        "Sum; a date and a number of days, or a date or time and an interval",
        can_fail=True,
    ),
    ScalarFunction(
        "-",
        (
            *over(INTEGERS, 2),
            *over(FLOATS, 2),
            decimal_pair(_add),
            Overload((DATE, DATE), BIGINT),
            Overload((DATE, INTEGER), DATE),
            Overload((TIMESTAMP, TIMESTAMP), INTERVAL),
            Overload((TIMESTAMPTZ, TIMESTAMPTZ), INTERVAL),
            Overload((INTERVAL, INTERVAL), INTERVAL),
            *(Overload((kind, INTERVAL), result) for kind, result in _STAMPS),
        ),
        "Difference; of two dates in days, of two timestamps as an interval",
        can_fail=True,
    ),
    ScalarFunction(
        "*",
        (
            *over(INTEGERS, 2),
            *over(FLOATS, 2),
            decimal_pair(_multiply, strings=False),
            Overload((BIGINT, INTERVAL), INTERVAL),
            Overload((DOUBLE, INTERVAL), INTERVAL),
            Overload((INTERVAL, BIGINT), INTERVAL),
            Overload((INTERVAL, DOUBLE), INTERVAL),
        ),
        "Product",
        can_fail=True,
    ),
    ScalarFunction(
        "/",
        (*over(FLOATS, 2), Overload((INTERVAL, DOUBLE), INTERVAL)),
        "Quotient as a floating-point number",
    ),
    ScalarFunction(
        "//",
        (*over(INTEGERS, 2), *over(FLOATS, 2)),
        "Quotient rounded towards zero",
        ("divide",),
        can_fail=True,
    ),
    ScalarFunction(
        "%",
        (*over(INTEGERS, 2), *over(FLOATS, 2), decimal_pair(_modulo)),
        "Remainder, with the sign of the dividend",
        ("mod",),
        can_fail=True,
    ),
    ScalarFunction(
        "neg",
        (*over(INTEGERS, 1), *over(FLOATS, 1), DECIMAL_UNARY, Overload((INTERVAL,), INTERVAL)),
        "Negation",
        can_fail=True,
    ),
    ScalarFunction("||", (Overload((ANY, ANY), None, bind=_concat),), "Strings put together"),
    ScalarFunction("&", over(INTEGERS, 2), "Bitwise AND"),
    ScalarFunction("|", over(INTEGERS, 2), "Bitwise OR"),
    ScalarFunction("xor", over(INTEGERS, 2), "Bitwise exclusive OR"),
    ScalarFunction("~", over(INTEGERS, 1), "Bitwise complement"),
    ScalarFunction("<<", over(INTEGERS, 2), "Shift to the left; overflow is an error", can_fail=True),
    ScalarFunction(">>", over(INTEGERS, 2), "Shift to the right"),
)
