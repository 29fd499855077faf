"""Sort: all rows in the order of the keys, equal ones in input order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...physical.batch import Batch
from ...physical.context import Task
from ...physical.operators import SinkBase, in_order
from ...physical.pipeline import Flow, SortSink
from .base import HeldRows, KeptRows, ops_of
from .registry import implements
from .sort_parts import sorted_parts


@implements(SortSink)
class Sort(SinkBase):
    """Keeps all rows, sorts them at the end."""

    def __init__(self, spec: SortSink, backend: Any) -> None:
        self.op_id = spec.node.op_id
        self.columns = spec.node.schema
        self.keys = spec.node.keys

    def start(self, task: Task) -> KeptRows:
        """No rows yet."""
        return KeptRows(ops_of(task), task)

    def add(self, local: KeptRows, batch: Batch, seq: int) -> Flow:
        """Keeps the batch."""
        local.keep(batch, seq)
        return Flow.MORE

    def finish(self, parts: Sequence[KeptRows], task: Task) -> HeldRows:
        """The rows in order."""
        found = sorted_parts(in_order(parts), self.keys, self.columns, ops_of(task), task)
        rows = HeldRows(self.columns, found)
        task.metrics(self.op_id).rows += sum(part.num_rows for part in rows.parts)
        return rows
