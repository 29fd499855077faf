"""Filter: rows for which the predicate is true."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...physical import nodes
from ...physical.batch import Batch
from ...physical.context import Task
from ..expressions import predicate
from .base import device_batch, ops_of
from .registry import implements


@implements(nodes.Filter)
class Filter:
    """Rows for which the predicate is true; false and NULL are dropped."""

    def __init__(self, spec: nodes.Filter, backend: Any) -> None:
        self.op_id = spec.op_id
        self.predicate = spec.predicate

    def __call__(self, rows: Iterator[Batch], task: Task) -> Iterator[Batch]:
        """Batches with at least one row left."""
        ops = ops_of(task)
        for batch in rows:
            # A batch without columns still has rows: the mask itself is kept in their place.
            mask = predicate(self.predicate, batch, ops)
            columns = ops.kept(batch.columns or [mask], mask)
            kept = columns[0].size()
            if kept:
                yield device_batch(batch.schema, columns if batch.columns else [], kept, batch.bounds)
