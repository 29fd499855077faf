"""Derives conditions on single relations from an OR over several, so that they reach the relations before the
join.

sql: SELECT t.a FROM t, u WHERE (t.s = 'x' AND u.c = 1) OR (t.s = 'y' AND u.c = 2)
before:
    Project a
      Filter (((s = 'x') AND (c = 1)) OR ((s = 'y') AND (c = 2)))
        Join INNER
          Scan t [a, b, s, d, p, x]
          Scan u [a:2, c, s:2]
after:
    Project a
      Filter ((((s = 'x') AND (c = 1)) OR ((s = 'y') AND (c = 2))) AND (s IN ('x', 'y')) AND (c IN (1, 2)))
        Join INNER
          Scan t [a, b, s, d, p, x]
          Scan u [a:2, c, s:2]
"""

from __future__ import annotations

from dataclasses import replace

from ...expr import Expr, Or, conjunction, conjuncts, references
from ...logical import Distinct, Filter, Join, JoinKind, Limit, Plan, Project, Sort, transform_plan
from ...types import BOOLEAN
from ..context import OptimizerContext
from ..folding.predicates import simplify_predicate
from ..properties import is_volatile, may_fail

# A longer OR says little about one relation, and saying it costs.
_MOST_TERMS = 64


def split_disjunctions(plan: Plan, context: OptimizerContext) -> Plan:
    """Runs once: pushed away, a derived condition would be derived again."""
    return transform_plan(plan, _visit)


def _visit(node: Plan) -> Plan:
    if isinstance(node, Filter) and isinstance(node.input, (Join, Filter)):
        new = _with_derived(node.predicate, node.input)
        return node if new is node.predicate else Filter(node.input, new)
    if isinstance(node, Join) and node.kind is JoinKind.INNER and node.condition is not None:
        new = _with_derived(node.condition, node)
        return node if new is node.condition else replace(node, condition=new)
    return node


def _with_derived(predicate: Expr, source: Plan) -> Expr:
    terms = conjuncts(predicate)
    derived: list[Expr] = []
    for term in terms:
        if isinstance(term, Or) and len(term.args) <= _MOST_TERMS:
            derived += _derive(term, source)
    known = set(terms)
    new = [t for t in derived if t not in known]
    if not new:
        return predicate
    result = conjunction([*terms, *new])
    assert result is not None
    return result


def _derive(term: Or, source: Plan) -> list[Expr]:
    """For every relation that each alternative restricts: the OR of these restrictions."""
    common: dict[Plan, list[Expr]] | None = None
    for alternative in term.args:
        here: dict[Plan, list[Expr]] = {}
        for part in conjuncts(alternative):
            if is_volatile(part) or may_fail(part):
                continue
            origins = {_origin(source, column) for column in references(part)}
            if len(origins) == 1:
                (origin,) = origins
                if origin is not None:
                    here.setdefault(origin, []).append(part)
        merged: dict[Plan, list[Expr]] = {}
        for origin, parts in here.items():
            so_far = [] if common is None else common.get(origin)
            predicate = conjunction(parts)
            if so_far is not None and predicate is not None:
                merged[origin] = [*so_far, predicate]
        common = merged
        if not common:
            return []
    assert common is not None
    if len({_origin(source, c) for c in references(term)}) < 2:
        return []
    return [simplify_predicate(Or(BOOLEAN, tuple(parts))) for parts in common.values()]


def _origin(plan: Plan, column: int) -> Plan | None:
    """The input of the region of joins below `plan` that a column comes from."""
    while column in plan.ids:
        match plan:
            case Join(left=left, right=right):
                if column in left.ids:
                    plan = left
                elif column in right.ids:
                    plan = right
                else:
                    return None
            case Filter(input=source) | Sort(input=source) | Limit(input=source) | Distinct(input=source):
                plan = source
            case Project(input=source) if column in source.ids:
                plan = source
            case _:
                return plan
    return None
