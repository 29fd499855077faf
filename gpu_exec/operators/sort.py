"""Sort: all rows in the order of the keys, equal ones in input order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...physical.batch import Batch
from ...physical.context import Task
from ...physical.operators import SinkBase, in_order
from ...physical.pipeline import Flow, Rows, SortSink
from .base import KeptRows, gathered, ops_of
from .concat import concat_batches
from .registry import implements
from .sort_keys import sorted_rows


@implements(SortSink)
class Sort(SinkBase):
    """Keeps all rows, sorts them at the end."""

    def __init__(self, spec: SortSink, backend: Any) -> None:
        self.op_id = spec.node.op_id
        self.columns = spec.node.schema
        self.keys = spec.node.keys

    def start(self, task: Task) -> KeptRows:
        """No rows yet."""
        return KeptRows()

    def add(self, local: KeptRows, batch: Batch, seq: int) -> Flow:
        """Keeps the batch."""
        local.keep(batch, seq)
        return Flow.MORE

    def finish(self, parts: Sequence[KeptRows], task: Task) -> Rows:
        """The rows in order."""
        ops = ops_of(task)
        batches = in_order(parts)
        rows = concat_batches(batches[0].schema if batches else self.columns, batches, ops)
        if rows.num_rows:
            rows = gathered(rows, sorted_rows(self.keys, rows, ops), ops)
        task.metrics(self.op_id).rows += rows.num_rows
        return Rows(self.columns, [rows.select(self.columns)] if rows.num_rows else [])
