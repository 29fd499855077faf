"""Carries the knowledge that a part has no rows upwards.

sql: SELECT a FROM t WHERE a > 5 AND a < 3
given: simplify_expressions
before:
    Project a
      Filter FALSE
        Scan t [a, b, s, d, p, x]
after:
    Empty [a]
"""

from __future__ import annotations

from dataclasses import replace

from ...expr import Column, Expr, Literal, ref
from ...logical import (
    Aggregate,
    Cte,
    CteRef,
    Distinct,
    Filter,
    Join,
    JoinKind,
    Limit,
    Plan,
    Project,
    Recursion,
    Scan,
    SetOp,
    Sort,
    UnionAll,
    Unnest,
    Window,
    transform_plan,
)
from ...types import BOOLEAN
from ..build import empty, is_empty, renaming
from ..context import OptimizerContext

# What is left of a join when no pair of rows can meet: the side whose rows it keeps anyway. FULL keeps both.
_KEPT = {
    JoinKind.LEFT: "left",
    JoinKind.SINGLE: "left",
    JoinKind.ANTI: "left",
    JoinKind.MARK: "left",
    JoinKind.RIGHT: "right",
    JoinKind.RIGHT_ANTI: "right",
    JoinKind.FULL: "both",
}


def prune_empty(plan: Plan, context: OptimizerContext) -> Plan:
    """Replaces every part without rows by an empty one, and joins and unions with it by what is left of
    them.
    """
    return transform_plan(plan, _visit)


def _visit(node: Plan) -> Plan:
    match node:
        case Scan(table=table):
            # A version of a table never changes, so that it has no rows is known, not estimated.
            stats = table.stats()
            return empty(node.schema) if stats.exact and not stats.rows else node
        case Filter(input=source, predicate=Literal(value=value)):
            return source if value is True else empty(node.schema)
        case Limit(limit=0):
            return empty(node.schema)
        case Project() if is_empty(node):
            # Only a column that stands twice needs a projection.
            return node if len(node.ids) < len(node.columns) else empty(node.schema)
        case Filter() | Project() | Sort() | Distinct() | Limit() | Window() | Unnest():
            return empty(node.schema) if is_empty(node.inputs[0]) else node
        case Aggregate(input=source, groups=groups):
            return empty(node.schema) if groups and is_empty(source) else node
        case Join():
            return _join(node)
        case UnionAll():
            return _union(node)
        case SetOp():
            return _set_operation(node)
        case Recursion(anchor=anchor, columns=columns):
            return empty(columns) if is_empty(anchor) else node
        case Cte(definition=definition):
            return _without_references(node) if is_empty(definition) else node
        case _:
            return node


def _join(join: Join) -> Plan:
    sides = {name for name, side in (("left", join.left), ("right", join.right)) if is_empty(side)}
    impossible = isinstance(join.condition, Literal) and join.condition.value is not True
    if not sides and not impossible:
        return join
    kept = _KEPT.get(join.kind)
    if kept == "both" and sides:
        kept = "right" if sides == {"left"} else "left"
    if kept is None or kept in sides:
        return empty(join.schema)
    if kept == "both":
        return join
    if join.kind is JoinKind.MARK:
        assert join.mark is not None
        marked = (*join.left.schema, join.mark)
        return Project(join.left, marked, (*map(ref, join.left.schema), Literal(BOOLEAN, False)))
    return _padded(join.left if kept == "left" else join.right, join.schema)


def _padded(plan: Plan, columns: tuple[Column, ...]) -> Plan:
    """A plan with NULLs for the columns it lacks."""
    if all(c.id in plan.ids for c in columns):
        return plan
    exprs: list[Expr] = [ref(c) if c.id in plan.ids else Literal(c.type, None) for c in columns]
    return Project(plan, columns, tuple(exprs))


def _union(node: UnionAll) -> Plan:
    branches = tuple(b for b in node.branches if not is_empty(b))
    if len(branches) == 1:
        return renaming(branches[0], branches[0].schema, node.columns)
    if not branches:
        return empty(node.columns)
    return node if len(branches) == len(node.branches) else replace(node, branches=branches)


def _set_operation(node: SetOp) -> Plan:
    if is_empty(node.left) or (node.kind == "intersect" and is_empty(node.right)):
        return empty(node.columns)
    if is_empty(node.right):
        kept = renaming(node.left, node.left.schema, node.columns)
        return kept if node.all else Distinct(kept)
    return node


def _without_references(node: Cte) -> Plan:
    def visit(plan: Plan) -> Plan:
        if isinstance(plan, CteRef) and plan.cte_id == node.cte_id:
            return empty(plan.columns)
        return _visit(plan)

    return transform_plan(node.body, visit)
