"""Literal values: reading text as a value of a SQL type, casting literals, writing values as text.

Values have the literal forms of types.TYPES. What cannot be converted raises ValueError; the caller decides
whether that is an error now (a literal with its type written before it) or one at run time, where the row may
never be reached.
"""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from typing import Any

from .float_texts import format_float, to_float32
from .interval_text import parse_interval
from .nested_text import format_nested
from .temporal import (
    format_clock,
    format_date,
    format_interval,
    format_timestamp,
    parse_date,
    parse_time,
    parse_timestamp,
    parse_timestamptz,
)
from .types import (
    BIGINT,
    DOUBLE,
    HUGEINT,
    INTEGER,
    INTEGER_RANGES,
    MAX_DECIMAL_WIDTH,
    SQLType,
    TypeId,
    decimal,
)

_TRUE = frozenset({"true", "t", "yes", "y", "1"})
_FALSE = frozenset({"false", "f", "no", "n", "0"})
_NUMBER = re.compile(
    r"[+-]?(?P<whole>\d+(_\d+)*|(?=\.\d))(\.(\d+(_\d+)*)?)?([eE](?P<power>[+-]?\d+(_\d+)*))?(?P<end>\.?)",
    re.ASCII,
)
# What stands for the exponent of whole numbers and decimals.
_POWERS = range(-(2**15), 2**15)
_RADIX = re.compile(r"(?i)0x[0-9a-f]+(_[0-9a-f]+)*|0b[01]+(_[01]+)*")
_SURELY_INTEGER = len(str(INTEGER_RANGES[TypeId.INTEGER][1]))
_UNSIGNED = frozenset({TypeId.UTINYINT, TypeId.USMALLINT, TypeId.UINTEGER, TypeId.UBIGINT})
_BYTE = re.compile(rb"\\x([0-9A-Fa-f]{2})")


# Numbers ----------------------------------------------------------------------------------------------------
def numeric_literal(text: str) -> tuple[SQLType, Any]:
    """Type and value of a number in SQL text: INTEGER, BIGINT or HUGEINT by size, DECIMAL with a point,
    DOUBLE with an exponent or when too long.

    >>> [str(numeric_literal(t)[0]) for t in ("1", "3000000000", "0.05", "1e3")]
    ['INTEGER', 'BIGINT', 'DECIMAL(3,2)', 'DOUBLE']
    """
    text = text.replace("_", "") if "_" in text else text
    if text.isdecimal() and len(text) < _SURELY_INTEGER:
        return INTEGER, int(text)
    if "e" in text.lower():
        return DOUBLE, float(text)
    if "." not in text:
        value = int(text)
        for kind in (INTEGER, BIGINT, HUGEINT):
            low, high = INTEGER_RANGES[kind.id]
            if low <= value <= high:
                return kind, value
        return DOUBLE, float(text)
    whole, _, fraction = text.partition(".")
    width = len(whole) + len(fraction)
    if width > MAX_DECIMAL_WIDTH:
        return DOUBLE, float(text)
    return decimal(width, len(fraction)), int(whole + fraction)


def round_half_away(numerator: int, denominator: int) -> int:
    """Nearest integer of a quotient, halves away from zero; the denominator is positive.

    >>> round_half_away(-5, 2), round_half_away(7, 3)
    (-3, 2)
    """
    quotient, rest = divmod(abs(numerator), denominator)
    quotient += 2 * rest >= denominator
    return -quotient if numerator < 0 else quotient


def _checked_integer(value: int, target: SQLType) -> int:
    low, high = INTEGER_RANGES[target.id]
    if not low <= value <= high:
        raise ValueError("out of range")
    return value


def _checked_decimal(value: int, target: SQLType) -> int:
    if abs(value) >= 10**target.width:
        raise ValueError("out of range")
    return value


def rescale(value: int, scale: int, target: SQLType) -> int:
    """A scaled integer at the scale of DECIMAL `target`, rounded half away from zero.

    >>> rescale(125, 2, decimal(4, 1))
    13
    """
    if target.scale >= scale:
        return _checked_decimal(value * 10 ** (target.scale - scale), target)
    return _checked_decimal(round_half_away(value, 10 ** (scale - target.scale)), target)


