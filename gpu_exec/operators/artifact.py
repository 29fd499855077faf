"""Reads what another pipeline left: morsels over an artifact's batches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...physical.batch import Batch, Device
from ...physical.context import QueryContext, Task
from ...physical.pipeline import ArtifactSource, Morsel
from .base import ops_of, sliced
from .registry import implements
from .transfer import upload


@implements(ArtifactSource)
class Artifact:
    """Rows of an artifact in order: output column i is its column positions[i]."""

    op_id = -1

    def __init__(self, spec: ArtifactSource, backend: Any) -> None:
        self.schema = spec.columns
        self.pipeline = spec.pipeline
        self.positions = spec.positions

    def morsels(self, q: QueryContext) -> Iterator[Morsel]:
        """One morsel a batch, or a piece of `batch_size` rows of one."""
        seq = 0
        for batch in q.artifacts[self.pipeline].batches():
            for start in range(0, batch.num_rows, q.batch_size):
                yield Morsel(seq, (batch, start))
                seq += 1

    def read(self, morsel: Morsel, task: Task) -> Iterator[Batch]:
        """The morsel's rows."""
        ops = ops_of(task)
        batch, start = morsel.payload
        stop = min(start + task.query.batch_size, batch.num_rows)
        if batch.device is Device.CPU:
            # Its pipeline's sink was refused by this backend.
            piece = upload(batch.slice(start, stop - start), ops)
        else:
            piece = sliced(batch, start, stop, ops)
        yield piece.renamed(self.schema, self.positions)
