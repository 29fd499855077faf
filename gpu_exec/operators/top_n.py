"""Top-N: the first rows in the order of the keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...physical.batch import Batch
from ...physical.context import Task
from ...physical.operators import SinkBase, in_order
from ...physical.pipeline import Flow, Rows, TopNSink
from ..ops import Ops
from .base import KeptRows, gathered, ops_of
from .concat import concat_batches
from .registry import implements
from .sort_keys import sorted_rows


class _Candidates(KeptRows):
    """One task's rows that may be among the first, with the calls to cut them down."""

    def __init__(self, ops: Ops) -> None:
        super().__init__()
        self.ops = ops


@implements(TopNSink)
class TopN(SinkBase):
    """Rows offset .. offset + limit in the order of the keys; equal rows are in input order."""

    def __init__(self, spec: TopNSink, backend: Any) -> None:
        node = spec.node
        self.op_id = node.op_id
        self.columns = node.schema
        self.keys = node.keys
        self.offset = node.offset
        self.count = node.offset + node.limit

    def start(self, task: Task) -> _Candidates:
        """No rows yet."""
        return _Candidates(ops_of(task))

    def add(self, local: _Candidates, batch: Batch, seq: int) -> Flow:
        """Keeps the first rows of each batch; they stay in input order, so that ties are right."""
        if batch.num_rows > self.count:
            batch = self._first(batch, local.ops)
        local.keep(batch, seq)
        return Flow.MORE

    def _first(self, batch: Batch, ops: Ops) -> Batch:
        """The first `count` rows in the order of the keys, in input order."""
        order = sorted_rows(self.keys, batch, ops)
        (first,) = ops.sliced([order], 0, self.count)
        back = ops.order([first], [False], [True])
        (places,) = ops.gathered([first], back)
        return gathered(batch, places, ops)

    def finish(self, parts: Sequence[_Candidates], task: Task) -> Rows:
        """The first rows of all tasks."""
        ops = ops_of(task)
        batches = in_order(parts)
        rows = concat_batches(batches[0].schema if batches else self.columns, batches, ops)
        if rows.num_rows:
            order = sorted_rows(self.keys, rows, ops)
            (wanted,) = ops.sliced([order], min(self.offset, rows.num_rows), min(self.count, rows.num_rows))
            rows = gathered(rows, wanted, ops)
        task.metrics(self.op_id).rows += rows.num_rows
        return Rows(self.columns, [rows.select(self.columns)] if rows.num_rows else [])
