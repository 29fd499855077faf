"""Limit: rows offset .. offset + limit in input order, stopping its input early."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from ...physical.batch import Batch
from ...physical.context import Task
from ...physical.pipeline import Flow, LimitSink, Rows
from .base import KeptRows, SinkBase, in_order, ops_of, sliced
from .registry import implements


@implements(LimitSink)
class Limit(SinkBase):
    """The first `offset + limit` rows by (seq, arrival), without the first `offset`; as the CPU's."""

    def __init__(self, spec: LimitSink, backend: Any) -> None:
        node = spec.node
        self.op_id = node.op_id
        self.columns = node.schema
        self.offset = node.offset
        self.need = None if node.limit is None else node.offset + node.limit
        self._counts: dict[int, int] = {}
        self._lock = threading.Lock()

    def start(self, task: Task) -> KeptRows:
        """No rows yet."""
        return KeptRows()

    def add(self, local: KeptRows, batch: Batch, seq: int) -> Flow:
        """Keeps what may still be among the first rows; a whole batch, it is cut at the end."""
        if self.need is None:
            local.keep(batch, seq)
            return Flow.MORE
        with self._lock:
            before = sum(count for other, count in self._counts.items() if other <= seq)
            self._counts[seq] = self._counts.get(seq, 0) + batch.num_rows
        if before < self.need:
            local.keep(batch, seq)
        return Flow.DONE if before + batch.num_rows >= self.need else Flow.MORE

    def end_morsel(self, local: KeptRows, seq: int) -> Flow:
        """Other tasks may have found enough rows in morsels up to this one."""
        if self.need is None:
            return Flow.MORE
        with self._lock:
            found = sum(count for other, count in self._counts.items() if other <= seq)
        return Flow.DONE if found >= self.need else Flow.MORE

    def finish(self, parts: Sequence[KeptRows], task: Task) -> Rows:
        """Cuts offset and limit out of the rows in order."""
        ops = ops_of(task)
        rows = Rows(self.columns)
        position = 0
        for batch in in_order(parts):
            start = max(self.offset - position, 0)
            stop = batch.num_rows if self.need is None else min(self.need - position, batch.num_rows)
            if start < stop:
                rows.parts.append(sliced(batch, start, stop, ops))
            position += batch.num_rows
        task.metrics(self.op_id).rows += sum(batch.num_rows for batch in rows.parts)
        return rows
