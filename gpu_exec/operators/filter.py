"""Filter: rows for which the predicate is true."""

from __future__ import annotations

from typing import Any

from ...physical import nodes
from ...physical.batch import Batch
from ...physical.context import Task
from ..expressions import predicate
from ..ops import Ops
from .base import BatchTransform, device_batch
from .registry import implements


@implements(nodes.Filter)
class Filter(BatchTransform):
    """Rows for which the predicate is true; false and NULL are dropped."""

    def __init__(self, spec: nodes.Filter, backend: Any) -> None:
        self.op_id = spec.op_id
        self.predicate = spec.predicate

    def made(self, batch: Batch, task: Task, ops: Ops) -> Batch:
        """The batch's rows that are kept."""
        # A batch without columns still has rows: the mask itself is kept in their place.
        mask = predicate(self.predicate, batch, ops)
        columns = ops.kept(batch.columns or [mask], mask)
        return device_batch(batch.schema, columns if batch.columns else [], columns[0].size(), batch.bounds)
