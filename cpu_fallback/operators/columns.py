"""From vectors, the values of expressions, to the columns of a batch."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...physical.batch import Batch
from ...planner.expr import Column
from ..vector import Vector

Compute = Callable[[Batch], Sequence[Vector]]


def evaluate(compute: Compute, columns: Sequence[Column], batch: Batch) -> Batch:
    """A batch whose columns are the values of compiled expressions over `batch`."""
    vectors = compute(batch)
    bounds = {c.id: v.bounds for c, v in zip(columns, vectors, strict=True) if v.bounds is not None}
    arrays = [vector.to_array(batch.num_rows) for vector in vectors]
    return Batch(columns, arrays, batch.num_rows, bounds=bounds)
