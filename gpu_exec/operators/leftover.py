"""Leftover: the right rows that a join owes once all its left rows have been seen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...physical.batch import Batch
from ...physical.context import QueryContext, Task
from ...physical.pipeline import LeftoverSource, Morsel
from ...planner.logical import JoinKind
from ..ops import Ops
from .base import device_batch, gathered, ops_of, sliced
from .build import BuiltRows
from .join_pairs import numbers_where
from .registry import implements


@implements(LeftoverSource)
class Leftover:
    """Build rows that matched (RIGHT_SEMI) or did not (the other kinds), in order; left columns are NULL."""

    def __init__(self, spec: LeftoverSource, backend: Any) -> None:
        self.op_id = spec.node.op_id
        self.schema = spec.node.columns
        self.kind = spec.node.kind
        self.build = spec.build

    def morsels(self, q: QueryContext) -> Iterator[Morsel]:
        """One morsel a chunk of the right side."""
        for seq in range(len(q.artifacts[self.build].chunks)):
            yield Morsel(seq, seq)

    def read(self, morsel: Morsel, task: Task) -> Iterator[Batch]:
        """The chunk's owed rows."""
        ops = ops_of(task)
        built: BuiltRows = task.artifacts[self.build]
        chunk = built.chunks[morsel.payload]

        def owed(start: int, stop: int) -> Batch:
            mask = built.matched(chunk.offset + start, chunk.offset + stop, ops)
            rows = numbers_where(mask if self.kind is JoinKind.RIGHT_SEMI else ops.inverse(mask), ops)
            taken = gathered(sliced(chunk.batch(ops), start, stop, ops), rows, ops)
            return self._widened(taken, ops)

        for found in ops.memory.each(chunk.num_rows, owed, task.check):
            if found.num_rows:
                yield found

    def _widened(self, taken: Batch, ops: Ops) -> Batch:
        """The right rows under the join's schema."""
        ids = {c.id for c in taken.schema}
        columns = [
            taken.column(c.id) if c.id in ids else ops.nulls(c.type, taken.num_rows) for c in self.schema
        ]
        return device_batch(self.schema, columns, taken.num_rows, taken.bounds)