def _exact(text: str, target: SQLType) -> tuple[int, int]:
    """(scaled value, scale) of a whole number or a decimal in text; 0x1F and 0b11 are whole numbers too."""
    # As in DuckDB spaces may follow digits of ten only, and a point an exponent; and what stands before the
    # point must be in the range of a decimal, whatever the exponent.
    if target.is_integer and _RADIX.fullmatch(text.lstrip()):
        return int(text.strip().replace("_", ""), 0), 0
    stripped = text.strip()
    match = _NUMBER.fullmatch(stripped)
    if not match or (match["end"] and not match["power"]):
        raise ValueError("it is no number")
    if match["power"] and int(match["power"]) not in _POWERS:
        raise ValueError("out of range")
    whole = match["whole"].replace("_", "").lstrip("0")
    if target.is_decimal and len(whole) > target.width - target.scale:
        raise ValueError("out of range")
    try:
        number = Decimal(stripped.replace("_", "").rstrip("."))
    except InvalidOperation:
        raise ValueError("it is no number") from None
    sign, digits, exponent = number.as_tuple()
    assert isinstance(exponent, int)
    if not any(digits):
        return 0, int(exponent < 0)
    if exponent > 400 or len(digits) > 4000:
        raise ValueError("out of range")
    if len(digits) + exponent < -MAX_DECIMAL_WIDTH:
        # Below half a unit of the last place of any type; its own scale could be astronomical.
        return 0, 1
    value = int("".join(map(str, digits)))
    value = -value if sign else value
    return (value * 10**exponent, 0) if exponent > 0 else (value, -exponent)


def _parse_float(text: str) -> float:
    stripped = text.strip()
    # DuckDB takes one plus away before it reads a sign.
    stripped = stripped[1:] if stripped.startswith("+-") else stripped
    match = _NUMBER.fullmatch(stripped)
    plain = match and not match["end"]
    if not plain and stripped.lower().lstrip("+-") not in ("inf", "infinity", "nan"):
        raise ValueError("it is no number")
    return float(stripped)


def _parse_boolean(text: str) -> bool:
    lowered = text.lower()
    if lowered in _TRUE:
        return True
    if lowered in _FALSE:
        return False
    raise ValueError("it is neither true nor false")


def parse_blob(text: str) -> bytes:
    r"""Bytes of text with \xAB escapes; other characters must be ASCII.

    >>> parse_blob(r"a\x00")
    b'a\x00'
    """
    if not text.isascii():
        raise ValueError("bytes beyond ASCII are written as \\xAB")
    raw = text.encode("ascii")
    if b"\\" in _BYTE.sub(b"", raw):
        raise ValueError("bytes are written as \\xAB")
    return _BYTE.sub(lambda m: bytes([int(m[1], 16)]), raw)


def parse_text(text: str, target: SQLType) -> Any:
    """The value of type `target` that a string stands for, as CAST reads it. Raises ValueError.

    >>> from .types import DATE
    >>> parse_text("1970-01-31", DATE), parse_text("1.255", decimal(5, 2))
    (30, 126)
    """
    kind = target.id
    if target.is_integer:
        value, scale = _exact(text, target)
        bare = text.lstrip()
        # Of texts with a sign the unsigned types take a plain -0 only.
        if target.id in _UNSIGNED and bare.startswith("-") and not bare[1:].isdecimal():
            raise ValueError("out of range")
        return _checked_integer(round_half_away(value, 10**scale), target)
    if target.is_decimal:
        return rescale(*_exact(text, target), target)
    match kind:
        case TypeId.VARCHAR:
            return text
        case TypeId.DOUBLE:
            return _parse_float(text)
        case TypeId.FLOAT:
            return to_float32(_parse_float(text))
        case TypeId.BOOLEAN:
            return _parse_boolean(text)
        case TypeId.DATE:
            return parse_date(text)
        case TypeId.TIME:
            return parse_time(text)
        case TypeId.TIMESTAMP:
            return parse_timestamp(text)
        case TypeId.TIMESTAMP_NS:
            return parse_timestamp(text, 9)
        case TypeId.TIMESTAMP_MS:
            return round_half_away(parse_timestamp(text), 1000)
        case TypeId.TIMESTAMP_S:
            return round_half_away(parse_timestamp(text), 1_000_000)
        case TypeId.TIMESTAMPTZ:
            return parse_timestamptz(text)
        case TypeId.INTERVAL:
            return parse_interval(text)
        case TypeId.BLOB:
            return parse_blob(text)
    raise ValueError(f"no text stands for a value of type {target}")


