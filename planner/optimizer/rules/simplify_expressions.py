"""Folds constants and brings conditions into a plain form, without evaluating anything that could fail.

sql: SELECT a FROM t WHERE NOT (a < 2 + 3) AND (b = 1 OR b = 2) AND 1 = 1
before:
    Project a
      Filter ((NOT (a < (2 + 3))) AND ((b = 1) OR (b = 2)) AND (1 = 1))
        Scan t [a, b, s, d, p, x]
after:
    Project a
      Filter ((a >= 5) AND (b IN (1, 2)))
        Scan t [a, b, s, d, p, x]
"""

from __future__ import annotations

from dataclasses import replace

from ...expr import AggregateCall, Expr, Literal, WindowCall, conjuncts
from ...logical import Filter, Join, JoinKind, Plan, Project, Scan, map_expressions, transform_plan
from ..context import OptimizerContext
from ..folding.predicates import simplify_predicate
from ..folding.simplify import simplify


def simplify_expressions(plan: Plan, context: OptimizerContext) -> Plan:
    """Every expression of the plan simplified; conditions of filters and joins take NULL for FALSE."""
    return transform_plan(plan, _visit)


def _visit(node: Plan) -> Plan:
    match node:
        case Filter(predicate=predicate):
            return _filter(node, simplify_predicate(predicate))
        case Scan(predicate=predicate):
            if predicate is None:
                return node
            new = simplify_predicate(predicate)
            if new is predicate:
                return node
            # A scan has no way to say "nothing": that is a filter's word.
            bare = replace(node, predicate=None)
            return (
                _filter(Filter(bare, new), new) if isinstance(new, Literal) else replace(node, predicate=new)
            )
        case Join():
            return _join(node)
        case Project() if not node.exprs:
            return node
        case _:
            return map_expressions(node, _value)


def _filter(node: Filter, predicate: Expr) -> Plan:
    if isinstance(predicate, Literal) and predicate.value is True:
        return node.input
    return node if predicate is node.predicate else Filter(node.input, predicate)


def _value(expr: Expr) -> Expr:
    new = simplify(expr)
    if isinstance(new, (AggregateCall, WindowCall)) and new.filter is not None:
        condition = simplify_predicate(new.filter)
        if isinstance(condition, Literal) and condition.value is True:
            return replace(new, filter=None)
        if condition is not new.filter:
            return replace(new, filter=condition)
    return new


def _join(node: Join) -> Plan:
    marks = tuple(simplify(t) for t in node.mark_terms)
    condition = node.condition
    if condition is not None:
        condition = simplify_predicate(condition)
        if isinstance(condition, Literal) and condition.value is True:
            condition = None
    if node.kind is JoinKind.MARK:
        marks = tuple(t for mark in marks for t in conjuncts(mark) if not _is_true(t))
    same = len(marks) == len(node.mark_terms) and all(
        a is b for a, b in zip(marks, node.mark_terms, strict=True)
    )
    if same and condition is node.condition:
        return node
    return replace(node, condition=condition, mark_terms=marks)


def _is_true(expr: Expr) -> bool:
    return isinstance(expr, Literal) and expr.value is True
