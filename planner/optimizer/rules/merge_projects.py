"""Puts adjacent projections together and drops those that change nothing.

sql: SELECT y + 1 AS z FROM (SELECT a AS x, a + b AS y FROM t)
before:
    Project (y + 1) AS z
      Project a, (a + b) AS y
        Scan t [a, b, s, d, p, x]
after:
    Project ((a + b) + 1) AS z
      Scan t [a, b, s, d, p, x]
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from enum import IntEnum

from ...expr import AggregateCall, ColumnRef, Expr, Literal, references, substitute, walk
from ...logical import (
    Aggregate,
    Cte,
    Distinct,
    Filter,
    Join,
    Limit,
    Plan,
    Project,
    SetOp,
    Sort,
    UnionAll,
    Unnest,
    Window,
    with_inputs,
)
from ..build import same_columns
from ..context import OptimizerContext
from ..properties import is_volatile


def merge_projects(plan: Plan, context: OptimizerContext) -> Plan:
    """One walk from the leaves up. What is computed is not computed twice."""
    return _visit(plan, _Matters.NAMES)


class _Matters(IntEnum):
    """What of a node's schema its parent relies on, beside the ids."""

    NOTHING = 0
    ORDER = 1
    NAMES = 2


def _visit(plan: Plan, matters: _Matters) -> Plan:
    match plan:
        case UnionAll() | SetOp():
            below = [_Matters.ORDER] * len(plan.inputs)
        case Cte():
            below = [_Matters.ORDER, matters]
        case Filter() | Sort() | Limit() | Distinct() | Window() | Unnest():
            below = [matters]
        case Join():
            below = [min(matters, _Matters.ORDER)] * 2
        case _:
            below = [_Matters.NOTHING] * len(plan.inputs)
    plan = with_inputs(plan, tuple(_visit(c, m) for c, m in zip(plan.inputs, below, strict=True)))
    if isinstance(plan, Project):
        return _project(plan, matters)
    if isinstance(plan, Aggregate):
        return _aggregate(plan)
    return plan


def _project(plan: Project, matters: _Matters) -> Plan:
    if isinstance(plan.input, Project):
        merged = _substituted(plan.exprs, plan.input)
        if merged is not None:
            plan = Project(plan.input.input, plan.columns, merged)
    if not _plain(plan):
        return plan
    source = plan.input.schema
    if matters is _Matters.NOTHING:
        # The same columns in another order.
        same = len(plan.columns) == len(source) and {c.id for c in plan.columns} == plan.input.ids
        return plan.input if same else plan
    if not same_columns(plan.columns, source):
        return plan
    renamed = any(a.name != b.name for a, b in zip(plan.columns, source, strict=True))
    return plan if renamed and matters is _Matters.NAMES else plan.input


def _plain(plan: Project) -> bool:
    return all(
        isinstance(e, ColumnRef) and e.id == c.id for c, e in zip(plan.columns, plan.exprs, strict=True)
    )


def _aggregate(plan: Aggregate) -> Plan:
    if not isinstance(plan.input, Project):
        return plan
    merged = _substituted(plan.expressions, plan.input)
    if merged is None:
        return plan
    groups = merged[: len(plan.groups)]
    calls = tuple(e for e in merged[len(groups) :] if isinstance(e, AggregateCall))
    return replace(plan, input=plan.input.input, groups=groups, calls=calls)


def _substituted(exprs: tuple[Expr, ...], below: Project) -> tuple[Expr, ...] | None:
    """Expressions told in the columns below a projection; None if that would compute something twice or move
    what is volatile.
    """
    mapping: dict[int, Expr] = {}
    computed: set[int] = set()
    for column, expr in zip(below.columns, below.exprs, strict=True):
        if isinstance(expr, ColumnRef):
            if expr.id != column.id:
                mapping[column.id] = expr
            continue
        mapping[column.id] = expr
        if is_volatile(expr):
            return None
        if not isinstance(expr, Literal):
            computed.add(column.id)
    if computed:
        uses: Counter[int] = Counter()
        for expr in exprs:
            if not references(expr).isdisjoint(computed):
                uses.update(n.id for n in walk(expr) if isinstance(n, ColumnRef) and n.id in computed)
        if any(count > 1 for count in uses.values()):
            return None
    return tuple(substitute(e, mapping) for e in exprs)
