"""What scans of every kind of table share."""

from __future__ import annotations

from collections.abc import Iterator

from ...physical.batch import Batch
from ...physical.context import Task
from ...physical.pipeline import ScanSource
from ...planner.expr import Column
from ..expressions import predicate
from ..ops import Ops
from .base import device_batch, in_steps


class FilteredScan:
    """What scans share: the predicate over a batch of all columns, and the schema that is returned.

    Runtime filters are not applied: the keys of builds on the device are not on the host, and testing them
    costs what the join's own probe does.
    """

    def __init__(self, spec: ScanSource) -> None:
        node = spec.node
        self.op_id = node.op_id
        self.schema = node.columns
        self.columns: tuple[Column, ...] = (*node.columns, *node.hidden)
        self.names = (*node.names, *node.hidden_names)
        self.predicate = node.predicate

    def filtered(self, batch: Batch, ops: Ops, task: Task) -> Iterator[Batch]:
        """The wanted rows of a batch, in slices where memory is short."""
        for found in in_steps(batch, lambda part: self.wanted(part, ops), ops, task):
            if found is not None:
                yield found

    def wanted(self, batch: Batch, ops: Ops) -> Batch | None:
        """The batch's rows that satisfy the predicate, under the scan's schema; None when there are none."""
        if self.predicate is None:
            return batch.select(self.schema)
        mask = predicate(self.predicate, batch, ops)
        kept = batch.select(self.schema)
        columns = ops.kept(kept.columns or [mask], mask)
        rows = columns[0].size()
        return (
            device_batch(self.schema, columns if kept.columns else [], rows, batch.bounds) if rows else None
        )
