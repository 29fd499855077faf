"""Leftover: the right rows that a join owes once all its left rows have been seen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...physical.batch import Batch
from ...physical.context import QueryContext, Task
from ...physical.pipeline import LeftoverSource, Morsel
from ...planner.logical import JoinKind
from ..storage import data_type
from .base import device_batch, gathered, ops_of
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
        """One morsel."""
        yield Morsel(0, None)

    def read(self, morsel: Morsel, task: Task) -> Iterator[Batch]:
        """All owed rows in one batch."""
        ops = ops_of(task)
        built: BuiltRows = task.artifacts[self.build]
        mask = built.matched(ops)
        owed = numbers_where(mask if self.kind is JoinKind.RIGHT_SEMI else ops.inverse(mask), ops)
        if not owed.size():
            return
        taken = gathered(built.rows, owed, ops)
        ids = {c.id for c in taken.schema}
        like = ops.plc.column_factories.make_empty_column
        columns = [
            taken.column(c.id)
            if c.id in ids
            else ops.plc.Column.all_null_like(
                like(data_type(c.type), stream=ops.stream), taken.num_rows, stream=ops.stream
            )
            for c in self.schema
        ]
        yield device_batch(self.schema, columns, taken.num_rows, taken.bounds)
