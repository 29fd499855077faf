"""Values written into texts: printf, format and numbers for people."""

from __future__ import annotations

from ..types import BIGINT, BOOLEAN, DOUBLE, HUGEINT, NULL, UBIGINT, VARCHAR, SQLType, TypeId
from .signature import ANY, BoundTypes, Overload, ScalarFunction, Values


def _formatted(kinds: tuple[SQLType, ...], values: Values) -> BoundTypes:
    return BoundTypes((VARCHAR, *map(_written, kinds[1:])), VARCHAR)


def _written(kind: SQLType) -> SQLType:
    """As what a value reaches the format: a truth value, a whole number, a DOUBLE or a text."""
    if kind in (BOOLEAN, HUGEINT, UBIGINT):
        return kind
    if kind.is_integer:
        return BIGINT
    if kind.is_numeric:
        return DOUBLE
    return NULL if kind.id is TypeId.NULL else VARCHAR


_FORMAT = (Overload((VARCHAR,), None, variadic=ANY, bind=_formatted),)
_SIZE = (Overload((BIGINT,), VARCHAR),)
_BAR = (DOUBLE, DOUBLE, DOUBLE)

FUNCTIONS = (
    ScalarFunction("printf", _FORMAT, "Values in a format of C, e.g. '%5.2f'", can_fail=True),
    ScalarFunction("format", _FORMAT, "Values in a format of the library fmt, e.g. '{:5.2f}'", can_fail=True),
    ScalarFunction(
        "format_bytes",
        _SIZE,
        "A number of bytes for people, e.g. 1.5 KiB",
        ("formatreadablesize", "pg_size_pretty"),
    ),
    ScalarFunction("formatreadabledecimalsize", _SIZE, "A number of bytes for people, e.g. 1.5 kB"),
    ScalarFunction(
        "bar",
        (Overload(_BAR, VARCHAR), Overload((*_BAR, DOUBLE), VARCHAR)),
        "A bar as long as x is between a least and a largest value, of a width (80)",
        can_fail=True,
    ),
)
