"""Filter: rows for which the predicate is true."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...physical import nodes
from ...physical.batch import Batch
from ...physical.context import Task
from ..expressions import compile_predicate
from . import rows as row
from .registry import implements


@implements(nodes.Filter)
class Filter:
    """Rows for which the predicate is true; false and NULL are dropped."""

    def __init__(self, spec: nodes.Filter, backend: Any) -> None:
        self.op_id = spec.op_id
        self.predicate = compile_predicate(spec.predicate)

    def __call__(self, rows: Iterator[Batch], task: Task) -> Iterator[Batch]:
        """Batches with at least one row left."""
        for batch in rows:
            kept = self.predicate(batch, task.check)
            if kept.count:
                yield batch if kept.is_all else row.take(batch, kept.rows)
