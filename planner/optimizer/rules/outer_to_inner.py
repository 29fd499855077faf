"""Turns outer joins into smaller ones where a condition above drops the rows that only they produce.

sql: SELECT t.a, u.c FROM t LEFT JOIN u ON t.a = u.c WHERE u.a > 5
before:
    Project a, c
      Filter (a:2 > 5)
        Join LEFT on (a = c)
          Scan t [a, b, s, d, p, x]
          Scan u [a:2, c, s:2]
after:
    Project a, c
      Filter (a:2 > 5)
        Join INNER on (a = c)
          Scan t [a, b, s, d, p, x]
          Scan u [a:2, c, s:2]
"""

from __future__ import annotations

from dataclasses import replace

from ...expr import Comparison, Expr, Literal, Not, Or, conjuncts, references, substitute
from ...logical import (
    Aggregate,
    Cte,
    Distinct,
    Filter,
    Join,
    JoinKind,
    Plan,
    Project,
    SetOp,
    Sort,
    UnionAll,
    with_inputs,
)
from ..context import OptimizerContext
from ..folding.predicates import simplify_predicate
from ..properties import null_rejected, strict_references

Ids = frozenset[int]
Terms = tuple[Expr, ...]
_NONE: Ids = frozenset()
_PRESERVING_LEFT = (JoinKind.LEFT, JoinKind.SINGLE, JoinKind.SEMI, JoinKind.ANTI, JoinKind.MARK)


def outer_to_inner(plan: Plan, context: OptimizerContext) -> Plan:
    """One walk from the root down with the columns whose NULLs are dropped above."""
    return _visit(plan, _NONE, ())


def _visit(plan: Plan, dropped: Ids, above: Terms = ()) -> Plan:
    """`dropped`: output columns such that rows where one of them is NULL do not reach the result. `above`:
    further conditions that all rows must meet.
    """
    match plan:
        case Filter(input=source, predicate=predicate):
            below = dropped
            terms = conjuncts(predicate)
            for term in terms:
                below |= null_rejected(term)
            return with_inputs(plan, (_visit(source, below, (*above, *filter(_is_compound, terms))),))
        case Project(input=source):
            return with_inputs(plan, (_visit(source, _through(plan, dropped)),))
        case Aggregate(input=source):
            below = _NONE
            for column, expr in zip(plan.group_columns, plan.groups, strict=True):
                if column.id in dropped:
                    below |= strict_references(expr)
            return with_inputs(plan, (_visit(source, below),))
        case Sort(input=source):
            return with_inputs(plan, (_visit(source, dropped),))
        case Distinct(input=source, on=()):
            return with_inputs(plan, (_visit(source, dropped),))
        case Cte(definition=definition, body=body):
            return with_inputs(plan, (_visit(definition, _NONE), _visit(body, dropped)))
        case UnionAll() | SetOp():
            positions = [i for i, c in enumerate(plan.schema) if c.id in dropped]
            return with_inputs(
                plan, tuple(_visit(b, frozenset(b.schema[i].id for i in positions)) for b in plan.inputs)
            )
        case Join():
            return _join(plan, dropped, above)
        case _:
            return with_inputs(plan, tuple(_visit(child, _NONE) for child in plan.inputs))


def _through(plan: Project, dropped: Ids) -> Ids:
    below = _NONE
    for column, expr in zip(plan.columns, plan.exprs, strict=True):
        if column.id in dropped:
            below |= strict_references(expr)
    return below


def _is_compound(term: Expr) -> bool:
    """Whether a term may drop padded rows although it takes NULL in each of its columns: (b = 1 OR c = 2)."""
    return isinstance(term, (Or, Not, Comparison))


def _drops_pads(terms: Terms, side: Plan) -> bool:
    """Whether one of the terms cannot be true where all columns of a side are NULL."""
    for term in terms:
        padded = references(term) & side.ids
        if padded:
            nulls = {c.id: Literal(c.type, None) for c in side.schema if c.id in padded}
            verdict = simplify_predicate(substitute(term, dict(nulls)))
            if isinstance(verdict, Literal) and verdict.value is not True:
                return True
    return False


def _join(join: Join, dropped: Ids, above: Terms) -> Plan:
    kind = _smaller_kind(join, dropped, above)
    if kind is not join.kind:
        join = replace(join, kind=kind)
    matched = _NONE
    for term in conjuncts(join.condition):
        matched |= null_rejected(term)
    left, right = join.left.ids, join.right.ids
    if kind is JoinKind.INNER:
        sides = ((dropped | matched) & left, (dropped | matched) & right)
    elif kind in _PRESERVING_LEFT:
        # A right row that cannot satisfy the condition changes nothing; a left row goes its own way.
        on_left = matched & left if kind is JoinKind.SEMI else _NONE
        sides = ((dropped & left) | on_left, matched & right)
    elif kind in (JoinKind.RIGHT, JoinKind.RIGHT_SEMI, JoinKind.RIGHT_ANTI):
        on_right = matched & right if kind is JoinKind.RIGHT_SEMI else _NONE
        sides = (matched & left, (dropped & right) | on_right)
    else:
        sides = (_NONE, _NONE)
    # Where both sides are seen above, so are the conditions of an inner join.
    if kind is JoinKind.INNER:
        above = (*above, *filter(_is_compound, conjuncts(join.condition)))
    on_left = above if kind in (JoinKind.INNER, *_PRESERVING_LEFT) else ()
    on_right = above if kind in (JoinKind.INNER, JoinKind.RIGHT) else ()
    return with_inputs(join, (_visit(join.left, sides[0], on_left), _visit(join.right, sides[1], on_right)))


def _smaller_kind(join: Join, dropped: Ids, above: Terms) -> JoinKind:
    """Rows padded with NULLs on the left (right) side are dropped where a column of that side must not be
    NULL.
    """
    if join.kind not in (JoinKind.LEFT, JoinKind.RIGHT, JoinKind.FULL):
        return join.kind
    no_left_pads = not dropped.isdisjoint(join.left.ids) or _drops_pads(above, join.left)
    no_right_pads = not dropped.isdisjoint(join.right.ids) or _drops_pads(above, join.right)
    match join.kind:
        case JoinKind.LEFT if no_right_pads:
            return JoinKind.INNER
        case JoinKind.RIGHT if no_left_pads:
            return JoinKind.INNER
        case JoinKind.FULL:
            if no_left_pads and no_right_pads:
                return JoinKind.INNER
            return JoinKind.LEFT if no_left_pads else JoinKind.RIGHT if no_right_pads else JoinKind.FULL
        case _:
            return join.kind
