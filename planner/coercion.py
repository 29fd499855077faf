"""Implicit casts, their costs, and common types: DuckDB's rules.

A literal is more flexible than a column of the same type: an integer literal takes any integer type that
holds its value, a string literal takes any type at all. `ArgType` keeps that knowledge beside the plain
types.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce

from .expr import Expr, Literal
from .types import (
    BIGINT,
    DOUBLE,
    FLOAT,
    HUGEINT,
    INTEGER,
    INTEGER_RANGES,
    MAX_DECIMAL_WIDTH,
    NULL,
    VARCHAR,
    SQLType,
    TypeId,
    decimal,
)


@dataclass(frozen=True, slots=True)
class IntegerLiteral:
    """Type of an integer literal: INTEGER, BIGINT or HUGEINT, or any integer type that holds `value`."""

    value: int

    @property
    def type(self) -> SQLType:
        """The type it has when nothing else decides."""
        # -2147483648 is a BIGINT: it is 2147483648 negated.
        if abs(self.value) <= INTEGER_RANGES[TypeId.INTEGER][1]:
            return INTEGER
        return BIGINT if self.fits(BIGINT) else HUGEINT

    def fits(self, target: SQLType) -> bool:
        """Whether `target` is an integer type that holds the value."""
        low, high = INTEGER_RANGES.get(target.id, (1, 0))
        return low <= self.value <= high

    def __str__(self) -> str:
        return str(self.type)


@dataclass(frozen=True, slots=True)
class StringLiteral:
    """Type of a string literal: VARCHAR, or whatever it is used as."""

    @property
    def type(self) -> SQLType:
        """VARCHAR, until it is used as something else."""
        return VARCHAR

    def __str__(self) -> str:
        return "VARCHAR"


ArgType = SQLType | IntegerLiteral | StringLiteral
STRING_LITERAL = StringLiteral()


def arg_type(expr: Expr) -> ArgType:
    """The type of an expression, with the flexibility of a literal where it is one."""
    if isinstance(expr, Literal) and expr.value is not None:
        if expr.type.id is TypeId.VARCHAR:
            return STRING_LITERAL
        if expr.type in (INTEGER, BIGINT, HUGEINT):
            literal = IntegerLiteral(expr.value)
            return literal if literal.type == expr.type else expr.type
    return expr.type


def settled(kind: ArgType) -> SQLType:
    """The plain type: what a literal is by itself."""
    return kind if isinstance(kind, SQLType) else kind.type


# Costs ------------------------------------------------------------------------------------------------------
# Cost of an implicit cast by its target. Only the order and the ties matter: BIGINT is preferred to INTEGER
# to HUGEINT to DOUBLE, TIMESTAMP_NS to TIMESTAMP. A call whose best cost two overloads share is ambiguous.
_TARGET_COST: dict[TypeId, int] = {
    TypeId.BIGINT: 101,
    TypeId.INTEGER: 102,
    TypeId.HUGEINT: 103,
    TypeId.DOUBLE: 104,
    TypeId.DECIMAL: 105,
    TypeId.TIMESTAMP_NS: 119,
    TypeId.TIMESTAMP: 120,
    TypeId.TIMESTAMP_MS: 121,
    TypeId.TIMESTAMP_S: 122,
    TypeId.TIMESTAMPTZ: 123,
    TypeId.VARCHAR: 149,
}
_DEFAULT_COST = 110
_STRING_COST = 20
_INTEGER_COST = 5
_REAL = frozenset({TypeId.FLOAT, TypeId.DOUBLE, TypeId.DECIMAL})

_T = TypeId
_IMPLICIT: dict[TypeId, frozenset[TypeId]] = {
    _T.TINYINT: frozenset({_T.SMALLINT, _T.INTEGER, _T.BIGINT, _T.HUGEINT}) | _REAL,
    _T.SMALLINT: frozenset({_T.INTEGER, _T.BIGINT, _T.HUGEINT}) | _REAL,
    _T.INTEGER: frozenset({_T.BIGINT, _T.HUGEINT}) | _REAL,
    _T.BIGINT: frozenset({_T.HUGEINT}) | _REAL,
    _T.HUGEINT: _REAL,
    _T.UTINYINT: frozenset({_T.USMALLINT, _T.UINTEGER, _T.UBIGINT, _T.SMALLINT})
    | frozenset({_T.INTEGER, _T.BIGINT, _T.HUGEINT})
    | _REAL,
    _T.USMALLINT: frozenset({_T.UINTEGER, _T.UBIGINT, _T.INTEGER, _T.BIGINT, _T.HUGEINT}) | _REAL,
    _T.UINTEGER: frozenset({_T.UBIGINT, _T.BIGINT, _T.HUGEINT}) | _REAL,
    _T.UBIGINT: frozenset({_T.HUGEINT}) | _REAL,
    _T.FLOAT: frozenset({_T.DOUBLE}),
    _T.DECIMAL: frozenset({_T.FLOAT, _T.DOUBLE}),
    _T.DATE: frozenset({_T.TIMESTAMP, _T.TIMESTAMP_S, _T.TIMESTAMP_MS, _T.TIMESTAMP_NS, _T.TIMESTAMPTZ}),
    _T.TIMESTAMP: frozenset({_T.TIMESTAMP_NS, _T.TIMESTAMPTZ}),
    _T.TIMESTAMP_S: frozenset({_T.TIMESTAMP, _T.TIMESTAMP_MS, _T.TIMESTAMP_NS, _T.TIMESTAMPTZ}),
    _T.TIMESTAMP_MS: frozenset({_T.TIMESTAMP, _T.TIMESTAMP_NS, _T.TIMESTAMPTZ}),
    _T.TIMESTAMP_NS: frozenset({_T.TIMESTAMP}),
}  # fmt: skip


def implicit_cost(source: ArgType, target: SQLType) -> int | None:
    """Cost of using a value of type `source` where `target` is wanted: 0 for the same type, None where only
    an explicit cast would do.

    DECIMAL matches DECIMAL of any width and scale at no cost.

    >>> from .types import DATE
    >>> implicit_cost(INTEGER, BIGINT), implicit_cost(BIGINT, INTEGER), implicit_cost(STRING_LITERAL, DATE)
    (101, None, 20)
    """
    if isinstance(source, StringLiteral):
        return 1 if target.id is TypeId.VARCHAR else _STRING_COST
    cost = _TARGET_COST.get(target.id, _DEFAULT_COST)
    if isinstance(source, IntegerLiteral):
        if source.type == target:
            return _INTEGER_COST
        if source.fits(target):
            return cost - 90
        source = source.type
    if source.id is TypeId.NULL:
        return cost
    if source == target or (source.is_decimal and target.is_decimal):
        return 0
    if source.is_nested and target.id is source.id:
        return _nested_cost(source, target)
    return cost if target.id in _IMPLICIT.get(source.id, ()) else None


def _nested_cost(source: SQLType, target: SQLType) -> int | None:
    """The dearest of the members' casts."""
    if len(source.fields) != len(target.fields):
        return None
    costs = [implicit_cost(a, b) for (_, a), (_, b) in zip(source.fields, target.fields, strict=True)]
    return None if None in costs else max((cost for cost in costs if cost is not None), default=0)


