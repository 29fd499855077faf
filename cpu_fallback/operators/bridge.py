"""Bridge: adds computed columns. On the CPU nothing is moved: it stands in where the GPU refuses a bridge."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...physical import nodes
from ...physical.batch import Batch
from ...physical.context import Task
from ..expressions import compile_many
from ..pieces import in_parts
from .registry import implements


@implements(nodes.Bridge)
class Bridge:
    """The rows with the values of the expressions as further columns."""

    def __init__(self, spec: nodes.Bridge, backend: Any) -> None:
        self.op_id = spec.op_id
        self.added = spec.columns
        self.compute = compile_many(spec.exprs)

    def __call__(self, rows: Iterator[Batch], task: Task) -> Iterator[Batch]:
        """As many rows as come in, in more batches where the texts are too many for one."""
        for batch in rows:
            if not batch.num_rows:
                continue
            for part, vectors in in_parts(self.compute, batch, task.check):
                known = {
                    c.id: v.bounds for c, v in zip(self.added, vectors, strict=True) if v.bounds is not None
                }
                yield Batch(
                    (*part.schema, *self.added),
                    [*part.columns, *(vector.to_array(part.num_rows) for vector in vectors)],
                    part.num_rows,
                    bounds={**part.bounds, **known},
                )
