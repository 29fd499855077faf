"""Sort: all rows in the order of some keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...physical.batch import Batch
from ...physical.context import Task
from ...physical.operators import SinkBase, in_order
from ...physical.pipeline import Flow, Rows, SortSink
from ..kernels import sorting
from .base import KeptRows
from .columns import WithKeys
from .concat import concat_batches
from .registry import implements
from .rows import take_fitting
from .size_limits import size_limits
from .sort_keys import order_words


@implements(SortSink)
class Sort(SinkBase):
    """Keeps all rows and sorts them at the end; equal rows stay in input order."""

    def __init__(self, spec: SortSink, backend: Any) -> None:
        node = spec.node
        self.op_id = node.op_id
        self.schema = node.schema
        self.order = node.keys
        self.keyed = WithKeys(node.schema, [key.expr for key in node.keys])

    def start(self, task: Task) -> KeptRows:
        """No rows yet."""
        return KeptRows.start(task, "ORDER BY")

    def add(self, local: KeptRows, batch: Batch, seq: int) -> Flow:
        """Keeps the batch and its keys."""
        for keyed in self.keyed.batches(batch, local.check):
            local.keep(keyed, seq)
        return Flow.MORE

    def finish(self, parts: Sequence[KeptRows], task: Task) -> Rows:
        """Ranks all rows by their keys and takes them in that order, a batch at a time."""
        batches = in_order(parts)
        reservation = task.query.reservation("ORDER BY")
        count = sum(batch.num_rows for batch in batches)
        held = sum(part.reservation.size for part in parts)
        # A second copy of the rows, their keys as words, and row numbers.
        reservation.resize(held + count * (8 * len(self.order) + 4))
        rows = concat_batches(self.keyed.schema, batches, task.check)
        for part in parts:
            part.parts.clear()
            part.reservation.release()
        result = Rows(self.schema)
        if count:
            with size_limits("ORDER BY"):
                words = order_words(self.order, self.keyed.keys(rows), task.check)
                order = sorting.argsort(words, task.check)
            reservation.grow(held)
            wanted = rows.select(self.schema)
            for start in range(0, count, task.query.batch_size):
                task.check()
                result.parts += take_fitting(wanted, order[start : start + task.query.batch_size])
        reservation.resize(held)
        task.metrics(self.op_id).rows += count
        return result
