"""Reads what another pipeline left: morsels over an artifact's batches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...physical.batch import Batch
from ...physical.context import QueryContext, Task
from ...physical.pipeline import ArtifactSource, Morsel
from ..held import HeldBatch
from .base import batch_rows, ops_of, sliced
from .registry import implements
from .transfer import uploaded


@implements(ArtifactSource)
class Artifact:
    """Rows of an artifact in order: output column i is its column positions[i]."""

    op_id = -1

    def __init__(self, spec: ArtifactSource, backend: Any) -> None:
        self.schema = spec.columns
        self.pipeline = spec.pipeline
        self.positions = spec.positions

    def morsels(self, q: QueryContext) -> Iterator[Morsel]:
        """One morsel a batch, or a piece of one that has more rows than a batch may."""
        seq = 0
        for batch in q.artifacts[self.pipeline].batches():
            for start in range(0, batch.num_rows, batch_rows(q)):
                yield Morsel(seq, (batch, start))
                seq += 1

    def read(self, morsel: Morsel, task: Task) -> Iterator[Batch]:
        """The morsel's rows."""
        ops = ops_of(task)
        batch, start = morsel.payload
        rows = min(batch_rows(task.query), batch.num_rows - start)

        def piece(first: int, stop: int) -> Batch:
            return sliced(batch.batch(ops), start + first, start + stop, ops)

        if isinstance(batch, HeldBatch):
            most = ops.memory.rows_of(batch.num_rows, batch.nbytes)
            pieces = ops.memory.each(rows, piece, task.check, most)
        else:
            # Its pipeline's sink runs on the CPU.
            pieces = uploaded(batch.slice(start, rows), ops, task)
        for found in pieces:
            yield found.renamed(self.schema, self.positions)
