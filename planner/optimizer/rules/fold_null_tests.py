"""Decides NULL tests and NULL-safe comparisons of columns that are never NULL.

sql: SELECT n FROM (SELECT a, count(*) AS n FROM t GROUP BY a) WHERE n IS NOT NULL AND coalesce(n, 0) > 3
before:
    Project count_star
      Filter ((count_star IS NOT NULL) AND (COALESCE(count_star, 0) > 3))
        Project a, count_star
          Aggregate by a: count(*) AS count_star
            Scan t [a, b, s, d, p, x]
after:
    Project count_star
      Filter ((NOT FALSE) AND (count_star > 3))
        Project a, count_star
          Aggregate by a: count(*) AS count_star
            Scan t [a, b, s, d, p, x]
"""

from __future__ import annotations

from dataclasses import replace

from ...expr import And, Coalesce, Comparison, Expr, IsNull, Literal, children, transform
from ...logical import Filter, Join, Plan, Scan, map_expressions, transform_plan
from ...types import BOOLEAN
from ..context import OptimizerContext
from ..nullability import expression_never_null

_NULL_SAFE = {"is distinct from": "<>", "is not distinct from": "="}


def fold_null_tests(plan: Plan, context: OptimizerContext) -> Plan:
    """One walk; simplification clears away what is left over."""
    return transform_plan(plan, _visit)


def _visit(node: Plan) -> Plan:
    inputs = node.inputs
    if isinstance(node, Scan):
        if node.predicate is None or not _has_test(node.predicate):
            return node
        inputs = (replace(node, predicate=None),)
    elif not inputs:
        return node

    def change(expr: Expr) -> Expr:
        if not _has_test(expr):
            return expr
        new = transform(expr, lambda e: _decided(e, inputs))
        # Where NULL is as good as FALSE, one side that is never NULL is enough.
        condition = isinstance(node, (Filter, Scan)) or (isinstance(node, Join) and expr is node.condition)
        return _as_condition(new, inputs) if condition else new

    return map_expressions(node, change)


def _as_condition(expr: Expr, inputs: tuple[Plan, ...]) -> Expr:
    if isinstance(expr, And):
        new = tuple(_as_condition(a, inputs) for a in expr.args)
        return expr if all(a is b for a, b in zip(new, expr.args, strict=True)) else replace(expr, args=new)
    if isinstance(expr, Comparison) and expr.op == "is not distinct from":
        if any(expression_never_null(side, *inputs) for side in (expr.left, expr.right)):
            return replace(expr, op="=")
    return expr


def _has_test(expr: Expr) -> bool:
    known = expr.__dict__.get("_has_test")
    if known is None:
        known = _is_test(expr) or any(_has_test(child) for child in children(expr))
        expr.__dict__["_has_test"] = known
    return known


def _is_test(expr: Expr) -> bool:
    return isinstance(expr, (IsNull, Coalesce)) or (isinstance(expr, Comparison) and expr.op in _NULL_SAFE)


def _decided(expr: Expr, inputs: tuple[Plan, ...]) -> Expr:
    match expr:
        case IsNull(arg=arg) if expression_never_null(arg, *inputs):
            return Literal(BOOLEAN, False)
        case Comparison(op="is distinct from" | "is not distinct from", left=left, right=right):
            both = all(expression_never_null(side, *inputs) for side in (left, right))
            return replace(expr, op=_NULL_SAFE[expr.op]) if both else expr
        case Coalesce(args=args):
            for index, arg in enumerate(args[:-1]):
                if expression_never_null(arg, *inputs):
                    return args[0] if index == 0 else replace(expr, args=args[: index + 1])
            return expr
        case _:
            return expr
