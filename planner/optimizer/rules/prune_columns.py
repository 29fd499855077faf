"""Reads, computes and keeps only the columns that something above uses.

sql: SELECT x.n FROM (SELECT a, a + b AS ab, count(*) AS n, max(p) AS m FROM t GROUP BY a, ab) x
before:
    Project count_star
      Project a, group, count_star, max
        Aggregate by a, (a + b) AS group: count(*) AS count_star, max(p) AS max
          Scan t [a, b, s, d, p, x]
after:
    Project count_star
      Project count_star
        Aggregate by a, (a + b) AS group: count(*) AS count_star
          Scan t [a, b]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from ...expr import AggregateCall, Expr, references
from ...logical import (
    Aggregate,
    Cte,
    CteRef,
    Distinct,
    Join,
    JoinKind,
    Plan,
    Project,
    Recursion,
    Scan,
    SetOp,
    UnionAll,
    Unnest,
    Values,
    Window,
    WorkingRef,
    transform_plan,
    with_inputs,
)
from ..build import with_schema
from ..context import OptimizerContext
from ..uniqueness import matches_at_most_one

Ids = frozenset[int]


def prune_columns(plan: Plan, context: OptimizerContext) -> Plan:
    """One walk from the root down with the ids that are needed above."""
    return with_schema(_Pruner().prune(plan, plan.ids), plan.schema)


def _reads(exprs: Iterable[Expr]) -> Ids:
    found: Ids = frozenset()
    for expr in exprs:
        found |= references(expr)
    return found


class _Pruner:
    def __init__(self) -> None:
        # Positions of CTE definitions that some reference reads.
        self.positions: dict[int, set[int]] = {}

    def prune(self, plan: Plan, needed: Ids) -> Plan:
        """The plan with the needed columns and as few others as possible, in the same order."""
        handler = _PRUNE.get(type(plan))
        if handler is not None:
            return handler(self, plan, needed)
        # Filter, Sort, Limit: what is needed above, and what they read.
        wanted = needed | _reads(plan.expressions)
        return with_inputs(plan, tuple(self.prune(c, wanted & c.ids) for c in plan.inputs))

    def scan(self, plan: Scan, needed: Ids) -> Plan:
        wanted = needed | _reads(plan.expressions)
        if wanted >= plan.ids:
            return plan
        kept = [i for i, c in enumerate(plan.columns) if c.id in wanted]
        return replace(
            plan,
            columns=tuple(plan.columns[i] for i in kept),
            names=tuple(plan.names[i] for i in kept),
        )

    def values(self, plan: Values, needed: Ids) -> Plan:
        if needed >= plan.ids:
            return plan
        kept = [i for i, c in enumerate(plan.columns) if c.id in needed]
        rows = tuple(tuple(row[i] for i in kept) for row in plan.rows)
        return Values(tuple(plan.columns[i] for i in kept), rows)

    def project(self, plan: Project, needed: Ids) -> Plan:
        if not needed >= plan.ids:
            kept = [i for i, c in enumerate(plan.columns) if c.id in needed]
            plan = Project(
                plan.input, tuple(plan.columns[i] for i in kept), tuple(plan.exprs[i] for i in kept)
            )
        return with_inputs(plan, (self.prune(plan.input, _reads(plan.exprs)),))

    def aggregate(self, plan: Aggregate, needed: Ids) -> Plan:
        kept = [i for i, c in enumerate(plan.call_columns) if c.id in needed]
        if len(kept) < len(plan.calls):
            calls: tuple[AggregateCall, ...] = tuple(plan.calls[i] for i in kept)
            plan = replace(plan, call_columns=tuple(plan.call_columns[i] for i in kept), calls=calls)
        return with_inputs(plan, (self.prune(plan.input, _reads(plan.expressions)),))

    def distinct(self, plan: Distinct, needed: Ids) -> Plan:
        wanted = needed | _reads(plan.expressions) if plan.on else plan.ids
        return with_inputs(plan, (self.prune(plan.input, wanted),))

    def window(self, plan: Window, needed: Ids) -> Plan:
        kept = [i for i, c in enumerate(plan.call_columns) if c.id in needed]
        if not kept:
            return self.prune(plan.input, needed)
        if len(kept) < len(plan.calls):
            calls = tuple(plan.calls[i] for i in kept)
            plan = replace(plan, call_columns=tuple(plan.call_columns[i] for i in kept), calls=calls)
        wanted = (needed | _reads(plan.expressions)) & plan.input.ids
        return with_inputs(plan, (self.prune(plan.input, wanted),))

    def unnest(self, plan: Unnest, needed: Ids) -> Plan:
        """All lists stay: each may be the longest one."""
        wanted = (needed | _reads(plan.lists)) & plan.input.ids
        if plan.ordinality is not None and plan.ordinality.id not in needed:
            plan = replace(plan, ordinality=None)
        return with_inputs(plan, (self.prune(plan.input, wanted),))

    def join(self, plan: Join, needed: Ids) -> Plan:
        if _is_idle(plan, needed):
            return self.prune(plan.left, needed & plan.left.ids)
        wanted = needed | _reads(plan.expressions)
        left, right = plan.left, plan.right
        return with_inputs(plan, (self.prune(left, wanted & left.ids), self.prune(right, wanted & right.ids)))

    def union(self, plan: UnionAll, needed: Ids) -> Plan:
        kept = [i for i, c in enumerate(plan.columns) if c.id in needed]
        branches = []
        for branch in plan.branches:
            columns = [branch.schema[i] for i in kept]
            pruned = self.prune(branch, frozenset(c.id for c in columns))
            branches.append(with_schema(pruned, columns))
        if len(kept) < len(plan.columns):
            return UnionAll(tuple(branches), tuple(plan.columns[i] for i in kept))
        return with_inputs(plan, tuple(branches))

    def set_operation(self, plan: SetOp, needed: Ids) -> Plan:
        # Every column decides which rows are equal.
        return with_inputs(plan, tuple(with_schema(self.prune(c, c.ids), c.schema) for c in plan.inputs))

    def cte_reference(self, plan: CteRef, needed: Ids) -> Plan:
        kept = [i for i, c in enumerate(plan.columns) if c.id in needed]
        self.positions.setdefault(plan.cte_id, set()).update(plan.positions[i] for i in kept)
        if len(kept) == len(plan.columns):
            return plan
        return replace(
            plan,
            columns=tuple(plan.columns[i] for i in kept),
            positions=tuple(plan.positions[i] for i in kept),
        )

    def recursion(self, plan: Recursion, needed: Ids) -> Plan:
        # What is not read above may still be read by the next round.
        parts = ((plan.anchor, plan.anchor_columns), (plan.step, plan.step_columns))
        return with_inputs(plan, tuple(self.prune(p, frozenset(c.id for c in read)) for p, read in parts))

    def working_reference(self, plan: WorkingRef, needed: Ids) -> Plan:
        kept = [i for i, c in enumerate(plan.columns) if c.id in needed]
        if len(kept) == len(plan.columns):
            return plan
        columns = tuple(plan.columns[i] for i in kept)
        return replace(plan, columns=columns, positions=tuple(plan.positions[i] for i in kept))

    def cte(self, plan: Cte, needed: Ids) -> Plan:
        body = self.prune(plan.body, needed)
        schema = plan.definition.schema
        kept = sorted(self.positions.get(plan.cte_id, ()))
        columns = [schema[p] for p in kept]
        definition = self.prune(plan.definition, frozenset(c.id for c in columns))
        definition = with_schema(definition, columns)
        if len(kept) < len(schema):
            body = _repositioned(body, plan.cte_id, {old: new for new, old in enumerate(kept)})
        return with_inputs(plan, (definition, body))


def _is_idle(join: Join, needed: Ids) -> bool:
    """Whether a join neither adds needed columns nor changes the number of rows."""
    if join.kind is JoinKind.MARK:
        return join.mark is not None and join.mark.id not in needed
    if join.kind is not JoinKind.LEFT or not needed.isdisjoint(join.right.ids):
        return False
    return matches_at_most_one(join.right, join.condition, join.left)


def _repositioned(plan: Plan, cte_id: int, positions: dict[int, int]) -> Plan:
    def visit(node: Plan) -> Plan:
        if isinstance(node, CteRef) and node.cte_id == cte_id:
            return replace(node, positions=tuple(positions[p] for p in node.positions))
        return node

    return transform_plan(plan, visit)


_PRUNE: dict[type[Plan], Callable[[_Pruner, Any, Ids], Plan]] = {
    Scan: _Pruner.scan,
    Values: _Pruner.values,
    Project: _Pruner.project,
    Aggregate: _Pruner.aggregate,
    Distinct: _Pruner.distinct,
    Window: _Pruner.window,
    Unnest: _Pruner.unnest,
    Join: _Pruner.join,
    UnionAll: _Pruner.union,
    SetOp: _Pruner.set_operation,
    CteRef: _Pruner.cte_reference,
    Cte: _Pruner.cte,
    Recursion: _Pruner.recursion,
    WorkingRef: _Pruner.working_reference,
}
