"""What scans of every kind of table share."""

from __future__ import annotations

from ...physical.batch import Batch
from ...physical.pipeline import ScanSource
from ...planner.expr import Column, Expr
from ..expressions import predicate
from ..ops import Ops
from .base import masked


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
        return self.satisfying(self.predicate, batch, ops)

    def satisfying(self, condition: Expr | None, batch: Batch, ops: Ops) -> Batch | None:
        """As `wanted`, for another condition; None is true for all rows."""
        if condition is None:
            return batch.select(self.schema)
        found = masked(batch.select(self.schema), predicate(condition, batch, ops), ops)
        return found if found.num_rows else None
