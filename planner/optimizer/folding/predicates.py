"""Conditions of filters and joins, where NULL counts as FALSE."""

from __future__ import annotations

from ...expr import And, Case, Coalesce, ColumnRef, Comparison, Expr, IsNull, Literal, Not, Or, is_constant
from ...types import BOOLEAN
from ..properties import is_volatile, null_rejected
from .logic import joined
from .ranges import merge_ranges
from .simplify import simplify

_FALSE = Literal(BOOLEAN, False)


def simplify_predicate(expr: Expr) -> Expr:
    """An expression that is true for the same rows; the same object if it is simple already."""
    known = expr.__dict__.get("_filter")
    if known is not None:
        return expr if known is True else known
    result = simplify(expr)
    while True:
        after = simplify(_step(result))
        if after is result:
            break
        result = after
    if result is expr:
        expr.__dict__["_filter"] = True
    else:
        expr.__dict__["_filter"] = result
        result.__dict__["_filter"] = True
    return result


def _step(expr: Expr) -> Expr:
    match expr:
        case Literal(value=None):
            return _FALSE
        case Comparison():
            return _comparison(expr)
        case And(args=args):
            new = [simplify_predicate(a) for a in args]
            merged = merge_ranges(_without_implied(new))
            if len(merged) == len(args) and all(a is b for a, b in zip(merged, args, strict=True)):
                return expr
            return joined(And, merged)
        case Or(args=args):
            new = [simplify_predicate(a) for a in args]
            return expr if all(a is b for a, b in zip(new, args, strict=True)) else joined(Or, new)
        case Coalesce(args=(first, Literal(value=False))):
            return first
        case Case(branches=((condition, value),), default=default) if is_constant(value, True) and (
            is_constant(default, False) or is_constant(default, None)
        ):
            return condition
        case _:
            return expr


def _comparison(node: Comparison) -> Expr:
    left, right, op = node.left, node.right, node.op
    if op == "is not distinct from":
        if isinstance(right, Literal) and right.value is not None:
            return Comparison(BOOLEAN, "=", left, right, span=node.span)
    elif left == right and not is_volatile(left):
        if op in ("=", "<=", ">="):
            return Not(BOOLEAN, IsNull(BOOLEAN, left), span=node.span)
        if op in ("<>", "<", ">"):
            return _FALSE
    return node


def _without_implied(terms: list[Expr]) -> list[Expr]:
    """Drops `x IS NOT NULL` where another term rejects NULL anyway."""
    if not any(isinstance(t, Not) for t in terms):
        return terms
    rejected: set[int] = set()
    for term in terms:
        if not _tests_null(term):
            rejected |= null_rejected(term)
    return [t for t in terms if not (_tests_null(t) and null_rejected(t) and null_rejected(t) <= rejected)]


def _tests_null(term: Expr) -> bool:
    return isinstance(term, Not) and isinstance(term.arg, IsNull) and isinstance(term.arg.arg, ColumnRef)