# Common types -----------------------------------------------------------------------------------------------
_INTEGER_WIDTH = {
    _T.TINYINT: 3, _T.SMALLINT: 5, _T.INTEGER: 10, _T.BIGINT: 19, _T.HUGEINT: 38,
    _T.UTINYINT: 3, _T.USMALLINT: 5, _T.UINTEGER: 10, _T.UBIGINT: 20,
}  # fmt: skip
_SIGNED = (_T.TINYINT, _T.SMALLINT, _T.INTEGER, _T.BIGINT, _T.HUGEINT)
_UNSIGNED = (_T.UTINYINT, _T.USMALLINT, _T.UINTEGER, _T.UBIGINT)
# Later entries win where types are mixed by force (set operations, equality).
_FORCE_ORDER = (
    _T.BOOLEAN, *_SIGNED, *_UNSIGNED, _T.DECIMAL, _T.FLOAT, _T.DOUBLE, _T.TIME, _T.DATE,
    _T.TIMESTAMP_S, _T.TIMESTAMP_MS, _T.TIMESTAMP, _T.TIMESTAMPTZ,
    _T.TIMESTAMP_NS, _T.INTERVAL, _T.VARCHAR, _T.BLOB,
)  # fmt: skip
_TIMESTAMP_ORDER = (_T.DATE, _T.TIMESTAMP_S, _T.TIMESTAMP_MS, _T.TIMESTAMP, _T.TIMESTAMP_NS)


def decimal_shape(kind: SQLType) -> tuple[int, int] | None:
    """(width, scale) of the DECIMAL that holds every value of a DECIMAL or integer type; None for other
    types."""
    if kind.is_decimal:
        return kind.width, kind.scale
    width = _INTEGER_WIDTH.get(kind.id)
    return None if width is None else (width, 0)


