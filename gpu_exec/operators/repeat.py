"""Repeat: each row as many times as a column says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...physical import nodes
from ...physical.batch import Batch
from ...physical.context import Task
from ..storage import named_type
from .base import device_batch, ops_of
from .registry import implements


@implements(nodes.Repeat)
class Repeat:
    """Each row `count` times, none where `count` is 0, negative or NULL; the count is dropped."""

    def __init__(self, spec: nodes.Repeat, backend: Any) -> None:
        self.op_id = spec.op_id
        self.schema = spec.schema
        self.count = spec.count

    def __call__(self, rows: Iterator[Batch], task: Task) -> Iterator[Batch]:
        """One batch for each that comes in."""
        ops = ops_of(task)
        whole = named_type("INT32")
        for batch in rows:
            counts = ops.filled(ops.cast(batch.column(self.count.id), whole), ops.int32(0))
            counts = ops.binary("NULL_MAX", counts, ops.int32(0), whole)
            wanted = batch.select(self.schema)
            made = ops.plc.filling.repeat(ops.table(wanted.columns), counts, stream=ops.stream)
            if made.num_rows():
                yield device_batch(self.schema, made.columns(), made.num_rows(), batch.bounds)
