"""Values: literal rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ...physical.batch import Batch
from ...physical.context import QueryContext, Task
from ...physical.pipeline import Morsel, ValuesSource
from ...physical.stored import INT64_HIGH, INT64_LOW, may_be_wide
from ...planner.expr import Column, Expr, Literal
from ..expressions import columns
from ..ops import Ops
from ..storage import arrow_values
from .base import batch_rows, device_batch, ops_of
from .concat import together
from .registry import implements


@implements(ValuesSource)
class Values:
    """The rows of the node, in batches."""

    def __init__(self, spec: ValuesSource, backend: Any) -> None:
        self.op_id = spec.node.op_id
        self.schema = spec.node.columns
        self.literals = spec.node.literals

    def morsels(self, q: QueryContext) -> Iterator[Morsel]:
        """Pieces of so many rows as a batch may have."""
        for seq, start in enumerate(range(0, len(self.literals), batch_rows(q))):
            yield Morsel(seq, start)

    def read(self, morsel: Morsel, task: Task) -> Iterator[Batch]:
        """The piece's rows."""
        ops = ops_of(task)
        rows = self.literals[morsel.payload : morsel.payload + batch_rows(task.query)]

        def made(start: int, stop: int) -> Batch:
            part = rows[start:stop]
            found = [_column(c, [row[i] for row in part], ops) for i, c in enumerate(self.schema)]
            return device_batch(self.schema, found, len(part))

        return ops.memory.each(len(rows), made, task.check)


def _column(column: Column, exprs: Sequence[Expr], ops: Ops) -> Any:
    """A column of constants; those that are no literals are computed one by one."""
    if all(isinstance(expr, Literal) for expr in exprs):
        values = [expr.value for expr in exprs if isinstance(expr, Literal)]
        known = [value for value in values if value is not None]
        wide = may_be_wide(column.type) and any(not INT64_LOW <= value <= INT64_HIGH for value in known)
        return ops.upload(arrow_values(column.type, values, wide=wide))
    one_row = device_batch((), (), 1)
    return together([columns([expr], one_row, ops)[0] for expr in exprs], ops)
