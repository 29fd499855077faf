"""Joins that are less than they seem: with one constant row, with duplicates nobody sees, with marks that are
tested at once.

sql: SELECT t.a, k.n FROM t, (SELECT 5 AS n) AS k WHERE t.b < k.n
before:
    Project a, n
      Filter (b < n)
        Join INNER
          Scan t [a, b, s, d, p, x]
          Project 5 AS n
            Values [] ()
after:
    Project a, n
      Filter (b < n)
        Project a, b, s, d, p, x, 5 AS n
          Scan t [a, b, s, d, p, x]
"""

from __future__ import annotations

from dataclasses import replace

from ...expr import ColumnRef, Literal, Not, conjunction, conjuncts, ref
from ...logical import (
    Aggregate,
    Distinct,
    Filter,
    Join,
    JoinKind,
    Limit,
    Plan,
    Project,
    Sort,
    Values,
    transform_plan,
    with_inputs,
)
from ...types import BOOLEAN
from ..build import filtered
from ..context import OptimizerContext
from ..nullability import expression_never_null
from ..properties import is_volatile

_EXISTENTIAL = (JoinKind.SEMI, JoinKind.ANTI, JoinKind.MARK)


def simplify_joins(plan: Plan, context: OptimizerContext) -> Plan:
    """One walk from the leaves up."""
    return transform_plan(plan, _visit)


def _visit(node: Plan) -> Plan:
    if isinstance(node, Filter) and isinstance(node.input, Join) and node.input.kind is JoinKind.MARK:
        return _tested_mark(node, node.input)
    if not isinstance(node, Join) or node.lateral:
        return node
    if node.kind in _EXISTENTIAL:
        return _without_repeats(node)
    if node.kind is JoinKind.INNER:
        for one, other in ((node.right, node.left), (node.left, node.right)):
            if _is_one_row(one):
                return _beside_one_row(node, one, other)
    if node.kind in (JoinKind.LEFT, JoinKind.SINGLE) and node.condition is None and _is_one_row(node.right):
        return _beside_one_row(node, node.right, node.left)
    return node


# One row ----------------------------------------------------------------------------------------------------
def _is_one_row(plan: Plan) -> bool:
    """One row of constants."""
    if isinstance(plan, Values):
        return len(plan.rows) == 1 and not any(is_volatile(e) for e in plan.rows[0])
    return (
        isinstance(plan, Project)
        and isinstance(plan.input, Values)
        and _is_one_row(plan.input)
        and not plan.input.columns
        and not any(is_volatile(e) for e in plan.exprs)
    )


def _beside_one_row(join: Join, one: Plan, other: Plan) -> Plan:
    values = one.rows[0] if isinstance(one, Values) else one.exprs if isinstance(one, Project) else ()
    plan = other
    if values:
        # In the join's order: what reads a shared result counts its columns.
        constants = {column.id: value for column, value in zip(one.schema, values, strict=True)}
        plan = Project(other, join.schema, tuple(constants.get(c.id) or ref(c) for c in join.schema))
    return filtered(plan, conjuncts(join.condition))


# Semi, anti and mark joins ----------------------------------------------------------------------------------
def _without_repeats(join: Join) -> Join:
    """The right side's repeats, order and, without a condition, all rows but one are seen by nobody."""
    right = _bare(join.right)
    if join.condition is None and not join.mark_terms and not _is_limited(right):
        right = Limit(right, 1)
    return join if right is join.right else replace(join, right=right)


def _is_limited(plan: Plan) -> bool:
    while isinstance(plan, Project):
        plan = plan.input
    return isinstance(plan, Limit) or (isinstance(plan, Aggregate) and not plan.groups)


def _bare(plan: Plan) -> Plan:
    match plan:
        case Distinct(input=source, on=()) | Sort(input=source):
            return _bare(source)
        case Project(input=source):
            return with_inputs(plan, (_bare(source),))
        case Aggregate(input=source, calls=()) if plan.groups and all(
            isinstance(e, ColumnRef) and e.id == c.id
            for c, e in zip(plan.group_columns, plan.groups, strict=True)
        ):
            return Project(_bare(source), plan.group_columns, plan.groups)
        case _:
            return plan


def _tested_mark(node: Filter, join: Join) -> Plan:
    """A filter on the mark itself is a semi join, on its negation (never NULL) an anti join."""
    assert join.mark is not None
    mark = join.mark.id
    for term in conjuncts(node.predicate):
        negated = isinstance(term, Not)
        arg = term.arg if isinstance(term, Not) else term
        if not isinstance(arg, ColumnRef) or arg.id != mark:
            continue
        if negated and not all(expression_never_null(t, join.left, join.right) for t in join.mark_terms):
            continue
        kind = JoinKind.ANTI if negated else JoinKind.SEMI
        condition = conjunction([*conjuncts(join.condition), *join.mark_terms])
        found = Join(kind, join.left, join.right, condition)
        # The mark has the value that was asked for in all rows that are left.
        columns = (*join.left.schema, join.mark)
        marked = Project(found, columns, (*map(ref, join.left.schema), Literal(BOOLEAN, not negated)))
        return filtered(marked, [t for t in conjuncts(node.predicate) if t is not term])
    return node
