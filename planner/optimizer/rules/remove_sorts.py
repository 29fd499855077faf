"""Drops sorts whose order nobody sees: below grouping, joins, set operations, and another sort.

sql: SELECT max(a) FROM (SELECT a FROM t ORDER BY b)
before:
    Project max
      Aggregate: max(a) AS max
        Project a
          Sort b
            Project a, b
              Scan t [a, b, s, d, p, x]
after:
    Project max
      Aggregate: max(a) AS max
        Project a
          Project a, b
            Scan t [a, b, s, d, p, x]
"""

from __future__ import annotations

from ...functions import AGGREGATES
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
    SetOp,
    Sort,
    UnionAll,
    with_inputs,
)
from ..context import OptimizerContext

# Rows come out as the left side gives them; for other kinds the sides may change places.
_KEEPS_LEFT_ORDER = (JoinKind.LEFT, JoinKind.SINGLE, JoinKind.SEMI, JoinKind.ANTI, JoinKind.MARK)


def remove_sorts(plan: Plan, context: OptimizerContext) -> Plan:
    """One walk from the root down."""
    return _visit(plan, ordered=True)


def _visit(plan: Plan, ordered: bool) -> Plan:
    """`ordered`: whether the order of the rows is seen above."""
    match plan:
        case Sort(input=source):
            if not ordered:
                return _visit(source, False)
            return with_inputs(plan, (_visit(source, False),))
        case Filter() | Project() | UnionAll():
            below = [ordered] * len(plan.inputs)
        case Limit(keys=keys):
            below = [not keys]
        case Aggregate(calls=calls):
            below = [any(_sees_order(c.function) and not c.order_by for c in calls)]
        case Distinct(order=order):
            # The first of equal rows is kept; rows that are equal in all columns are the same row.
            below = [ordered or bool(plan.on and not order)]
        case Join(kind=kind):
            below = [ordered and kind in _KEEPS_LEFT_ORDER, False]
        case SetOp():
            below = [False, False]
        case Cte():
            # References may stand anywhere, under a LIMIT too.
            below = [True, ordered]
        case _:
            below = [True] * len(plan.inputs)
    return with_inputs(plan, tuple(_visit(c, o) for c, o in zip(plan.inputs, below, strict=True)))


def _sees_order(name: str) -> bool:
    function = AGGREGATES.get(name)
    return function is None or function.order_sensitive
