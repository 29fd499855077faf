"""Collect: keeps all rows in order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...physical.batch import Batch
from ...physical.context import Task
from ...physical.operators import SinkBase, in_order
from ...physical.pipeline import CollectSink, Flow
from .base import HeldRows, KeptRows, ops_of
from .registry import implements


@implements(CollectSink)
class Collect(SinkBase):
    """Rows in the order (seq, arrival), as `HeldRows`."""

    def __init__(self, spec: CollectSink, backend: Any) -> None:
        self.columns = spec.columns

    def start(self, task: Task) -> KeptRows:
        """No rows yet."""
        return KeptRows(ops_of(task), task)

    def add(self, local: KeptRows, batch: Batch, seq: int) -> Flow:
        """Keeps the batch."""
        local.keep(batch.select(self.columns), seq)
        return Flow.MORE

    def finish(self, parts: Sequence[KeptRows], task: Task) -> HeldRows:
        """All tasks' batches in order."""
        return HeldRows(self.columns, in_order(parts))
