"""Walking and rebuilding plans."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from ..expr import Expr, Literal, SortKey, substitute
from .base import Plan
from .joins import Join
from .recursion import Recursion
from .relations import Aggregate, Distinct, Filter, Limit, Project, Scan, Sort, Unnest, Values, Window
from .sets import Cte, SetOp, UnionAll

_INPUT_FIELDS: dict[type, tuple[str, ...]] = {
    Join: ("left", "right"),
    SetOp: ("left", "right"),
    Cte: ("definition", "body"),
    Recursion: ("anchor", "step"),
}


def with_inputs(plan: Plan, new: tuple[Plan, ...]) -> Plan:
    """The same node over new inputs; the same object if they are the same."""
    if all(a is b for a, b in zip(plan.inputs, new, strict=True)):
        return plan
    if isinstance(plan, UnionAll):
        return replace(plan, branches=new)
    return replace(plan, **dict(zip(_INPUT_FIELDS.get(type(plan), ("input",)), new, strict=True)))


def map_expressions(plan: Plan, change: Callable[[Expr], Expr]) -> Plan:
    """Applies `change` to every expression of this node; the same object if none changed."""
    old = plan.expressions
    new = [change(e) for e in old]
    if all(a is b for a, b in zip(old, new, strict=True)):
        return plan
    it = iter(new)

    def keys(old_keys: tuple[SortKey, ...]) -> tuple[SortKey, ...]:
        return tuple(replace(k, expr=next(it)) for k in old_keys)

    updates: dict[str, Any]
    match plan:
        case Scan() | Filter():
            updates = {"predicate": next(it)}
        case Values():
            rows = [tuple([e if isinstance(e, Literal) else next(it) for e in row]) for row in plan.rows]
            updates = {"rows": tuple(rows)}
        case Project():
            updates = {"exprs": tuple(it)}
        case Join():
            condition = None if plan.condition is None else next(it)
            updates = {"condition": condition, "mark_terms": tuple(it)}
        case Aggregate():
            groups = tuple(next(it) for _ in plan.groups)
            updates = {"groups": groups, "calls": tuple(it)}
        case Window():
            partition = tuple(next(it) for _ in plan.partition)
            updates = {"partition": partition, "order": keys(plan.order), "calls": tuple(it)}
        case Distinct():
            updates = {"on": tuple(next(it) for _ in plan.on), "order": keys(plan.order)}
        case Unnest():
            updates = {"lists": tuple(it)}
        case Sort():
            updates = {"keys": keys(plan.keys)}
        case Limit():
            updates = {"keys": keys(plan.keys)}
            if isinstance(plan.limit, Expr):
                updates["limit"] = next(it)
            if isinstance(plan.offset, Expr):
                updates["offset"] = next(it)
        case _:
            raise AssertionError(type(plan))
    return replace(plan, **updates)


def transform_plan(plan: Plan, visit: Callable[[Plan], Plan]) -> Plan:
    """Rebuilds bottom-up; `visit` sees each node after its inputs. Subquery plans inside expressions are not
    entered.
    """
    inputs = plan.inputs
    if inputs:
        plan = with_inputs(plan, tuple(transform_plan(child, visit) for child in inputs))
    return visit(plan)


def walk_plan(plan: Plan) -> Iterator[Plan]:
    """Every node, parents first, without recursion; subquery plans are not entered."""
    stack = [plan]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(node.inputs))


def substitute_plan(plan: Plan, mapping: dict[int, Expr]) -> Plan:
    """Replaces outer references of a plan by expressions (used when an outer column is renamed)."""
    if plan.outer_references.isdisjoint(mapping):
        return plan
    new = tuple(substitute_plan(child, mapping) for child in plan.inputs)
    return map_expressions(with_inputs(plan, new), lambda e: substitute(e, mapping))
