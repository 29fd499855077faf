"""Filter: rows for which the predicate is true."""

from __future__ import annotations

from typing import Any

from ...physical import nodes
from ...physical.batch import Batch
from ...physical.context import Task
from ..expressions import predicate
from ..ops import Ops
from .base import BatchTransform, masked
from .registry import implements


@implements(nodes.Filter)
class Filter(BatchTransform):
    """Rows for which the predicate is true; false and NULL are dropped."""

    def __init__(self, spec: nodes.Filter, backend: Any) -> None:
        self.op_id = spec.op_id
        self.predicate = spec.predicate

    def made(self, batch: Batch, task: Task, ops: Ops) -> Batch:
        """The batch's rows that are kept."""
        return masked(batch, predicate(self.predicate, batch, ops), ops)
