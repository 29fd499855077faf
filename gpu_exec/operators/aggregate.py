"""Aggregate: groups rows and computes functions over each group; without functions this is DISTINCT.

Every batch becomes a small table of groups with partial results; at the end those are merged in the same way.
Where a function has no partial results (a median, DISTINCT), the rows are kept instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ...physical.batch import Batch
from ...physical.context import Task
from ...physical.operators import SinkBase
from ...physical.pipeline import AggregateSink, Flow, Rows
from ..expressions import evaluate
from ..ops import Ops
from ..values import Evaluation, Value, raise_failures
from .aggregate_plan import plan_call
from .base import device_batch, ops_of
from .concat import concat_batches, together
from .grouping import group_rows
from .registry import implements


@dataclass(frozen=True)
class Table:
    """Keys and, call by call, other columns (partial results or arguments) of groups or rows of a morsel."""

    seq: int
    rows: int
    keys: list[Any]
    calls: list[list[Any]]


@dataclass
class Local:
    """One task's tables."""

    ops: Ops
    tables: list[Table] = field(default_factory=list)


@implements(AggregateSink)
class Aggregate(SinkBase):
    """One row a group, in the order of their first rows; without GROUP BY one row, also for no input."""

    def __init__(self, spec: AggregateSink, backend: Any) -> None:
        self.node = node = spec.node
        self.op_id = node.op_id
        self.schema = node.schema
        self.plans = [plan_call(call, grouped=bool(node.groups)) for call in node.calls]
        self.exprs = [*node.groups, *(expr for plan in self.plans for expr in plan.exprs)]
        self.mergeable = all(plan.mergeable for plan in self.plans)

    def start(self, task: Task) -> Local:
        """No groups yet."""
        return Local(ops_of(task))

    def add(self, local: Local, batch: Batch, seq: int) -> Flow:
        """Keeps the partial results of the batch, or its keys and arguments."""
        values = evaluate(self.exprs, batch, local.ops)
        raise_failures(local.ops, [failure for value in values for failure in value.failures])
        local.tables.append(self._table(values, Evaluation(local.ops, batch.num_rows), seq))
        return Flow.MORE

    def _table(self, values: Sequence[Value], run: Evaluation, seq: int) -> Table:
        keys = [run.column(value) for value in values[: len(self.node.groups)]]
        args = self._by_call(values[len(keys) :])
        if self.mergeable:
            return self._partial(keys, args, run, seq)
        return Table(seq, run.rows, keys, [[run.column(arg) for arg in some] for some in args])

    def _by_call(self, values: Sequence[Any]) -> list[list[Any]]:
        found, at = [], 0
        for plan in self.plans:
            found.append(list(values[at : at + len(plan.exprs)]))
            at += len(plan.exprs)
        return found

    def _partial(self, keys: list[Any], args: list[list[Value]], run: Evaluation, seq: int) -> Table:
        groups = group_rows(keys, run.rows, run.ops)
        partial = [plan.partial(some, groups, run) for plan, some in zip(self.plans, args, strict=True)]
        return Table(seq, groups.count, groups.keys, partial)

    def finish(self, parts: Sequence[Local], task: Task) -> Rows:
        """Merges the tables, or computes over all kept rows, and finishes the calls."""
        ops = ops_of(task)
        tables = sorted((table for local in parts for table in local.tables), key=lambda table: table.seq)
        if not tables:
            if self.node.groups:
                return Rows(self.schema)
            tables = [self._of_nothing(ops)]
        result = self._merged(tables, ops) if self.mergeable else self._whole(tables, ops)
        done = [plan.finish(columns, ops) for plan, columns in zip(self.plans, result.calls, strict=True)]
        task.metrics(self.op_id).rows += result.rows
        rows = device_batch(self.schema, [*result.keys, *done], result.rows)
        return Rows(self.schema, [rows] if result.rows else [])

    def _of_nothing(self, ops: Ops) -> Table:
        """The table of no rows, where there is one group all the same."""
        nothing = concat_batches(self.node.input.schema, [], ops)
        return self._table(evaluate(self.exprs, nothing, ops), Evaluation(ops, 0), 0)

    def _merged(self, tables: Sequence[Table], ops: Ops) -> Table:
        if len(tables) == 1:
            return tables[0]
        keys, calls, rows = _stacked(tables, ops)
        groups = group_rows(keys, rows, ops)
        merged = [plan.merge(columns, groups) for plan, columns in zip(self.plans, calls, strict=True)]
        return Table(0, groups.count, groups.keys, merged)

    def _whole(self, tables: Sequence[Table], ops: Ops) -> Table:
        """All kept rows as one batch."""
        keys, calls, rows = _stacked(tables, ops)
        args = [
            [Value(expr.type, column) for expr, column in zip(plan.exprs, columns, strict=True)]
            for plan, columns in zip(self.plans, calls, strict=True)
        ]
        return self._partial(keys, args, Evaluation(ops, rows), 0)


def _stacked(tables: Sequence[Table], ops: Ops) -> tuple[list[Any], list[list[Any]], int]:
    """The tables one below the other: keys, columns by call, rows."""
    keys = [together([table.keys[i] for table in tables], ops) for i in range(len(tables[0].keys))]
    calls = [
        [together([table.calls[i][j] for table in tables], ops) for j in range(len(columns))]
        for i, columns in enumerate(tables[0].calls)
    ]
    return keys, calls, sum(table.rows for table in tables)