# Casting literals -------------------------------------------------------------------------------------------
_STAMP_UNITS = {
    TypeId.TIMESTAMP_S: 1,
    TypeId.TIMESTAMP_MS: 1000,
    TypeId.TIMESTAMP: 1_000_000,
    TypeId.TIMESTAMPTZ: 1_000_000,
    TypeId.TIMESTAMP_NS: 1_000_000_000,
}


def cast_value(value: Any, source: SQLType, target: SQLType) -> Any:
    """The literal `value` of type `source` as type `target`: only the casts that the binder inserts for
    literals. Raises ValueError where the value does not fit, KeyError-free: unknown pairs raise ValueError
    too.
    """
    if value is None or source == target:
        return value
    if source.is_nested or target.is_nested:
        raise ValueError("nested values are cast when they are needed")
    if source.is_string:
        return parse_text(value, target)
    if source.is_integer or source.is_decimal:
        if target.is_integer:
            return _checked_integer(round_half_away(value, 10**source.scale), target)
        if target.is_decimal:
            return rescale(value, source.scale, target)
        if target.is_float:
            number = value / 10**source.scale if source.scale else float(value)
            return to_float32(number) if target.id is TypeId.FLOAT else number
    if source.is_float and target.id is TypeId.DOUBLE:
        return value
    if source.id is TypeId.DATE and target.id in _STAMP_UNITS:
        return value * 86_400 * _STAMP_UNITS[target.id]
    raise ValueError(f"a literal of type {source} is not cast to {target} here")


# Writing ----------------------------------------------------------------------------------------------------
def format_decimal(value: int, scale: int, *, whole_digits: bool = True) -> str:
    """A scaled integer with its point. Without `whole_digits` (a DECIMAL as wide as its scale) there is no 0
    before it.

    >>> format_decimal(-5, 2), format_decimal(-5, 2, whole_digits=False)
    ('-0.05', '-.05')
    """
    if not scale:
        return str(value)
    digits = f"{abs(value):0{scale + whole_digits}d}"
    return f"{'-' if value < 0 else ''}{digits[:-scale]}.{digits[-scale:]}"


def format_blob(value: bytes) -> str:
    r"""Bytes as text: printable ASCII as it is, the rest as \xAB."""
    return "".join(chr(b) if 32 <= b < 127 and b not in b"\\'\"" else f"\\x{b:02X}" for b in value)


def format_value(value: Any, kind: SQLType) -> str:
    """A literal value as text, as CAST to VARCHAR writes it; NULL for None.

    >>> from .types import DATE
    >>> format_value(0, DATE)
    '1970-01-01'
    """
    if value is None:
        return "NULL"
    if kind.is_nested:
        return format_nested(value, kind, format_value)
    if kind.is_decimal:
        return format_decimal(value, kind.scale, whole_digits=kind.width > kind.scale)
    match kind.id:
        case TypeId.BOOLEAN:
            return "true" if value else "false"
        case TypeId.DOUBLE | TypeId.FLOAT:
            return format_float(value, single=kind.id is TypeId.FLOAT)
        case TypeId.DATE:
            return format_date(value)
        case TypeId.TIME:
            return format_clock(value)
        case TypeId.TIMESTAMP:
            return format_timestamp(value)
        case TypeId.TIMESTAMP_S:
            return format_timestamp(value, 0)
        case TypeId.TIMESTAMP_MS:
            return format_timestamp(value, 3)
        case TypeId.TIMESTAMP_NS:
            return format_timestamp(value, 9)
        case TypeId.TIMESTAMPTZ:
            return format_timestamp(value) + "+00"
        case TypeId.INTERVAL:
            return format_interval(value)
        case TypeId.BLOB:
            return format_blob(value)
    return str(value)


def format_literal(value: Any, kind: SQLType) -> str:
    """A literal as SQL text, for plans and messages: quoted where its type needs quotes.

    >>> from .types import DATE, VARCHAR
    >>> format_literal("it's", VARCHAR), format_literal(0, DATE)
    ("'it''s'", "DATE '1970-01-01'")
    """
    if kind.is_decimal and value is not None:
        return format_decimal(value, kind.scale)
    text = format_value(value, kind)
    if kind.id is TypeId.BOOLEAN:
        return text.upper()
    if value is None or kind.is_numeric:
        return text
    quoted = "'" + text.replace("'", "''") + "'"
    return quoted if kind.is_string else f"{kind} {quoted}"
