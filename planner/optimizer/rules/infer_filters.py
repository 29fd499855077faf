"""Carries conditions with constants over the equalities of joins to the other side.

sql: SELECT t.a, u.c FROM t JOIN u ON t.a = u.c WHERE t.a > 5
given: push_filters
before:
    Project a, c
      Join INNER on (a = c)
        Scan t [a, b, s, d, p, x] WHERE (a > 5)
        Scan u [a:2, c, s:2]
after:
    Project a, c
      Join INNER on (a = c)
        Scan t [a, b, s, d, p, x] WHERE (a > 5)
        Filter (c > 5)
          Scan u [a:2, c, s:2]
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ...expr import ColumnRef, Comparison, Expr, InList, Literal, conjunction, conjuncts, ref, substitute
from ...logical import (
    Aggregate,
    Cte,
    Distinct,
    Filter,
    Join,
    JoinKind,
    Limit,
    Plan,
    Project,
    Scan,
    Sort,
    Unnest,
    Window,
    transform_plan,
)
from ..build import filtered
from ..context import OptimizerContext
from ..folding.predicates import simplify_predicate

Facts = dict[int, tuple[Expr, ...]]

# Sides whose rows do not matter where they match nothing: they may be filtered by what the other side
# satisfies.
_TO_RIGHT = frozenset(
    {
        JoinKind.INNER,
        JoinKind.LEFT,
        JoinKind.SINGLE,
        JoinKind.SEMI,
        JoinKind.ANTI,
        JoinKind.MARK,
        JoinKind.RIGHT_SEMI,
    }
)
_TO_LEFT = frozenset(
    {JoinKind.INNER, JoinKind.RIGHT, JoinKind.SEMI, JoinKind.RIGHT_SEMI, JoinKind.RIGHT_ANTI}
)


def infer_filters(plan: Plan, context: OptimizerContext) -> Plan:
    """Adds filters that follow from a join's equalities and what is known of one side. Pushdown takes them
    further.
    """
    return transform_plan(plan, _visit)


def _visit(node: Plan) -> Plan:
    if not isinstance(node, Join) or node.condition is None or node.lateral:
        return node
    left, right = facts(node.left), facts(node.right)
    if not left and not right:
        return node
    new_left: list[Expr] = []
    new_right: list[Expr] = []
    for term in conjuncts(node.condition):
        if not isinstance(term, Comparison) or term.op != "=":
            continue
        a, b = term.left, term.right
        if not isinstance(a, ColumnRef) or not isinstance(b, ColumnRef):
            continue
        if a.id in node.right.ids:
            a, b = b, a
        if a.id not in node.left.ids or b.id not in node.right.ids:
            continue
        if node.kind in _TO_RIGHT:
            new_right += _carried(left.get(a.id, ()), a.id, b, right.get(b.id, ()))
        if node.kind in _TO_LEFT:
            new_left += _carried(right.get(b.id, ()), b.id, a, left.get(a.id, ()))
    if not new_left and not new_right:
        return node
    return replace(node, left=filtered(node.left, new_left), right=filtered(node.right, new_right))


def _carried(known: Iterable[Expr], source: int, target: ColumnRef, there: tuple[Expr, ...]) -> list[Expr]:
    """Facts about `source` told of `target`, those that say something new there."""
    found: list[Expr] = []
    for fact in known:
        new = substitute(fact, {source: target})
        before = conjunction([*there, *found])
        if before is None:
            found.append(new)
            continue
        after = conjunction([before, new])
        assert after is not None
        if simplify_predicate(after) != simplify_predicate(before):
            found.append(new)
    return found


def _is_fact(term: Expr) -> int | None:
    """The column of `column op constant` or `column IN (constants)`."""
    match term:
        case Comparison(op="=" | "<" | "<=" | ">" | ">=", left=ColumnRef(id=column), right=Literal()):
            return column
        case InList(arg=ColumnRef(id=column), items=items) if all(isinstance(i, Literal) for i in items):
            return column
        case _:
            return None


def facts(plan: Plan) -> Facts:
    """Conditions with constants that hold for every row, by column."""
    known = plan.__dict__.get("_facts")
    if known is None:
        known = plan.__dict__["_facts"] = _facts(plan)
    return known


def _facts(plan: Plan) -> Facts:
    match plan:
        case Scan(predicate=predicate):
            return _of_terms(conjuncts(predicate), {})
        case Filter(input=source, predicate=predicate):
            return _of_terms(conjuncts(predicate), facts(source))
        case Project(input=source):
            return _renamed(plan.columns, plan.exprs, facts(source))
        case Aggregate(input=source):
            return _renamed(plan.group_columns, plan.groups, facts(source))
        case (
            Sort(input=source)
            | Limit(input=source)
            | Distinct(input=source)
            | Window(input=source)
            | Unnest(input=source)
        ):
            return facts(source)
        case Cte(body=body):
            return facts(body)
        case Join(kind=kind, left=left, right=right):
            if kind in (JoinKind.LEFT, JoinKind.SINGLE, JoinKind.SEMI, JoinKind.ANTI, JoinKind.MARK):
                return facts(left)
            if kind in (JoinKind.RIGHT, JoinKind.RIGHT_SEMI, JoinKind.RIGHT_ANTI):
                return facts(right)
            return {**facts(left), **facts(right)} if kind is JoinKind.INNER else {}
        case _:
            return {}


def _of_terms(terms: Iterable[Expr], below: Facts) -> Facts:
    found = dict(below)
    for term in terms:
        column = _is_fact(term)
        if column is not None:
            found[column] = (*found.get(column, ()), term)
    return found


def _renamed(columns: Iterable, exprs: Iterable[Expr], below: Facts) -> Facts:
    if not below:
        return below
    found: Facts = {}
    for column, expr in zip(columns, exprs, strict=True):
        if isinstance(expr, ColumnRef) and expr.id in below:
            terms = below[expr.id]
            if column.id != expr.id:
                terms = tuple(substitute(t, {expr.id: ref(column)}) for t in terms)
            found[column.id] = terms
    return found
