"""Reads what another pipeline left: morsels over an artifact's batches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ...physical.batch import Batch
from ...physical.context import QueryContext, Task
from ...physical.pipeline import ArtifactSource, Morsel
from ..kernels import arrays
from .base import split
from .concat import concat_batches
from .registry import implements

# A morsel is as many rows as one batch may have; small batches of an artifact are read together.


@implements(ArtifactSource)
class Artifact:
    """Rows of an artifact in order: output column i is its column positions[i]."""

    op_id = -1

    def __init__(self, spec: ArtifactSource, backend: Any) -> None:
        self.schema = spec.columns
        self.pipeline = spec.pipeline
        self.positions = spec.positions

    def morsels(self, q: QueryContext) -> Iterator[Morsel]:
        """One morsel for about `batch_size` rows."""
        pieces = packed(q.artifacts[self.pipeline].batches(), q.batch_size)
        return (Morsel(seq, piece) for seq, piece in enumerate(pieces))

    def read(self, morsel: Morsel, task: Task) -> Iterator[Batch]:
        """The morsel's rows in one batch, or as they are stored where their strings are too many for one."""
        pieces = [batch.renamed(self.schema, self.positions) for batch in morsel.payload]
        together = concat_batches(self.schema, pieces)
        if any(arrays.is_large(column.type) for column in together.columns):
            yield from pieces
        else:
            yield together


def packed(batches: Sequence[Batch], size: int) -> Iterator[list[Batch]]:
    """The batches cut into pieces, and consecutive pieces put together, of at most `size` rows in all."""
    pending: list[Batch] = []
    rows = 0
    for batch in batches:
        for piece in split(batch, size):
            if rows + piece.num_rows > size:
                yield pending
                pending, rows = [], 0
            if piece.num_rows:
                pending.append(piece)
                rows += piece.num_rows
    if pending:
        yield pending
