"""Aggregate: groups rows and computes functions over each group; without functions this is DISTINCT.

Every batch becomes a small table of groups with partial results; at the end those are merged in the same way.
Where a function has no partial results (a median, DISTINCT), the rows are kept instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...physical.batch import Batch
from ...physical.context import Task
from ...physical.operators import SinkBase, in_order
from ...physical.pipeline import AggregateSink, Flow
from ..expressions import checked
from ..held import HeldBatch
from ..ops import Ops
from ..values import Evaluation, Value
from .aggregate_plan import plan_call
from .aggregate_tables import HeldTable, Table
from .base import HeldRows, Kept, device_batch, in_steps, ops_of
from .concat import concat_batches
from .group_parts import GroupParts
from .grouping import group_rows
from .registry import implements


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

    def start(self, task: Task) -> Kept[HeldTable]:
        """No groups yet."""
        return Kept(ops_of(task), task)

    def add(self, local: Kept[HeldTable], batch: Batch, seq: int) -> Flow:
        """Keeps the partial results of the batch, or its keys and arguments."""
        ops = local.ops
        for table in in_steps(batch, lambda part: HeldTable(self._table(part, ops), ops), ops, local.task):
            local.parts.append((seq, table))
        return Flow.MORE

    def _table(self, batch: Batch, ops: Ops) -> Table:
        values = checked(self.exprs, batch, ops)
        run = Evaluation(ops, batch.num_rows)
        keys = [run.column(value) for value in values[: len(self.node.groups)]]
        args = self._by_call(values[len(keys) :])
        if self.mergeable:
            return self._partial(Table(run.rows, keys, []), args, run)
        return Table(run.rows, keys, [[run.column(arg) for arg in some] for some in args])

    def _by_call(self, values: Sequence[Any]) -> list[list[Any]]:
        found, at = [], 0
        for plan in self.plans:
            found.append(list(values[at : at + len(plan.exprs)]))
            at += len(plan.exprs)
        return found

    def _partial(self, rows: Table, args: list[list[Value]], run: Evaluation) -> Table:
        """The groups of some rows with partial results."""
        groups = group_rows(rows.keys, run.rows, run.ops)
        partial = [plan.partial(some, groups, run) for plan, some in zip(self.plans, args, strict=True)]
        return Table(groups.count, groups.keys, partial, rows.first_places(groups))

    def combined(self, table: Table, ops: Ops) -> Table:
        """The groups of a table of partial results, or of kept rows, with partial results."""
        if not self.mergeable:
            args = [
                [Value(expr.type, column) for expr, column in zip(plan.exprs, columns, strict=True)]
                for plan, columns in zip(self.plans, table.calls, strict=True)
            ]
            return self._partial(table, args, Evaluation(ops, table.rows))
        groups = group_rows(table.keys, table.rows, ops)
        merged = [plan.merge(columns, groups) for plan, columns in zip(self.plans, table.calls, strict=True)]
        return Table(groups.count, groups.keys, merged, table.first_places(groups))

    def finished(self, table: Table, ops: Ops) -> Batch:
        """The rows of combined groups."""
        done = [plan.finish(columns, ops) for plan, columns in zip(self.plans, table.calls, strict=True)]
        return device_batch(self.schema, [*table.keys, *done], table.rows)

    def finish(self, parts: Sequence[Kept[HeldTable]], task: Task) -> HeldRows:
        """Merges the tables, or computes over all kept rows, and finishes the calls."""
        ops = ops_of(task)
        tables = in_order(parts)
        if tables:
            batches = GroupParts(self, ops, task).rows(tables)
        elif self.node.groups:
            batches = []
        else:
            batches = [ops.memory.run(lambda: HeldBatch(self._of_nothing(ops), ops), task.check)]
        rows = HeldRows(self.schema, batches)
        task.metrics(self.op_id).rows += sum(part.num_rows for part in rows.parts)
        return rows

    def _of_nothing(self, ops: Ops) -> Batch:
        """The one row of no rows, where there is one group all the same."""
        nothing = concat_batches(self.node.input.schema, [], ops)
        table = self._table(nothing, ops)
        return self.finished(table if self.mergeable else self.combined(table, ops), ops)
