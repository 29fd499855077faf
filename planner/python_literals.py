"""Python values as literals: which SQL type each has by itself, and its form there (see `expr.Literal`)."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

from .coercion import IntegerLiteral
from .literals import numeric_literal
from .temporal import US_SECOND, days_from_civil
from .types import (
    BLOB,
    BOOLEAN,
    DATE,
    DOUBLE,
    INTERVAL,
    MAX_DECIMAL_WIDTH,
    NULL,
    TIME,
    TIMESTAMP,
    TIMESTAMPTZ,
    VARCHAR,
    SQLType,
    decimal,
)


class NoLiteral(TypeError):
    """No SQL type stands for the class of a Python value; the argument is its name."""


def python_literal(value: Any) -> tuple[SQLType, Any]:
    """Type and literal form of a Python value or NumPy scalar. Whole numbers have the type of such a number
    in SQL text. Raises NoLiteral for values of other classes and decimals of more than 38 digits,
    UnicodeError for text that has no UTF-8 form, OverflowError for whole numbers beyond all doubles.

    >>> str(python_literal(Decimal("1.50"))[0]), python_literal(Decimal("1.50"))[1]
    ('DECIMAL(3,2)', 150)
    """
    match value:
        case None:
            return NULL, None
        case bool():
            return BOOLEAN, value
        case int():
            if abs(value) >= 10**MAX_DECIMAL_WIDTH:
                return DOUBLE, float(value)
            # int() of a subclass such as an IntEnum: its text is not its number.
            kind, number = numeric_literal(str(abs(int(value))))
            return (kind, number) if value >= 0 else negated(kind, number)
        case float():
            return DOUBLE, float(value)
        case str():
            value.encode()
            return VARCHAR, str(value)
        case bytes() | bytearray() | memoryview():
            return BLOB, bytes(value)
        case Decimal() if value.is_finite() and abs(value.adjusted()) <= MAX_DECIMAL_WIDTH:
            sign, digits, exponent = value.as_tuple()
            assert isinstance(exponent, int)
            scale = max(0, -exponent)
            number = int("".join(map(str, digits))) * 10 ** max(0, exponent)
            width = max(len(str(number)), scale, 1)
            if width <= MAX_DECIMAL_WIDTH:
                return decimal(width, scale), -number if sign else number
        case datetime():
            zoned = value.tzinfo is not None
            offset = value.utcoffset() if zoned else None
            plain = value.replace(tzinfo=None) - (offset or timedelta())
            since = plain - datetime(1970, 1, 1)
            return (TIMESTAMPTZ if zoned else TIMESTAMP), since // timedelta(microseconds=1)
        case date():
            return DATE, days_from_civil(value.year, value.month, value.day)
        case time():
            seconds = (value.hour * 60 + value.minute) * 60 + value.second
            return TIME, seconds * US_SECOND + value.microsecond
        case timedelta():
            rest = value - timedelta(days=value.days)
            return INTERVAL, (0, value.days, rest // timedelta(microseconds=1))
        case UUID():
            return VARCHAR, str(value)
    scalar = _numpy_scalar(value)
    if scalar is not None:
        return python_literal(scalar)
    raise NoLiteral(type(value).__name__)


def _numpy_scalar(value: Any) -> Any:
    """The Python value of a NumPy scalar; None of anything else."""
    item = getattr(value, "item", None)
    if not callable(item) or getattr(value, "shape", None) != ():
        return None
    if value.dtype.kind in "mM":
        # Of nanoseconds item() makes a bare number.
        return value.astype(f"{value.dtype.kind}8[us]").item()
    return item()


def negated(kind: SQLType, value: Any) -> tuple[SQLType, Any]:
    """Type and form of minus a literal number; whole ones stay as flexible as they are in SQL text."""
    return (IntegerLiteral(-value).type if kind.is_integer else kind), -value
