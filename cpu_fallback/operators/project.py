"""Project: computes expressions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...physical import nodes
from ...physical.batch import Batch
from ...physical.context import Task
from ..expressions import compile_many
from .columns import evaluate
from .registry import implements


@implements(nodes.Project)
class Project:
    """One output column an expression; what is known of their bounds goes along."""

    def __init__(self, spec: nodes.Project, backend: Any) -> None:
        self.op_id = spec.op_id
        self.columns = spec.columns
        self.compute = compile_many(spec.exprs)

    def __call__(self, rows: Iterator[Batch], task: Task) -> Iterator[Batch]:
        """As many rows as come in."""
        for batch in rows:
            if batch.num_rows:
                yield from evaluate(self.compute, self.columns, batch, task.check)
