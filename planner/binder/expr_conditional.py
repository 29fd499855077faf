"""CASE, COALESCE, NULLIF and IF."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from ..errors import Span
from ..expr import Case, Coalesce, Expr, Literal
from ..frontend.spans import span_of
from ..types import NULL
from .calls import constant_of
from .casting import cast_to, unify
from .expr_comparisons import compare
from .expr_core import ExpressionBinder, binds
from .guard import reject_unknown_args


@binds(exp.Case)
def _case(binder: ExpressionBinder, node: exp.Expr) -> Expr:
    reject_unknown_args(node, "this", "ifs", "default")
    operand = binder.bind(node.this) if node.this else None
    conditions, values = [], []
    for branch in node.args["ifs"]:
        reject_unknown_args(branch, "this", "true")
        if operand is None:
            conditions.append(binder.bind_condition(branch.this, "WHEN"))
        else:
            conditions.append(compare("=", operand, binder.bind(branch.this)))
        values.append(binder.bind(branch.args["true"]))
    default = binder.bind(node.args["default"]) if node.args.get("default") else Literal(NULL, None)
    # The default counts first: CASE ... THEN 1 THEN 2 ELSE tinyint END is a TINYINT.
    default, *values = unify([default, *values], "CASE")
    return Case(default.type, tuple(zip(conditions, values, strict=True)), default, span=span_of(node))


def coalesce(args: Sequence[Expr], span: Span | None) -> Expr:
    """COALESCE over bound arguments, cast to their common type."""
    cast = unify(args, "COALESCE")
    return Coalesce(cast[0].type, cast, span=span)


def if_else(condition: Expr, then: Expr, otherwise: Expr, span: Span | None) -> Expr:
    """IF(condition, then, otherwise) over bound arguments; the condition is a BOOLEAN."""
    other, value = unify([otherwise, then], "IF")
    return Case(value.type, ((condition, value),), other, span=span)


def null_if(left: Expr, right: Expr, span: Span | None) -> Expr:
    """NULLIF(left, right): of the type of `left`."""
    if left.type == NULL:
        return constant_of(left, right) if isinstance(left, Literal) else left
    equal = compare("=", left, right, span)
    return Case(left.type, ((equal, cast_to(Literal(NULL, None), left.type)),), left, span=span)
