"""Repeat: each row as many times as a column says."""

from __future__ import annotations

from typing import Any

from ...physical import nodes
from ...physical.batch import Batch
from ...physical.context import Task
from ..ops import Ops
from ..storage import named_type
from .base import BatchTransform, device_batch
from .registry import implements


@implements(nodes.Repeat)
class Repeat(BatchTransform):
    """Each row `count` times, none where `count` is 0, negative or NULL; the count is dropped."""

    def __init__(self, spec: nodes.Repeat, backend: Any) -> None:
        self.op_id = spec.op_id
        self.schema = spec.schema
        self.count = spec.count

    def made(self, batch: Batch, task: Task, ops: Ops) -> Batch:
        """The batch's rows, repeated."""
        whole = named_type("INT32")
        counts = ops.filled(ops.cast(batch.column(self.count.id), whole), ops.int32(0))
        counts = ops.binary("NULL_MAX", counts, ops.int32(0), whole)
        wanted = batch.select(self.schema)
        found = ops.plc.filling.repeat(ops.table(wanted.columns), counts, stream=ops.stream)
        return device_batch(self.schema, found.columns(), found.num_rows(), batch.bounds)
