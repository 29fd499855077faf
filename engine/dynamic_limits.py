"""LIMIT and OFFSET given by a subquery: the subquery runs first, then the plan has a constant."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..planner import messages_runtime as messages
from ..planner.expr import Expr, Literal
from ..planner.logical import ColumnIds, Limit, Plan, Project, Values, transform_plan, walk_plan
from ..planner.statements import Query
from ..planner.types import BIGINT

if TYPE_CHECKING:
    from .session import Session


def resolve_limits(plan: Plan, session: Session, ids: ColumnIds, sql: str) -> Plan:
    """The plan with every LIMIT/OFFSET expression replaced by its value."""
    limits = [n for n in walk_plan(plan) if isinstance(n, Limit) and (_open(n.limit) or _open(n.offset))]
    if not limits:
        return plan

    def value(expr: int | Expr | None) -> int | None:
        if expr is None or isinstance(expr, int):
            return expr
        if isinstance(expr, Literal):
            return expr.value
        if Project(Values((), ((),)), (), (expr,)).outer_references:
            raise messages.correlated_limit(expr.span)
        column = ids.column("limit", BIGINT)
        one = Query(Project(Values((), ((),)), (column,), (expr,)), ("limit",))
        found = [v for batch in session.run(one, sql) for v in batch.columns[0].to_pylist()]
        if found[0] is not None and found[0] < 0:
            raise messages.limit_below_zero(expr.span)
        return None if found[0] is None else int(found[0])

    # By expression, as a node is made anew when one below it is. They run here, not where the plan recurses.
    given = [expr for node in reversed(limits) for expr in (node.limit, node.offset) if _open(expr)]
    values = {id(expr): value(expr) for expr in given}

    def known(expr: int | Expr | None) -> int | None:
        return values[id(expr)] if isinstance(expr, Expr) else expr

    def visit(node: Plan) -> Plan:
        if isinstance(node, Limit) and (_open(node.limit) or _open(node.offset)):
            return replace(node, limit=known(node.limit), offset=known(node.offset) or 0)
        return node

    return session.deep(lambda: transform_plan(plan, visit))


def _open(value: int | Expr | None) -> bool:
    return isinstance(value, Expr)