def _common_integer(left: SQLType, right: SQLType) -> SQLType:
    if (left.id in _SIGNED) == (right.id in _SIGNED):
        order = _SIGNED if left.id in _SIGNED else _UNSIGNED
        return max(left, right, key=lambda t: order.index(t.id))
    signed, unsigned = (left, right) if left.id in _SIGNED else (right, left)
    needed = _UNSIGNED.index(unsigned.id) + 1
    return SQLType(_SIGNED[max(_SIGNED.index(signed.id), needed)])


def _common_decimal(left: SQLType, right: SQLType) -> SQLType:
    shapes = [s for s in (decimal_shape(left), decimal_shape(right)) if s is not None]
    scale = max(s for _, s in shapes)
    digits = max(w - s for w, s in shapes)
    if left.is_decimal and right.is_decimal:
        # Digits before the point are kept, those behind it give way.
        scale = min(scale, MAX_DECIMAL_WIDTH - digits)
    return decimal(min(MAX_DECIMAL_WIDTH, digits + scale), scale)


def _common_plain(left: SQLType, right: SQLType) -> SQLType | None:
    if left == right or right.id is TypeId.NULL:
        return left
    if left.id is TypeId.NULL:
        return right
    ids = {left.id, right.id}
    if left.is_nested and right.is_nested:
        return _common_nested(left, right, _common_plain)
    if left.is_numeric and right.is_numeric:
        if TypeId.DOUBLE in ids:
            return DOUBLE
        if TypeId.FLOAT in ids:
            return FLOAT
        if TypeId.DECIMAL in ids:
            return _common_decimal(left, right)
        return _common_integer(left, right)
    if TypeId.BOOLEAN in ids:
        other = right if left.id is TypeId.BOOLEAN else left
        return other if other.is_integer else None
    if ids <= set(_TIMESTAMP_ORDER):
        return max(left, right, key=lambda t: _TIMESTAMP_ORDER.index(t.id))
    if TypeId.TIMESTAMPTZ in ids:
        other = right if left.id is TypeId.TIMESTAMPTZ else left
        if other.id in _TIMESTAMP_ORDER and other.id is not TypeId.TIMESTAMP_NS:
            return left if other is right else right
    return None


def _common_nested(
    left: SQLType, right: SQLType, common: Callable[[SQLType, SQLType], SQLType | None]
) -> SQLType | None:
    """Lists, maps and structs member by member; fields of structs are matched by their names."""
    if left.id is not right.id:
        return None
    others = right.fields
    if left.is_struct:
        if left.is_tuple or right.is_tuple:
            if len(left.fields) != len(others):
                return None
            others = tuple((name, kind) for (name, _), (_, kind) in zip(left.fields, others, strict=True))
        return _common_struct(left, others, common)
    fields = []
    for (name, one), (_, two) in zip(left.fields, others, strict=True):
        kind = common(one, two)
        if kind is None:
            return None
        fields.append((name, kind))
    return SQLType(left.id, fields=tuple(fields))


def _common_struct(
    left: SQLType,
    others: tuple[tuple[str, SQLType], ...],
    common: Callable[[SQLType, SQLType], SQLType | None],
) -> SQLType | None:
    """The fields of both sides: those of one side only are NULL in values of the other."""
    named = {name.lower(): kind for name, kind in others}
    if left.is_tuple:
        kinds = [common(one, two) for (_, one), (_, two) in zip(left.fields, others, strict=True)]
        pairs = [(name, kind) for (name, _), kind in zip(left.fields, kinds, strict=True)]
    else:
        known = {name.lower() for name, _ in left.fields}
        pairs = [
            (name, common(kind, named[name.lower()]) if name.lower() in named else kind)
            for name, kind in left.fields
        ]
        pairs += [(name, kind) for name, kind in others if name.lower() not in known]
    if any(kind is None for _, kind in pairs):
        return None
    return SQLType(TypeId.STRUCT, fields=tuple((name, kind) for name, kind in pairs if kind is not None))


def common_pair(left: ArgType, right: ArgType) -> ArgType | None:
    """The type both can take without an explicit cast, None if there is none. Two literals make a plain
    type.
    """
    for literal, other in ((left, right), (right, left)):
        if isinstance(literal, StringLiteral):
            return settled(literal if settled(other).id is TypeId.NULL else other)
        if isinstance(literal, IntegerLiteral) and isinstance(other, SQLType) and literal.fits(other):
            return other
    return _common_plain(settled(left), settled(right))


def _changes_nothing(result: ArgType | None, kind: ArgType) -> bool:
    if not isinstance(result, SQLType):
        return False
    if isinstance(kind, IntegerLiteral):
        return kind.fits(result)
    if isinstance(kind, StringLiteral):
        return result.id is not TypeId.NULL
    return kind == result


