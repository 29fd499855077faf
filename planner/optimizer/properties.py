"""What is known of an expression by looking at it: volatile, failing, NULL for NULL.

Answers are cached on the (immutable) node, because every rule asks again.
"""

from __future__ import annotations

from ..expr import (
    SUBQUERIES,
    And,
    Call,
    Cast,
    Coalesce,
    ColumnRef,
    Comparison,
    Expr,
    InList,
    IsNull,
    LambdaCall,
    Literal,
    Not,
    Or,
    UserCall,
    children,
    references,
)
from ..functions import SCALARS, Nulls, Volatility
from ..types import INTEGER_RANGES, SQLType, TypeId

_NULL_SAFE = ("is distinct from", "is not distinct from")
# Overflow is the only way these fail; treating them as failing would keep nearly every arithmetic filter
# where it stands.
_OVERFLOW_ONLY = frozenset({"+", "-", "*", "neg", "abs"})
_NO_IDS: frozenset[int] = frozenset()


def is_volatile(expr: Expr) -> bool:
    """Whether two evaluations may differ (`random()`), so that the expression must be neither copied nor
    moved.
    """
    cached = expr.__dict__.get("_volatile")
    if cached is None:
        cached = any(is_volatile(child) for child in children(expr))
        if not cached and isinstance(expr, Call):
            function = SCALARS.get(expr.function)
            cached = function is None or function.volatility is Volatility.VOLATILE
            if isinstance(expr, LambdaCall) and expr.body is not None:
                cached = cached or is_volatile(expr.body)
        elif not cached and isinstance(expr, UserCall):
            cached = expr.function.is_volatile
        expr.__dict__["_volatile"] = cached
    return cached


def may_fail(expr: Expr) -> bool:
    """Whether some values make the evaluation an error, overflow of plain arithmetic aside."""
    cached = expr.__dict__.get("_may_fail")
    if cached is None:
        cached = isinstance(expr, SUBQUERIES) or any(may_fail(child) for child in children(expr))
        if not cached:
            cached = _fails_itself(expr)
        expr.__dict__["_may_fail"] = cached
    return cached


def _fails_itself(expr: Expr) -> bool:
    if isinstance(expr, Cast):
        return not expr.safe and not is_lossless(expr.arg.type, expr.type)
    if isinstance(expr, Call):
        function = SCALARS.get(expr.function)
        if function is None:
            return True
        if expr.function in ("//", "%") and len(expr.args) == 2:
            divisor = expr.args[1]
            return not (isinstance(divisor, Literal) and divisor.value)
        return function.can_fail and expr.function not in _OVERFLOW_ONLY
    return isinstance(expr, UserCall)


def is_lossless(source: SQLType, target: SQLType) -> bool:
    """Whether a cast keeps every value apart and never fails (so that it also keeps their order)."""
    if source == target or source.id is TypeId.NULL:
        return True
    if source.is_integer:
        low, high = INTEGER_RANGES[source.id]
        if target.is_integer:
            wide_low, wide_high = INTEGER_RANGES[target.id]
            return wide_low <= low and high <= wide_high
        if target.is_decimal:
            return max(abs(low), abs(high)) < 10 ** (target.width - target.scale)
        if target.id is TypeId.DOUBLE:
            return max(abs(low), abs(high)) <= 2**53
        if target.id is TypeId.FLOAT:
            return max(abs(low), abs(high)) <= 2**24
        return False
    if source.is_decimal and target.is_decimal:
        return source.scale <= target.scale and source.width - source.scale <= target.width - target.scale
    if source.id is TypeId.FLOAT:
        return target.id is TypeId.DOUBLE
    # A DATE beyond the range of TIMESTAMP fails to become one; such a date compares like its neighbours, so
    # losing the error is fine.
    return source.id is TypeId.DATE and target.id in (
        TypeId.TIMESTAMP,
        TypeId.TIMESTAMP_S,
        TypeId.TIMESTAMP_MS,
    )


def strict_references(expr: Expr) -> frozenset[int]:
    """Ids of columns whose NULL makes the value NULL."""
    cached = expr.__dict__.get("_strict")
    if cached is None:
        cached = expr.__dict__["_strict"] = _strict_references(expr)
    return cached


def _strict_references(expr: Expr) -> frozenset[int]:
    if isinstance(expr, ColumnRef):
        return references(expr)
    if isinstance(expr, Call):
        function = SCALARS.get(expr.function)
        if function is None or function.nulls is not Nulls.PROPAGATE:
            return _NO_IDS
    elif isinstance(expr, UserCall):
        if not expr.function.is_strict:
            return _NO_IDS
    elif isinstance(expr, Comparison):
        if expr.op in _NULL_SAFE:
            return _NO_IDS
    elif isinstance(expr, InList):
        return strict_references(expr.arg)
    elif isinstance(expr, (And, Or)):
        # NULL AND FALSE is FALSE, NULL OR TRUE is TRUE: only what every term is strict in counts.
        return frozenset.intersection(*(strict_references(a) for a in expr.args))
    elif isinstance(expr, Coalesce):
        return frozenset.intersection(*(strict_references(a) for a in expr.args))
    elif not isinstance(expr, (Cast, Not)):
        return _NO_IDS
    found = _NO_IDS
    for child in children(expr):
        found |= strict_references(child)
    return found


def null_rejected(predicate: Expr) -> frozenset[int]:
    """Ids of columns whose NULL keeps a predicate from being true.

    >>> from ..expr import ColumnRef, Comparison, Literal, Not, IsNull
    >>> from ..types import BOOLEAN, INTEGER
    >>> x = ColumnRef(INTEGER, 1, "x")
    >>> sorted(null_rejected(Comparison(BOOLEAN, "<", x, Literal(INTEGER, 5))))
    [1]
    >>> sorted(null_rejected(IsNull(BOOLEAN, x))), sorted(null_rejected(Not(BOOLEAN, IsNull(BOOLEAN, x))))
    ([], [1])
    """
    cached = predicate.__dict__.get("_rejected")
    if cached is None:
        cached = predicate.__dict__["_rejected"] = _null_rejected(predicate)
    return cached


def _null_rejected(predicate: Expr) -> frozenset[int]:
    if isinstance(predicate, And):
        return frozenset().union(*(null_rejected(a) for a in predicate.args))
    if isinstance(predicate, Or):
        return frozenset.intersection(*(null_rejected(a) for a in predicate.args))
    if isinstance(predicate, Not):
        if isinstance(predicate.arg, IsNull):
            return strict_references(predicate.arg.arg)
        return strict_references(predicate.arg)
    if isinstance(predicate, Comparison) and predicate.op == "is not distinct from":
        # NULL equals only NULL here, so a side that a literal names is rejected.
        found = _NO_IDS
        for side, other in ((predicate.left, predicate.right), (predicate.right, predicate.left)):
            if isinstance(other, Literal) and other.value is not None:
                found |= strict_references(side)
        return found
    return strict_references(predicate)
