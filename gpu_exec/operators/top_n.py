"""Top-N: the first rows in the order of the keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...physical.batch import Batch
from ...physical.context import Task
from ...physical.operators import RowLimit, SinkBase, in_order
from ...physical.pipeline import Flow, TopNSink
from ..ops import Ops
from .base import HeldRows, KeptRows, cut, gathered, in_steps, ops_of
from .registry import implements
from .sort_keys import sorted_rows
from .sort_parts import sorted_parts


@implements(TopNSink)
class TopN(SinkBase):
    """Rows offset .. offset + limit in the order of the keys; equal rows are in input order."""

    def __init__(self, spec: TopNSink, backend: Any) -> None:
        node = spec.node
        self.op_id = node.op_id
        self.columns = node.schema
        self.keys = node.keys
        self.count = node.offset + node.limit
        self.limit = RowLimit(node)

    def start(self, task: Task) -> KeptRows:
        """No rows yet."""
        return KeptRows(ops_of(task), task)

    def add(self, local: KeptRows, batch: Batch, seq: int) -> Flow:
        """Keeps the first rows of each batch; they stay in input order, so that ties are right."""
        ops = local.ops
        if batch.num_rows > self.count:
            for part in in_steps(batch, lambda part: self._first(part, ops), ops, local.task):
                local.keep(part, seq)
        else:
            local.keep(batch, seq)
        return Flow.MORE

    def _first(self, batch: Batch, ops: Ops) -> Batch:
        """The first `count` rows in the order of the keys, in input order."""
        if batch.num_rows <= self.count:
            return batch
        order = sorted_rows(self.keys, batch, ops)
        (first,) = ops.sliced([order], 0, self.count)
        back = ops.order([first], [False], [True])
        (places,) = ops.gathered([first], back)
        return gathered(batch, places, ops)

    def finish(self, parts: Sequence[KeptRows], task: Task) -> HeldRows:
        """The first rows of all tasks."""
        ops = ops_of(task)
        found = sorted_parts(in_order(parts), self.keys, self.columns, ops, task)
        cuts = self.limit.cuts(found)
        rows = HeldRows(self.columns, [cut(part, start, stop, ops, task) for part, start, stop in cuts])
        task.metrics(self.op_id).rows += sum(part.num_rows for part in rows.parts)
        return rows
