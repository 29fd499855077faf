"""Scalar functions of literals: exact arithmetic on numbers, dates and intervals. What could fail is left for
execution.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from typing import Any

from ...expr import Call, Expr, Literal
from ...types import SQLType, TypeId
from .dates import DAY, add_interval, negated, to_date
from .values import UNKNOWN, in_range

_INT32 = 2**31
_INT64 = 2**63


def fold_call(call: Call) -> Expr:
    """The literal a call of literals stands for, or the call itself.

    >>> from ...types import INTEGER
    >>> fold_call(Call(INTEGER, "+", (Literal(INTEGER, 2), Literal(INTEGER, 3)))).value
    5
    """
    handler = _HANDLERS.get(call.function)
    if handler is None or not all(isinstance(a, Literal) and a.value is not None for a in call.args):
        return call
    values = [a.value for a in call.args if isinstance(a, Literal)]
    kinds = [a.type for a in call.args]
    result = handler(call.function, values, kinds, call.type)
    return call if result is UNKNOWN else Literal(call.type, result, span=call.span)


def _arithmetic(function: str, values: list[Any], kinds: list[SQLType], result: SQLType) -> Any:
    if len(values) != 2:
        return UNKNOWN
    left, right = values
    first, second = kinds
    if result.is_integer and first.is_integer and second.is_integer:
        return _checked(_exact(function, left, right), result)
    if result.is_decimal and first.is_decimal and second.is_decimal:
        scales_fit = (
            first.scale + second.scale == result.scale
            if function == "*"
            else first.scale == second.scale == result.scale
        )
        return _checked(_exact(function, left, right), result) if scales_fit else UNKNOWN
    if result.id is TypeId.DOUBLE and first.id is second.id is TypeId.DOUBLE:
        number = _exact(function, left, right)
        return number if isfinite(number) else UNKNOWN
    return _dates(function, left, right, first, second, result)


def _exact(function: str, left: Any, right: Any) -> Any:
    if function == "+":
        return left + right
    return left - right if function == "-" else left * right


def _checked(value: int, kind: SQLType) -> Any:
    return value if in_range(value, kind) else UNKNOWN


def _dates(function: str, left: Any, right: Any, first: SQLType, second: SQLType, result: SQLType) -> Any:
    if function == "+" and first.id is TypeId.INTERVAL and second.id is not TypeId.INTERVAL:
        left, right, first, second = right, left, second, first
    if second.id is TypeId.INTERVAL:
        step = negated(right) if function == "-" else right
        if first.id is TypeId.INTERVAL and function in ("+", "-"):
            return _interval(tuple(a + b for a, b in zip(left, step, strict=True)))
        if result.id is TypeId.TIMESTAMP and first.id in (TypeId.DATE, TypeId.TIMESTAMP) and function != "*":
            start = left * DAY if first.id is TypeId.DATE else left
            return add_interval(start, step) if to_date(start // DAY) is not None else UNKNOWN
    if function == "*" and {first.id, second.id} == {TypeId.INTERVAL, TypeId.BIGINT}:
        parts, factor = (left, right) if first.id is TypeId.INTERVAL else (right, left)
        return _interval(tuple(p * factor for p in parts))
    if first.id is TypeId.DATE and second.id is TypeId.DATE and function == "-":
        return left - right if to_date(left) and to_date(right) else UNKNOWN
    if first.is_integer and second.id is TypeId.DATE and function == "+":
        left, right, first, second = right, left, second, first
    if first.id is TypeId.DATE and second.is_integer and function in ("+", "-"):
        days = left + right if function == "+" else left - right
        return days if to_date(left) and to_date(days) else UNKNOWN
    return UNKNOWN


def _interval(parts: tuple[int, ...]) -> Any:
    months, days, micros = parts
    fits = abs(months) < _INT32 and abs(days) < _INT32 and abs(micros) < _INT64
    return (months, days, micros) if fits else UNKNOWN


def _divide(function: str, values: list[Any], kinds: list[SQLType], result: SQLType) -> Any:
    left, right = values
    if right == 0:
        return UNKNOWN
    if result.id is TypeId.DOUBLE and function == "/" and kinds[0].id is TypeId.DOUBLE:
        quotient = left / right
        return quotient if isfinite(quotient) else UNKNOWN
    if not (result.is_integer and kinds[0].is_integer):
        return UNKNOWN
    # SQL rounds towards zero and gives the remainder the dividend's sign.
    whole = abs(left) // abs(right)
    whole = -whole if (left < 0) != (right < 0) else whole
    return _checked(whole if function == "//" else left - whole * right, result)


def _negate(function: str, values: list[Any], kinds: list[SQLType], result: SQLType) -> Any:
    if result.id is TypeId.INTERVAL:
        return negated(values[0])
    if result.is_integer or result.is_decimal:
        return _checked(-values[0], result)
    return -values[0] if result.is_float else UNKNOWN


def _text(function: str, values: list[Any], kinds: list[SQLType], result: SQLType) -> Any:
    if not all(k.is_string for k in kinds):
        return UNKNOWN
    if function == "||":
        return "".join(values)
    text = values[0]
    # Other alphabets have case rules of their own.
    if not text.isascii():
        return UNKNOWN
    return text.lower() if function == "lower" else text.upper()


def _date_part(function: str, values: list[Any], kinds: list[SQLType], result: SQLType) -> Any:
    if kinds[0].id not in (TypeId.DATE, TypeId.TIMESTAMP):
        return UNKNOWN
    day = to_date(values[0] if kinds[0].id is TypeId.DATE else values[0] // DAY)
    return UNKNOWN if day is None else getattr(day, function)


# Function: (position in (months, days, microseconds), factor).
_UNITS = {
    "to_years": (0, 12),
    "to_months": (0, 1),
    "to_quarters": (0, 3),
    "to_weeks": (1, 7),
    "to_days": (1, 1),
    "to_hours": (2, 3_600_000_000),
    "to_minutes": (2, 60_000_000),
    "to_milliseconds": (2, 1_000),
    "to_microseconds": (2, 1),
}


def _unit(function: str, values: list[Any], kinds: list[SQLType], result: SQLType) -> Any:
    if not kinds[0].is_integer:
        return UNKNOWN
    position, factor = _UNITS[function]
    return _interval(tuple(values[0] * factor if i == position else 0 for i in range(3)))


Handler = Callable[[str, list[Any], list[SQLType], SQLType], Any]

_HANDLERS: dict[str, Handler] = {
    "+": _arithmetic,
    "-": _arithmetic,
    "*": _arithmetic,
    "/": _divide,
    "//": _divide,
    "%": _divide,
    "neg": _negate,
    "||": _text,
    "lower": _text,
    "upper": _text,
    "year": _date_part,
    "month": _date_part,
    "day": _date_part,
    **dict.fromkeys(_UNITS, _unit),
}
