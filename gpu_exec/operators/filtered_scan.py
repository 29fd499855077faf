"""What scans of every kind of table share."""

from __future__ import annotations

from ...physical.batch import Batch
from ...physical.pipeline import ScanSource
from ...planner.expr import Column
from ..expressions import predicate
from ..ops import Ops
from .base import device_batch


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