def common_type(kinds: Iterable[ArgType]) -> SQLType | None:
    """The common type of the results of CASE, COALESCE, lists: folded from left to right; None where two do
    not mix.

    >>> str(common_type([INTEGER, decimal(4, 1)]))
    'DECIMAL(11,1)'
    """
    result: ArgType | None = None
    for kind in kinds:
        if _changes_nothing(result, kind):
            continue  # nearly all of a long column of constants
        result = kind if result is None else common_pair(result, kind)
        if result is None:
            return None
    return NULL if result is None else settled(result)


def forced_pair(left: SQLType, right: SQLType) -> SQLType:
    """The type to which columns of a set operation are cast: the common type, else the higher in a fixed
    order (VARCHAR beats all but BLOB).

    >>> str(forced_pair(INTEGER, VARCHAR))
    'VARCHAR'
    """
    common = _common_plain(left, right)
    if common is not None:
        return common
    if left.is_nested and right.is_nested:
        return _common_nested(left, right, forced_pair) or left
    if left.is_nested or right.is_nested:
        return left if left.is_nested else right
    return max(left, right, key=lambda t: _FORCE_ORDER.index(t.id))


def set_operation_type(kinds: Sequence[SQLType]) -> SQLType:
    """The column type of UNION, EXCEPT, INTERSECT and VALUES over branches of these types."""
    return reduce(forced_pair, kinds, NULL)


_EQUALITY = frozenset({"=", "<>", "is distinct from", "is not distinct from"})


def comparison_type(op: str, left: ArgType, right: ArgType) -> SQLType | None:
    """The type in which `left op right` is evaluated, None where DuckDB wants an explicit cast.

    Equality mixes any two types (a string becomes the other type); order comparisons only those with a common
    type. DECIMALs are compared at the larger scale.
    """
    common = common_pair(left, right)
    if common is None:
        if op not in _EQUALITY:
            return None
        one, two = settled(left), settled(right)
        if TypeId.VARCHAR in (one.id, two.id):
            return two if one.id is TypeId.VARCHAR else one
        return forced_pair(one, two)
    result = settled(common)
    if result.is_decimal:
        shapes = [s for s in (decimal_shape(settled(left)), decimal_shape(settled(right))) if s is not None]
        scale = max((result.scale, *(s for _, s in shapes)))
        digits = max((result.width - result.scale, *(w - s for w, s in shapes)))
        return decimal(min(MAX_DECIMAL_WIDTH, digits + scale), scale)
    return result


# Explicit casts ---------------------------------------------------------------------------------------------
_STAMPS = frozenset({_T.TIMESTAMP, _T.TIMESTAMP_S, _T.TIMESTAMP_MS, _T.TIMESTAMP_NS, _T.TIMESTAMPTZ})


def can_cast(source: SQLType, target: SQLType) -> bool:
    """Whether CAST from `source` to `target` exists (a value may still fail)."""
    if source == target or source.id is TypeId.NULL:
        return True
    if target.id is TypeId.NULL:
        return False
    if source.is_string or target.is_string:
        return True
    if source.is_nested or target.is_nested:
        return _can_cast_nested(source, target)
    plain = source.is_numeric or source.id is TypeId.BOOLEAN
    if plain or target.is_numeric or target.id is TypeId.BOOLEAN:
        return plain and (target.is_numeric or target.id is TypeId.BOOLEAN)
    if source.id in _STAMPS:
        if source.id is TypeId.TIMESTAMP_NS and target.id is TypeId.TIMESTAMP_S:
            return False
        if target.id is TypeId.TIME:
            return source.id is not TypeId.TIMESTAMPTZ
        return target.id in _STAMPS or target.id is TypeId.DATE
    if source.id is TypeId.DATE:
        return target.id in _STAMPS
    return False


def _can_cast_nested(source: SQLType, target: SQLType) -> bool:
    if source.is_map and target.is_list:
        return can_cast(source.element, target.element)
    if source.id is not target.id:
        return False
    if source.is_struct:
        if source.is_tuple or target.is_tuple:
            pairs = list(zip(source.fields, target.fields, strict=False))
            return len(source.fields) == len(target.fields) and all(
                can_cast(a, b) for (_, a), (_, b) in pairs
            )
        known = {name.lower(): kind for name, kind in source.fields}
        shared = [(known[name.lower()], kind) for name, kind in target.fields if name.lower() in known]
        return bool(shared) and all(can_cast(a, b) for a, b in shared)
    return all(can_cast(a, b) for (_, a), (_, b) in zip(source.fields, target.fields, strict=True))
