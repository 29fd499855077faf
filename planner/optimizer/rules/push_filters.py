"""Moves every condition as far down as it can go: into scans, join conditions, below groups and set
operations.

sql: SELECT t.a, u.c FROM t, u WHERE t.a = u.c AND t.b > 5 AND u.c < 9
before:
    Project a, c
      Filter ((a = c) AND (b > 5) AND (c < 9))
        Join INNER
          Scan t [a, b, s, d, p, x]
          Scan u [a:2, c, s:2]
after:
    Project a, c
      Join INNER on (a = c)
        Scan t [a, b, s, d, p, x] WHERE (b > 5)
        Scan u [a:2, c, s:2] WHERE (c < 9)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ...expr import ColumnRef, Expr, conjunction, conjuncts, ref, references, substitute
from ...logical import (
    Aggregate,
    Cte,
    Distinct,
    Filter,
    Join,
    Plan,
    Project,
    Scan,
    SetOp,
    Sort,
    UnionAll,
    Unnest,
    Window,
    with_inputs,
)
from ..build import filtered
from ..context import OptimizerContext
from ..properties import is_volatile, may_fail
from .push_filters_joins import push_into_join

Terms = list[Expr]


def push_filters(plan: Plan, context: OptimizerContext) -> Plan:
    """One walk from the root down; the same object if every condition is where it belongs."""
    return push(plan, [])


def push(plan: Plan, terms: Terms) -> Plan:
    """`plan` filtered by `terms`, each of them as far down as possible."""
    handler = _PUSH.get(type(plan))
    if handler is not None:
        return handler(plan, terms)
    return filtered(_through_inputs(plan), terms)


def _through_inputs(plan: Plan) -> Plan:
    return with_inputs(plan, tuple(push(child, []) for child in plan.inputs))


def movable(terms: Terms, can_move: Callable[[Expr], bool]) -> tuple[Terms, Terms]:
    """Terms that go down and terms that stay, in order. A term that may fail does not overtake one that
    stays: the rows that one excludes must not make it fail. Volatile terms stay.
    """
    down: Terms = []
    stay: Terms = []
    for term in terms:
        moves = can_move(term) and not is_volatile(term) and not (stay and may_fail(term))
        (down if moves else stay).append(term)
    return down, stay


def _filter(plan: Filter, terms: Terms) -> Plan:
    own = list(conjuncts(plan.predicate))
    result = push(plan.input, [*own, *terms])
    if isinstance(result, Filter) and result.input is plan.input:
        left = conjuncts(result.predicate)
        if len(left) == len(own) and all(a is b for a, b in zip(left, own, strict=True)):
            return plan
    return result


def _scan(plan: Scan, terms: Terms) -> Plan:
    if not terms:
        return plan
    down, stay = movable(terms, lambda t: bool(references(t)))
    known = dict.fromkeys(conjuncts(plan.predicate))
    predicate = conjunction([*known, *(t for t in dict.fromkeys(down) if t not in known)])
    return filtered(replace(plan, predicate=predicate) if down else plan, stay)


def _project(plan: Project, terms: Terms) -> Plan:
    mapping: dict[int, Expr] = {}
    fixed: set[int] = set()
    for column, expr in zip(plan.columns, plan.exprs, strict=True):
        if is_volatile(expr):
            fixed.add(column.id)
        elif not (isinstance(expr, ColumnRef) and expr.id == column.id):
            mapping[column.id] = expr
    down, stay = movable(terms, lambda t: references(t).isdisjoint(fixed))
    below = push(plan.input, [substitute(t, mapping) for t in down])
    return filtered(with_inputs(plan, (below,)), stay)


def _aggregate(plan: Aggregate, terms: Terms) -> Plan:
    mapping: dict[int, Expr] = {
        c.id: e for c, e in zip(plan.group_columns, plan.groups, strict=True) if not is_volatile(e)
    }
    # Without groups there is a row whatever is filtered below.
    down, stay = movable(terms, lambda t: bool(references(t)) and references(t) <= mapping.keys())
    below = push(plan.input, [substitute(t, mapping) for t in down])
    return filtered(with_inputs(plan, (below,)), stay)


def _distinct(plan: Distinct, terms: Terms) -> Plan:
    on = {e.id for e in plan.on if isinstance(e, ColumnRef)}
    down, stay = movable(terms, lambda t: not plan.on or (bool(references(t)) and references(t) <= on))
    return filtered(with_inputs(plan, (push(plan.input, down),)), stay)


def _window(plan: Window, terms: Terms) -> Plan:
    """A condition on what rows are partitioned by drops whole partitions."""
    by = {e.id for e in plan.partition if isinstance(e, ColumnRef)}
    down, stay = movable(terms, lambda t: bool(references(t)) and references(t) <= by)
    return filtered(with_inputs(plan, (push(plan.input, down),)), stay)


def _unnest(plan: Unnest, terms: Terms) -> Plan:
    """A condition on the rows below drops all that come of them."""
    down, stay = movable(terms, lambda t: bool(references(t)) and references(t) <= plan.input.ids)
    return filtered(with_inputs(plan, (push(plan.input, down),)), stay)


def _sort(plan: Sort, terms: Terms) -> Plan:
    down, stay = movable(terms, lambda t: True)
    return filtered(with_inputs(plan, (push(plan.input, down),)), stay)


def _set_inputs(plan: UnionAll | SetOp, terms: Terms) -> Plan:
    """The same condition on every branch, told in its columns."""
    down, stay = movable(terms, lambda t: True)
    branches = []
    for branch in plan.inputs:
        mapping: dict[int, Expr] = {c.id: ref(s) for c, s in zip(plan.columns, branch.schema, strict=True)}
        branches.append(push(branch, [substitute(t, mapping) for t in down]))
    return filtered(with_inputs(plan, tuple(branches)), stay)


def _cte(plan: Cte, terms: Terms) -> Plan:
    return with_inputs(plan, (push(plan.definition, []), push(plan.body, terms)))


def _join(plan: Join, terms: Terms) -> Plan:
    return push_into_join(plan, terms, push, movable)


_PUSH: dict[type[Plan], Callable[[Any, Terms], Plan]] = {
    Filter: _filter,
    Scan: _scan,
    Project: _project,
    Aggregate: _aggregate,
    Distinct: _distinct,
    Window: _window,
    Unnest: _unnest,
    Sort: _sort,
    UnionAll: _set_inputs,
    SetOp: _set_inputs,
    Cte: _cte,
    Join: _join,
}
