"""What scans of every kind of table share."""

from __future__ import annotations

from collections.abc import Mapping

from ...physical.batch import Batch
from ...physical.context import QueryContext, Task
from ...physical.parquet_meta import RowGroupStats
from ...physical.pipeline import ScanSource
from ...planner.expr import Column, Expr, conjunction, conjuncts
from ..expressions import predicate
from ..ops import Ops
from .base import masked
from .reader_filter import never_fails
from .scan_filters import ScanFilters


class FilteredScan:
    """What scans share: the predicate over a batch of all columns, runtime filters, and the schema that is
    returned.
    """

    def __init__(self, spec: ScanSource) -> None:
        node = spec.node
        self.op_id = node.op_id
        self.schema = node.columns
        self.columns: tuple[Column, ...] = (*node.columns, *node.hidden)
        self.names = (*node.names, *node.hidden_names)
        self.predicate = node.predicate
        self.filters = ScanFilters(node.runtime_filters, spec.filters)

    def may_match(self, q: QueryContext, stats: RowGroupStats) -> bool:
        """Whether rows in which every column has these statistics may hold a match of each runtime filter."""
        return all(self.filters.may_match(q, number, stats) for number in self.filters.column_ids)

    def conditions(
        self, task: Task, bounds: Mapping[int, tuple[int, int]] | None = None
    ) -> tuple[Expr | None, Expr | None]:
        """What rows have to satisfy: the first condition, then the second; None is true for all.

        An error of the predicate is due in rows that match nothing too: where it can fail, it comes before
        the runtime filters, else all are one. `bounds` as for `ScanFilters.terms`.
        """
        terms = self.filters.terms(task.artifacts, bounds)
        if self.predicate is None or never_fails(self.predicate):
            return conjunction([*terms, *conjuncts(self.predicate)]), None
        return self.predicate, conjunction(terms)

    def wanted(self, batch: Batch, task: Task, ops: Ops) -> Batch | None:
        """The batch's rows that satisfy everything, under the scan's schema; None when there are none."""
        first, second = self.conditions(task, batch.bounds)
        return self.satisfying(first, second, batch, ops)

    def satisfying(self, first: Expr | None, second: Expr | None, batch: Batch, ops: Ops) -> Batch | None:
        """The batch's rows that satisfy one condition, then the other; None when a condition leaves none."""
        found = batch.select(self.schema)
        if first is not None:
            found = masked(found, predicate(first, batch, ops), ops)
        if second is not None and found.num_rows:
            found = masked(found, predicate(second, found, ops), ops)
        return found if found.num_rows or (first is None and second is None) else None
