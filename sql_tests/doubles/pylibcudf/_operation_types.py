"""Which operators exist for which types: what the C++ expression gives, and what that converts to."""

from __future__ import annotations

from .types import TypeId

INTEGERS = frozenset(TypeId[f"{sign}INT{width}"] for sign in ("", "U") for width in (8, 16, 32, 64))
FLOATS = frozenset((TypeId.FLOAT32, TypeId.FLOAT64))
WHOLE = INTEGERS | {TypeId.BOOL8}
NUMERIC = WHOLE | FLOATS
DECIMALS = frozenset((TypeId.DECIMAL32, TypeId.DECIMAL64, TypeId.DECIMAL128))
UNITS = ("DAYS", "SECONDS", "MILLISECONDS", "MICROSECONDS", "NANOSECONDS")
TIMESTAMPS = frozenset(TypeId[f"TIMESTAMP_{unit}"] for unit in UNITS)
DURATIONS = frozenset(TypeId[f"DURATION_{unit}"] for unit in UNITS)
COMPARISONS = frozenset(
    (
        "EQUAL",
        "NOT_EQUAL",
        "LESS",
        "GREATER",
        "LESS_EQUAL",
        "GREATER_EQUAL",
        "NULL_EQUALS",
        "NULL_NOT_EQUALS",
    )
)
LOGICAL = frozenset(("LOGICAL_AND", "LOGICAL_OR", "NULL_LOGICAL_AND", "NULL_LOGICAL_OR"))
_REAL = frozenset(("TRUE_DIV", "POW", "LOG_BASE", "ATAN2"))
_WHOLE_ONLY = frozenset(
    (
        "INT_POW",
        "SHIFT_LEFT",
        "SHIFT_RIGHT",
        "SHIFT_RIGHT_UNSIGNED",
        "BITWISE_AND",
        "BITWISE_OR",
        "BITWISE_XOR",
    )
)
_NO_DECIMALS = frozenset(("FLOOR_DIV",))


def unit(kind: TypeId) -> str:
    """
    >>> unit(TypeId.TIMESTAMP_DAYS)
    'DAYS'
    """
    return kind.name.split("_", 1)[1]


def finer(a: TypeId, b: TypeId) -> str:
    """The finer of two types' units."""
    return UNITS[max(UNITS.index(unit(a)), UNITS.index(unit(b)))]


def intermediate(operator: str, left: TypeId, right: TypeId) -> TypeId | None:
    """The type of the expression before it is stored: INT64 for any integer, FLOAT64 for any float, BOOL8 for
    what can be stored as a boolean only; None where there is no such operator.
    """
    if operator in COMPARISONS:
        return TypeId.BOOL8 if _comparable(left, right) else None
    if operator in LOGICAL:
        return TypeId.BOOL8 if {left, right} <= NUMERIC | DECIMALS else None
    if {left, right} <= NUMERIC:
        return _numeric(operator, left, right)
    if operator in _REAL | _WHOLE_ONLY:
        return None
    if {left, right} & DECIMALS:
        if operator in _NO_DECIMALS or operator in ("GENERIC_BINARY", "INVALID_BINARY"):
            return None
        same = left is right or left in NUMERIC or right in NUMERIC
        return (left if left in DECIMALS else right) if same else None
    return _times(operator, left, right)


def _comparable(left: TypeId, right: TypeId) -> bool:
    for group in (TIMESTAMPS, DURATIONS):
        if {left, right} <= group:
            return True
    if left is right is TypeId.STRING:
        return True
    decimals = {left, right} & DECIMALS
    return {left, right} <= NUMERIC | DECIMALS and len(decimals) < 2


def _numeric(operator: str, left: TypeId, right: TypeId) -> TypeId | None:
    if operator in ("GENERIC_BINARY", "INVALID_BINARY"):
        return None
    if operator in _REAL:
        return TypeId.FLOAT64
    if {left, right} & FLOATS:
        return None if operator in _WHOLE_ONLY else TypeId.FLOAT64
    if operator == "SHIFT_RIGHT_UNSIGNED" and left is right is TypeId.BOOL8:
        return None
    return TypeId.INT64


def _times(operator: str, left: TypeId, right: TypeId) -> TypeId | None:
    if left in DURATIONS and right in DURATIONS:
        if operator == "DIV":
            return TypeId.INT64
        known = operator in ("ADD", "SUB", "MOD", "PYMOD", "NULL_MAX", "NULL_MIN")
        return TypeId[f"DURATION_{finer(left, right)}"] if known else None
    if left in TIMESTAMPS and right in TIMESTAMPS:
        if operator == "SUB":
            return TypeId[f"DURATION_{finer(left, right)}"]
        return TypeId[f"TIMESTAMP_{finer(left, right)}"] if operator in ("NULL_MAX", "NULL_MIN") else None
    if {left, right} <= TIMESTAMPS | DURATIONS:
        known = operator == "ADD" or (operator == "SUB" and left in TIMESTAMPS)
        return TypeId[f"TIMESTAMP_{finer(left, right)}"] if known else None
    if left in DURATIONS and right in WHOLE and operator in ("MUL", "DIV", "MOD"):
        return left
    if left in WHOLE and right in DURATIONS and operator == "MUL":
        return right
    return None


def reachable(found: TypeId) -> frozenset[TypeId]:
    """The types that an intermediate can be stored as."""
    if found is TypeId.BOOL8:
        return frozenset((TypeId.BOOL8,))
    if found is TypeId.INT64:
        return NUMERIC | DURATIONS | DECIMALS
    if found is TypeId.FLOAT64:
        return NUMERIC
    if found in DECIMALS:
        return WHOLE | DECIMALS
    units = UNITS[UNITS.index(unit(found)) :]
    groups = ("TIMESTAMP",) if found in TIMESTAMPS else ("TIMESTAMP", "DURATION")
    return frozenset(TypeId[f"{group}_{name}"] for group in groups for name in units)
