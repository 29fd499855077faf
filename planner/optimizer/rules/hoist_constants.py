"""Takes constants out of sums and averages of all rows: they are added once, not to every row.

As in DuckDB: whole numbers with a sign, of two bytes or more, and not where there are groups, FILTER or
DISTINCT. So a sum of values that would not fit their type is no error where the sum itself fits. Nor is an
average, if no value is NULL: else the values are counted as they were written.

sql: SELECT sum(a + 1), sum(a + 2) FROM t
before:
    Project sum, sum:2
      Aggregate: sum((a + 1)) AS sum, sum((a + 2)) AS sum:2
        Scan t [a, b, s, d, p, x]
after:
    Project sum:2, sum:3
      Project (sum + (1 * CAST(count AS HUGEINT))) AS sum:2, (sum + (2 * CAST(count AS HUGEINT))) AS sum:3
        Aggregate: count(a) AS count, sum(a) AS sum
          Scan t [a, b, s, d, p, x]
"""

from __future__ import annotations

from dataclasses import replace

from ...expr import AggregateCall, Call, Cast, Column, Expr, Literal, ref
from ...logical import Aggregate, ColumnIds, Plan, Project, transform_plan
from ...types import BIGINT, DOUBLE, HUGEINT, SQLType, TypeId
from ..context import OptimizerContext

_SIGNED = frozenset({TypeId.SMALLINT, TypeId.INTEGER, TypeId.BIGINT, TypeId.HUGEINT})


def hoist_constants(plan: Plan, context: OptimizerContext) -> Plan:
    """One walk; after constants were folded, before projections are merged."""
    return transform_plan(plan, lambda node: _visit(node, context.ids))


def _visit(node: Plan, ids: ColumnIds) -> Plan:
    if not isinstance(node, Aggregate) or node.groups:
        return node
    hoisted = [_hoisted(call) for call in node.calls]
    if not any(hoisted):
        return node
    totals = _Totals(ids)
    exprs: list[Expr] = []
    for column, call, found in zip(node.call_columns, node.calls, hoisted, strict=True):
        if found is None:
            totals.columns.append(column)
            totals.calls.append(call)
            exprs.append(ref(column))
        else:
            exprs.append(totals.value(call, *found))
    inner = replace(node, call_columns=tuple(totals.columns), calls=tuple(totals.calls))
    return Project(inner, node.schema, tuple(exprs))


def _hoisted(call: AggregateCall) -> tuple[Expr, int] | None:
    """What to sum instead, and what to add to each value; None where that is not the same."""
    if call.function not in ("sum", "avg") or call.distinct or call.filter is not None:
        return None
    value, more = call.args[0], 0
    while (found := _addend(value)) is not None:
        value, more = found[0], more + found[1]
    return None if value is call.args[0] else (value, more)


def _addend(value: Expr) -> tuple[Expr, int] | None:
    """The sides of an addition of a constant."""
    if not isinstance(value, Call) or value.function != "+" or value.type.id not in _SIGNED:
        return None
    left, right = value.args
    if isinstance(left, Literal):
        left, right = right, left
    if not isinstance(right, Literal) or right.value is None or isinstance(left, Literal):
        return None
    return (left, right.value) if left.type == value.type == right.type else None


class _Totals:
    """The aggregates that take the place of those with constants, each once."""

    def __init__(self, ids: ColumnIds) -> None:
        self.ids = ids
        self.columns: list[Column] = []
        self.calls: list[AggregateCall] = []
        self._made: dict[tuple[str, Expr], Column] = {}

    def value(self, call: AggregateCall, value: Expr, more: int) -> Expr:
        """The result of `call`, a sum or average of `value` + `more`."""
        count = ref(self._column("count", value, BIGINT))
        total: Expr = ref(self._column("sum", value, HUGEINT))
        added = Call(HUGEINT, "*", (Literal(HUGEINT, more), Cast(HUGEINT, count)))
        total = Call(HUGEINT, "+", (total, added))
        if call.function == "sum":
            return total
        written = ref(self._column("count", call.args[0], BIGINT))
        return Call(DOUBLE, "/", (Cast(DOUBLE, total), Cast(DOUBLE, written)))

    def _column(self, function: str, value: Expr, type_: SQLType) -> Column:
        key = (function, value)
        if key not in self._made:
            self._made[key] = self.ids.column(function, type_)
            self.columns.append(self._made[key])
            self.calls.append(AggregateCall(type_, function, (value,)))
        return self._made[key]
