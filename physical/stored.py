"""What both devices know of stored values: DECIMAL and HUGEINT are scaled integers of 64 or 128 bits, and
dates and times are integers.
"""

from __future__ import annotations

from decimal import Context, Decimal

from ..planner import messages_values as messages
from ..planner.errors import SqlError
from ..planner.types import INTEGER_RANGES, SQLType, TypeId

INT64_LOW, INT64_HIGH = -(2**63), 2**63 - 1
# Decimal's default context rounds to 28 digits.
_WIDE = Context(prec=80)
# Inclusive low and high.
Bounds = tuple[int, int]

_PHYSICAL_NAMES: dict[TypeId, str] = {
    TypeId.TINYINT: "INT8",
    TypeId.SMALLINT: "INT16",
    TypeId.INTEGER: "INT32",
    TypeId.BIGINT: "INT64",
    TypeId.HUGEINT: "INT128",
    TypeId.UTINYINT: "UINT8",
    TypeId.USMALLINT: "UINT16",
    TypeId.UINTEGER: "UINT32",
    TypeId.UBIGINT: "UINT64",
    TypeId.FLOAT: "FLOAT",
    TypeId.DOUBLE: "DOUBLE",
    TypeId.BOOLEAN: "BOOL",
}

_TEMPORAL_BITS: dict[TypeId, int] = {
    TypeId.DATE: 32,
    TypeId.TIME: 64,
    TypeId.TIMESTAMP: 64,
    TypeId.TIMESTAMP_S: 64,
    TypeId.TIMESTAMP_MS: 64,
    TypeId.TIMESTAMP_NS: 64,
    TypeId.TIMESTAMPTZ: 64,
}


def may_be_wide(type_: SQLType) -> bool:
    """Whether a column of the type can be stored as decimal128."""
    return type_.id is TypeId.HUGEINT or (type_.id is TypeId.DECIMAL and type_.width > 18)


def stored_range(type_: SQLType) -> Bounds | None:
    """Inclusive range of the stored integers of a type; None where values are not integers."""
    if type_.id is TypeId.DECIMAL:
        limit = 10**type_.width - 1
        return -limit, limit
    if type_.id in INTEGER_RANGES:
        return INTEGER_RANGES[type_.id]
    bits = _TEMPORAL_BITS.get(type_.id)
    return None if bits is None else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


def values_range(type_: SQLType) -> Bounds:
    """As `stored_range`, of a type whose values are integers."""
    found = stored_range(type_)
    assert found is not None, type_
    return found


def range_of(symbol: str, left: Bounds, right: Bounds) -> Bounds:
    """The exact range of `left symbol right` for + - *.

    >>> range_of("-", (0, 5), (2, 3))
    (-3, 3)
    """
    (a, b), (c, d) = left, right
    if symbol == "+":
        return a + c, b + d
    if symbol == "-":
        return a - d, b - c
    products = (a * c, a * d, b * c, b * d)
    return min(products), max(products)


def physical_name(type_: SQLType) -> str:
    """The name by which messages about ranges call a type: INT32 for INTEGER, DECIMAL(18) for
    DECIMAL(18,4).
    """
    if type_.id is TypeId.DECIMAL:
        return f"DECIMAL({type_.width})"
    return _PHYSICAL_NAMES.get(type_.id, str(type_))


def to_decimal(value: float, scale: int) -> Decimal:
    """The scaled integer `value` as an exact Decimal."""
    return Decimal(value).scaleb(-scale, _WIDE)


def to_scaled(value: Decimal, scale: int) -> int:
    """The Decimal as the integer that it is stored as."""
    return int(value.scaleb(scale, _WIDE))


def cast_error(source: SQLType, value: float, target: SQLType) -> SqlError:
    """The error of a number that the target of a cast cannot hold; `value` as it is stored: decimals are
    scaled integers.
    """
    if not (source.is_decimal or target.is_decimal):
        return messages.cast_out_of_range(physical_name(source), value, physical_name(target))
    shown: object = value
    if source.is_decimal:
        shown = format(to_decimal(value, source.scale), "f")
    elif source.is_float:
        shown = f"{value:f}"  # with six digits after the point
    return messages.cast_unfit(shown, str(target) if target.is_decimal else physical_name(target))
