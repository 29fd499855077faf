"""Unnest: a row for each element of lists."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa

from ...physical import nodes
from ...physical.batch import Batch
from ...physical.context import Task
from ..expressions import compile_many
from ..kernels import arrays
from ..kernels.arrays import I64
from ..nested import Lists, lists_of, taken
from ..pieces import in_parts
from ..vector import Vector
from . import rows as row
from .registry import implements


@implements(nodes.Unnest)
class Unnest:
    """The rows of some columns beside the elements of their lists; see the node."""

    def __init__(self, spec: nodes.Unnest, backend: Any) -> None:
        self.op_id = spec.op_id
        self.spec = spec
        self.compute = compile_many(spec.lists)

    def __call__(self, rows: Iterator[Batch], task: Task) -> Iterator[Batch]:
        """Batches of at most `batch_size` rows."""
        for batch in rows:
            if batch.num_rows:
                for part, vectors in in_parts(self.compute, batch, task.check):
                    lists = [lists_of(vector, part.num_rows) for vector in vectors]
                    yield from self._rows(part.select(self.spec.kept), lists, task)

    def _rows(self, kept: Batch, lists: list[Lists], task: Task) -> Iterator[Batch]:
        size = task.query.batch_size
        lengths = np.maximum.reduce([held.lengths for held in lists])
        if self.spec.keep:
            lengths = np.maximum(lengths, 1)
        ends = np.cumsum(lengths)
        total = int(ends[-1])
        for start in range(0, total, size):
            task.check()
            stop = min(start + size, total)
            # Output row i comes from the first input row whose running total exceeds i.
            first = int(np.searchsorted(ends, start, side="right"))
            last = int(np.searchsorted(ends, stop - 1, side="right"))
            counts = np.diff(np.minimum(ends[first : last + 1], stop), prepend=start)
            origins = np.repeat(np.arange(first, last + 1, dtype=np.int32), counts)
            within = np.arange(start, stop) - (ends - lengths)[origins]
            yield self._batch(kept, lists, origins, within)

    def _batch(self, kept: Batch, lists: list[Lists], origins: Any, within: I64) -> Batch:
        n = len(origins)
        spec = self.spec
        below = row.take(kept, origins)
        columns = [below.column(column.id) for column in spec.kept]
        columns += [elements(held, origins, within).to_array(n) for held in lists]
        if spec.ordinality is not None:
            columns.append(arrays.make_array(within + 1, None, pa.int64()))
        return Batch(spec.schema, columns, n, bounds=below.bounds)


def elements(lists: Lists, origins: Any, within: I64) -> Vector:
    """The elements at places of some of the lists; NULL beyond their ends."""
    inside = within < lists.lengths[origins]
    places = lists.starts[origins] + within
    if inside.all():
        return lists.elements.take(places)
    return taken(lists.elements, np.where(inside, places, -1))
