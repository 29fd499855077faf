"""Leftover: the right rows that a join owes once all its left rows have been seen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa

from ...physical.batch import Batch
from ...physical.context import QueryContext, Task
from ...physical.pipeline import LeftoverSource, Morsel
from ...planner.logical import JoinKind
from ..storage import arrow_type
from . import rows as row
from .build import BuiltRows
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
        """One morsel for `batch_size` rows to return."""
        built: BuiltRows = q.artifacts[self.build]
        matched = built.matched()
        owed = np.flatnonzero(matched if self.kind is JoinKind.RIGHT_SEMI else ~matched).astype(np.int32)
        for seq, start in enumerate(range(0, len(owed), q.batch_size)):
            yield Morsel(seq, owed[start : start + q.batch_size])

    def read(self, morsel: Morsel, task: Task) -> Iterator[Batch]:
        """The morsel's rows in one batch, or more where their strings are too many for one."""
        built: BuiltRows = task.artifacts[self.build]
        ids = {c.id for c in built.rows.schema}
        for taken in row.take_fitting(built.rows, morsel.payload):
            n = taken.num_rows
            columns = [
                taken.column(c.id) if c.id in ids else pa.nulls(n, arrow_type(c.type)) for c in self.schema
            ]
            yield Batch(self.schema, columns, n, bounds=taken.bounds)
