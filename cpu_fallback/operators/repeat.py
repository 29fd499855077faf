"""Repeat: each row as many times as a column says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...physical import nodes
from ...physical.batch import Batch
from ...physical.context import Task
from ..kernels import arrays
from . import rows as row
from .registry import implements


@implements(nodes.Repeat)
class Repeat:
    """Each row `count` times, none where `count` is 0, negative or NULL; the count is dropped."""

    def __init__(self, spec: nodes.Repeat, backend: Any) -> None:
        self.op_id = spec.op_id
        self.schema = spec.schema
        self.count = spec.count

    def __call__(self, rows: Iterator[Batch], task: Task) -> Iterator[Batch]:
        """Batches of at most `batch_size` rows."""
        size = task.query.batch_size
        for batch in rows:
            array = batch.column(self.count.id)
            counts = np.maximum(arrays.int64_values(array), 0)
            valid = arrays.validity_bytes(array)
            if valid is not None:
                counts = np.where(valid, counts, 0)
            ends = np.cumsum(counts)
            wanted = batch.select(self.schema)
            total = int(ends[-1]) if len(ends) else 0
            for start in range(0, total, size):
                task.check()
                stop = min(start + size, total)
                # Output row i comes from the first input row whose running total exceeds i.
                first = int(np.searchsorted(ends, start, side="right"))
                last = int(np.searchsorted(ends, stop - 1, side="right"))
                parts = np.diff(np.minimum(ends[first : last + 1], stop), prepend=start)
                yield row.take(wanted, np.repeat(np.arange(first, last + 1, dtype=np.int32), parts))
