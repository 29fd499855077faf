"""Limit: rows offset .. offset + limit in input order, stopping its input early."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...physical.batch import Batch
from ...physical.context import Task
from ...physical.operators import RowLimit, SinkBase, in_order
from ...physical.pipeline import Flow, LimitSink
from .base import HeldRows, KeptRows, cut, ops_of
from .registry import implements


@implements(LimitSink)
class Limit(SinkBase):
    """The first `offset + limit` rows by (seq, arrival), without the first `offset`."""

    def __init__(self, spec: LimitSink, backend: Any) -> None:
        self.op_id = spec.node.op_id
        self.columns = spec.node.schema
        self.limit = RowLimit(spec.node)

    def start(self, task: Task) -> KeptRows:
        """No rows yet."""
        return KeptRows(ops_of(task), task)

    def add(self, local: KeptRows, batch: Batch, seq: int) -> Flow:
        """Keeps what may still be among the first rows; a whole batch, it is cut at the end."""
        if self.limit.need is None:
            local.keep(batch, seq)
            return Flow.MORE
        before = self.limit.saw(seq, batch.num_rows)
        if before < self.limit.need:
            local.keep(batch, seq)
        return Flow.DONE if before + batch.num_rows >= self.limit.need else Flow.MORE

    def end_morsel(self, local: KeptRows, seq: int) -> Flow:
        """Other tasks may have found enough rows in morsels up to this one."""
        return self.limit.flow(seq)

    def finish(self, parts: Sequence[KeptRows], task: Task) -> HeldRows:
        """Cuts offset and limit out of the rows in order."""
        ops = ops_of(task)
        cuts = self.limit.cuts(in_order(parts))
        rows = HeldRows(self.columns, [cut(batch, start, stop, ops, task) for batch, start, stop in cuts])
        task.metrics(self.op_id).rows += sum(batch.num_rows for batch in rows.parts)
        return rows
