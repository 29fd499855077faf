"""Casts that the binder inserts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .. import messages
from ..coercion import arg_type, can_cast, common_type, comparison_type
from ..errors import Span
from ..expr import Cast, Expr, Literal
from ..literals import cast_value
from ..types import BOOLEAN, SQLType


def cast_to(expr: Expr, target: SQLType) -> Expr:
    """`expr` as type `target`: itself if it has it. Literals become literals of the type; one that does not
    fit stays a cast, which fails when a row gets there. Raises BinderError where no such cast exists."""
    if expr.type == target:
        return expr
    if not can_cast(expr.type, target):
        raise messages.bad_cast(expr.type, target, expr.span)
    if isinstance(expr, Literal):
        try:
            value = cast_value(expr.value, expr.type, target)
        except ValueError:
            return Cast(target, expr, span=expr.span)  # fails with the value's text if it is ever evaluated
        return Literal(target, value, span=expr.span)
    return Cast(target, expr, span=expr.span)


def cast_all(exprs: Iterable[Expr], targets: Iterable[SQLType]) -> tuple[Expr, ...]:
    """Each expression as its type."""
    return tuple(cast_to(e, t) for e, t in zip(exprs, targets, strict=True))


def condition(expr: Expr, clause: str) -> Expr:
    """`expr` as BOOLEAN, as WHERE, AND, NOT and CASE take it. Raises BinderError for types that have no truth
    value."""
    if expr.type == BOOLEAN:
        return expr
    if not can_cast(expr.type, BOOLEAN):
        raise messages.wants_boolean(clause, expr.type, expr.span)
    return cast_to(expr, BOOLEAN)


def unify(exprs: Sequence[Expr], where: str) -> tuple[Expr, ...]:
    """All as their common type. `where` is for the error, e.g. 'CASE'."""
    target = common_type(arg_type(e) for e in exprs)
    if target is None:
        first, second = _conflict(exprs)
        raise messages.type_mismatch("mix", first.type, second.type, second.span, where)
    return tuple(cast_to(e, target) for e in exprs)


def _conflict(exprs: Sequence[Expr]) -> tuple[Expr, Expr]:
    for count in range(2, len(exprs) + 1):
        if common_type(arg_type(e) for e in exprs[:count]) is None:
            return exprs[0], exprs[count - 1]
    raise AssertionError


def comparable(op: str, left: Expr, right: Expr, span: Span | None) -> tuple[Expr, Expr]:
    """Both sides of a comparison as the type in which they are compared."""
    target = comparison_type(op, arg_type(left), arg_type(right))
    if target is None or not (can_cast(left.type, target) and can_cast(right.type, target)):
        raise messages.type_mismatch("compare", left.type, right.type, span)
    return cast_to(left, target), cast_to(right, target)


def refuse_nested(what: str, kind: SQLType, span: Span | None) -> None:
    """UnsupportedError where `what` (a plural, e.g. 'Comparisons') of a list or struct is asked for."""
    if kind.is_nested:
        raise messages.unsupported(f"{what} of lists and structs (here {kind}) are", span)
